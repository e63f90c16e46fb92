package io.fieldstone.weights.distance;

import io.fieldstone.weights.codes.Permutation;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Automorphisms of a space: permutations of positions that map the code to itself, and the subcode
 * that is left out. Immutable and thread-safe.
 *
 * @param generators verified automorphisms
 * @param orbits the orbits of positions
 * @param isOdd whether the minimum distance is odd: the code extended by a parity bit has an
 *     automorphism that moves that bit, and {@code orbits} has one orbit
 */
record Symmetries(List<Permutation> generators, Orbits orbits, boolean isOdd) {

  /**
   * Finds automorphisms: shifts of one cyclic index of the positions, as of cyclic, quasi-cyclic
   * and bivariate bicycle codes, and of cyclic codes of odd length the doubling of positions.
   *
   * @param given automorphisms that are known
   * @throws IllegalArgumentException if a given permutation is none; the message says why
   */
  static Symmetries of(WordSpace space, List<Permutation> given) {
    List<Permutation> generators = new ArrayList<>();
    for (Permutation permutation : given) {
      requireAutomorphism(space, permutation);
      generators.add(permutation);
    }
    int n = space.length();
    for (int outer = 2; outer <= n; outer++) {
      for (int inner = 1; inner * outer <= n; inner++) {
        if (n % (inner * outer) == 0 && space.isMapped(shift(n, inner, outer), space)) {
          generators.add(shift(n, inner, outer));
        }
      }
    }
    Orbits orbits = Orbits.of(n, 1, generators);
    boolean isTransitive = orbits.sizes().length == 1;
    if (isTransitive && n % 2 == 1 && space.isMapped(Permutation.doubling(n), space)) {
      generators.add(Permutation.doubling(n));
    }
    boolean isOdd =
        isTransitive && !space.isQuotient() && FieldTranslations.preserveExtension(space);
    return new Symmetries(List.copyOf(generators), orbits, isOdd);
  }

  /**
   * Returns the shift of one index: of position (b·outer + i)·inner + j, i becomes i + 1 mod outer.
   */
  private static Permutation shift(int length, int inner, int outer) {
    return new Permutation(
        IntStream.range(0, length)
            .mapToObj(position -> {
              int index = position / inner;
              int moved = index % outer == outer - 1 ? index - outer + 1 : index + 1;
              return moved * inner + position % inner;
            })
            .toList());
  }

  private static void requireAutomorphism(WordSpace space, Permutation permutation) {
    if (permutation.length() != space.length()) {
      throw new IllegalArgumentException(
          "the permutation has %d positions, the code has length %d"
              .formatted(permutation.length(), space.length()));
    }
    if (!space.isMapped(permutation, space)) {
      throw new IllegalArgumentException("the permutation maps a word outside the code");
    }
  }

  /** Returns the orbits of units of some positions. */
  Orbits orbits(int width) {
    return Orbits.of(orbits.numbers().length, width, generators);
  }

  /** Adds the images of words to a set, up to a number of words. */
  void expand(Set<LongBuffer> words, int max) {
    List<LongBuffer> list = new ArrayList<>(words);
    for (int next = 0; next < list.size() && list.size() <= max; next++) {
      for (Permutation generator : generators) {
        LongBuffer image = LongBuffer.wrap(generator.apply(list.get(next).array()));
        if (words.add(image)) {
          list.add(image);
        }
      }
    }
  }
}
