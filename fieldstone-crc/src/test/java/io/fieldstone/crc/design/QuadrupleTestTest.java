package io.fieldstone.crc.design;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.field.Gf2Modulus;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class QuadrupleTestTest {

  /** Random polynomials, at lengths at which about half of them have a word. */
  @Test
  void equalsAComparisonOfAllSumsOfTwo() {
    SplittableRandom random = new SplittableRandom(51);
    int[] outcomes = new int[2];
    for (int i = 0; i < 400; i++) {
      int width = 10 + random.nextInt(14);
      int length = width + random.nextInt((int) (2.2 * Math.pow(2, width / 3.0)));
      Gf2Modulus modulus = Gf2Modulus.of(width, random.nextLong(1L << width) | 1);
      long[] powers = new long[length];
      Set<Long> known = new HashSet<>();
      powers[0] = 1;
      for (int n = 1; n < length; n++) {
        powers[n] = modulus.timesX(powers[n - 1]);
        known.add(powers[n]);
      }
      if (known.size() < length - 1 || known.contains(1L)) {
        continue;
      }
      boolean expected = hasEqualSums(powers);
      assertThat(new QuadrupleTest(length).hasWord(modulus, powers, known::contains))
          .as("%s at %d", modulus, length)
          .isEqualTo(expected);
      outcomes[expected ? 1 : 0]++;
    }
    assertThat(outcomes[0]).isGreaterThan(50);
    assertThat(outcomes[1]).isGreaterThan(50);
  }

  private static boolean hasEqualSums(long[] powers) {
    Set<Long> sums = new HashSet<>();
    for (int n = 1; n < powers.length; n++) {
      for (int k = 0; k < n; k++) {
        if (!sums.add(powers[n] ^ powers[k])) {
          return true;
        }
      }
    }
    return false;
  }
}
