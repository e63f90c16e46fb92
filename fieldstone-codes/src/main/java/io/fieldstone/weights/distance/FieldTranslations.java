package io.fieldstone.weights.distance;

import io.fieldstone.weights.codes.Permutation;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Translations of a finite field, as permutations of cyclic codes of length 2^m − 1 with a parity
 * bit: position i stands for α^i, the parity bit for 0. Extended primitive BCH codes have them
 * (MacWilliams and Sloane, "The Theory of Error-Correcting Codes", ch. 8 §5), for some α.
 */
final class FieldTranslations {

  private static final int MIN_DEGREE = 2;

  private FieldTranslations() {}

  /** Returns true if x ↦ x + 1, for some α, maps the code with a parity bit to itself. */
  static boolean preserveExtension(WordSpace space) {
    int length = space.length();
    int degree = Integer.SIZE - Integer.numberOfLeadingZeros(length);
    if (degree < MIN_DEGREE || length != (1 << degree) - 1) {
      return false;
    }
    return IntStream.range(1 << degree, 1 << degree + 1)
        .filter(polynomial -> polynomial % 2 == 1)
        .anyMatch(polynomial -> {
          int[] powers = powers(polynomial, length);
          return powers.length > 0 && preserves(space, translation(powers));
        });
  }

  /** Returns the powers of a root of a polynomial; empty if it is not primitive. */
  private static int[] powers(int polynomial, int length) {
    int[] powers = new int[length];
    int power = 1;
    for (int exponent = 0; exponent < length; exponent++) {
      if (exponent > 0 && power == 1) {
        return new int[0];
      }
      powers[exponent] = power;
      power <<= 1;
      if (power > length) {
        power ^= polynomial;
      }
    }
    return power == 1 ? powers : new int[0];
  }

  private static Permutation translation(int[] powers) {
    int length = powers.length;
    Integer[] positions = new Integer[length + 1];
    Arrays.setAll(positions, _ -> length); // of 0
    for (int exponent = 0; exponent < length; exponent++) {
      positions[powers[exponent]] = exponent;
    }
    return new Permutation(
        IntStream.rangeClosed(0, length)
            .mapToObj(position -> positions[(position < length ? powers[position] : 0) ^ 1])
            .toList());
  }

  private static boolean preserves(WordSpace space, Permutation translation) {
    int length = space.length();
    List<long[]> rows = IntStream.range(0, space.dimension()).mapToObj(space::row).toList();
    for (long[] row : rows) {
      long[] extended = Arrays.copyOf(row, WordSpace.parts(length + 1));
      extended[length / Long.SIZE] |= (WordSpace.weight(row) & 1L) << length;
      long[] image = translation.apply(extended);
      long parity = image[length / Long.SIZE] >>> length & 1;
      image[length / Long.SIZE] &= ~(1L << length);
      long[] word = Arrays.copyOf(image, row.length);
      if ((WordSpace.weight(word) & 1) != parity || space.label(word).isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
