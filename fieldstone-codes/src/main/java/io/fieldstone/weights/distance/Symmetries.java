package io.fieldstone.weights.distance;

import io.fieldstone.weights.codes.Permutation;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Automorphisms of a space: permutations of positions that map the code to itself, and the subcode
 * that is left out. Immutable and thread-safe.
 *
 * @param generators verified automorphisms
 * @param orbits the orbit of each position, from 0
 * @param isOdd whether the minimum distance is odd: the code extended by a parity bit has an
 *     automorphism that moves that bit, and {@code orbits} has one orbit
 */
@SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads it.
record Symmetries(List<Permutation> generators, int[] orbits, boolean isOdd) {

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
        if (n % (inner * outer) == 0 && isAutomorphism(space, shift(n, inner, outer))) {
          generators.add(shift(n, inner, outer));
        }
      }
    }
    int[] orbits = orbits(n, generators);
    boolean isTransitive = Arrays.stream(orbits).max().orElse(0) == 0;
    if (isTransitive && n % 2 == 1 && isAutomorphism(space, Permutation.doubling(n))) {
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
    if (!isAutomorphism(space, permutation)) {
      throw new IllegalArgumentException("the permutation maps a word outside the code");
    }
  }

  private static boolean isAutomorphism(WordSpace space, Permutation permutation) {
    int excluded = space.isQuotient() ? space.dimension() - space.logicalDimension() : 0;
    for (int row = 0; row < space.dimension(); row++) {
      boolean isExcluded = row < excluded;
      if (space
          .label(permutation.apply(space.row(row)))
          .filter(label -> !isExcluded || WordSpace.weight(label) == 0)
          .isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private static int[] orbits(int length, List<Permutation> generators) {
    int[] orbits = new int[length];
    Arrays.fill(orbits, -1);
    int next = 0;
    for (int first = 0; first < length; first++) {
      if (orbits[first] < 0) {
        // The orbit of a finite group is closed under its generators without their inverses.
        List<Integer> reached = new ArrayList<>(List.of(first));
        orbits[first] = next;
        for (int at = 0; at < reached.size(); at++) {
          for (Permutation generator : generators) {
            int image = generator.images().get(reached.get(at));
            if (orbits[image] < 0) {
              orbits[image] = next;
              reached.add(image);
            }
          }
        }
        next++;
      }
    }
    return orbits;
  }

  /** Returns the number of positions of each orbit. */
  int[] sizes() {
    int[] sizes = new int[Arrays.stream(orbits).max().orElse(0) + 1];
    for (int orbit : orbits) {
      sizes[orbit]++;
    }
    return sizes;
  }

  boolean isTrivial() {
    return generators.isEmpty();
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
