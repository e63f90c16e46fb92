package io.fieldstone.weights.distance;

import io.fieldstone.weights.codes.Permutation;
import java.util.BitSet;
import java.util.List;

/**
 * A word, by the positions of its ones.
 *
 * @param positions ascending, from 0
 */
public record LightWord(List<Integer> positions) implements Comparable<LightWord> {

  /**
   * Checks the positions.
   *
   * @throws IllegalArgumentException if they do not ascend from 0; the message names one
   */
  public LightWord {
    positions = List.copyOf(positions);
    int before = -1;
    for (int position : positions) {
      if (position <= before) {
        throw new IllegalArgumentException(
            "position %d is not greater than %d".formatted(position, before));
      }
      before = position;
    }
  }

  /** Returns the word of packed bits. */
  static LightWord of(long[] word) {
    return new LightWord(BitSet.valueOf(word).stream().boxed().toList());
  }

  /** Returns the image under a permutation of at least as many positions. */
  public LightWord image(Permutation permutation) {
    return new LightWord(positions.stream().map(permutation.images()::get).sorted().toList());
  }

  /** Returns the number of ones. */
  public int weight() {
    return positions.size();
  }

  /** Orders by weight, then by positions. */
  @Override
  public int compareTo(LightWord other) {
    int order = Integer.compare(weight(), other.weight());
    for (int i = 0; order == 0 && i < weight(); i++) {
      order = Integer.compare(positions.get(i), other.positions.get(i));
    }
    return order;
  }
}
