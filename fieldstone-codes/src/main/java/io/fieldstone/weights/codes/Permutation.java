package io.fieldstone.weights.codes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A permutation of the positions of a code. Immutable.
 *
 * @param images position i is mapped to {@code images.get(i)}
 */
public record Permutation(List<Integer> images) {

  /**
   * Checks that the images are a permutation.
   *
   * @throws IllegalArgumentException if an image is repeated or out of range; the message names it
   */
  public Permutation {
    images = List.copyOf(images);
    BitSet hit = new BitSet();
    for (int position = 0; position < images.size(); position++) {
      int image = images.get(position);
      if (image < 0 || image >= images.size() || hit.get(image)) {
        throw new IllegalArgumentException(
            "position %d is mapped to %d, which %s"
                .formatted(
                    position,
                    image,
                    image < 0 || image >= images.size()
                        ? "is not in 0…" + (images.size() - 1)
                        : "is the image of an earlier position"));
      }
      hit.set(image);
    }
  }

  /**
   * Parses the image of each position, from 0, separated by spaces or commas.
   *
   * @throws IllegalArgumentException if a part is not a number, or the images are not a permutation
   */
  public static Permutation parse(String text) {
    List<Integer> images = new ArrayList<>();
    for (String image : text.strip().split("[\\s,]+")) {
      try {
        images.add(Integer.parseInt(image));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "'%s' at position %d of a permutation is not a number".formatted(image, images.size()),
            e);
      }
    }
    if (images.isEmpty()) { // the text has only commas
      throw new IllegalArgumentException("the permutation has no numbers");
    }
    return new Permutation(images);
  }

  /** Returns the cyclic shift: every position is mapped to the next, the last to the first. */
  public static Permutation shift(int length) {
    return new Permutation(
        IntStream.range(0, length).mapToObj(position -> (position + 1) % length).toList());
  }

  /**
   * Returns the map of position i to 2i mod length, which squares polynomials modulo x^length − 1.
   *
   * @param length odd
   */
  public static Permutation doubling(int length) {
    return new Permutation(
        IntStream.range(0, length).mapToObj(position -> position * 2 % length).toList());
  }

  /** Returns this permutation with {@code more} fixed positions appended. */
  public Permutation extended(int more) {
    return new Permutation(
        IntStream.range(0, length() + more)
            .mapToObj(position -> position < length() ? images.get(position) : position)
            .toList());
  }

  /** Returns the number of positions. */
  public int length() {
    return images.size();
  }

  /** Returns a packed word with permuted bits. */
  public long[] apply(long[] word) {
    long[] moved = new long[word.length];
    for (int position = 0; position < length(); position++) {
      long bit = word[position / Long.SIZE] >>> position % Long.SIZE & 1;
      int image = images.get(position);
      moved[image / Long.SIZE] |= bit << image % Long.SIZE;
    }
    return moved;
  }

  /**
   * Returns the order of this permutation, or {@code limit} + 1 if it is greater than {@code
   * limit}.
   */
  public int orderUpTo(int limit) {
    int[] at = IntStream.range(0, length()).toArray();
    int order = 0;
    boolean isBack;
    do {
      isBack = true;
      for (int position = 0; position < at.length; position++) {
        at[position] = images.get(at[position]);
        isBack &= at[position] == position;
      }
      order++;
    } while (!isBack && order <= limit);
    return order;
  }
}
