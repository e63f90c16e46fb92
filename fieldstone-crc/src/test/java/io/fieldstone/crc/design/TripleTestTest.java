package io.fieldstone.crc.design;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.crc.CrcValue;
import io.fieldstone.crc.detection.HammingProfile;
import io.fieldstone.field.Gf2Modulus;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TripleTestTest {

  private static long[] powers(int width, long terms, int count) {
    Gf2Modulus modulus = Gf2Modulus.of(width, terms);
    long[] powers = new long[count];
    powers[0] = 1;
    for (int i = 1; i < count; i++) {
      powers[i] = modulus.timesX(powers[i - 1]);
    }
    return powers;
  }

  /** Returns the greatest length of messages at which a polynomial has HD 7. */
  private static long bitsOfSeven(int width, long terms) {
    return HammingProfile.of(new CrcValue(width, 0, terms), 8, 1L << 24).distances().stream()
        .filter(each -> each.distance() >= 7)
        .mapToLong(HammingProfile.Distance::maxBits)
        .max()
        .orElse(0);
  }

  /** Excludes nearly all polynomials whose distance is smaller by another method, and no others. */
  @ParameterizedTest
  @CsvSource({"12, 40", "14, 40", "16, 60", "16, 300", "20, 80"})
  void excludesNearlyAllOfSmallerDistance(int width, int messageBits) {
    TripleTest triples = new TripleTest(width, width + messageBits);
    SplittableRandom random = new SplittableRandom(width);
    int excluded = 0;
    int smaller = 0;
    for (int i = 0; i < 100; i++) {
      long terms = random.nextLong(1L << width) | 1;
      boolean isSmaller = bitsOfSeven(width, terms) < messageBits;
      if (triples.hasWord(powers(width, terms, triples.powers()))) {
        assertThat(isSmaller).as("%x", terms).isTrue();
        excluded++;
      }
      smaller += isSmaller ? 1 : 0;
    }
    assertThat(excluded).isGreaterThan(smaller * 9 / 10);
  }

  /** Of the polynomials of 15 bits some reach HD 7 at 16 bits, as the BCH code (31, 16) does. */
  @Test
  void theSearchFindsTheSame() {
    int width = 15;
    int messageBits = 16;
    DistanceTest test = new DistanceTest(width, width + messageBits);
    int reached = 0;
    for (long terms = 1; terms < 1L << width; terms += 2) {
      boolean reaches = test.reaches(terms, 7);
      if (reaches || terms % 32 == 1) {
        assertThat(reaches).as("%x", terms).isEqualTo(bitsOfSeven(width, terms) >= messageBits);
      }
      reached += reaches ? 1 : 0;
    }
    assertThat(reached).isPositive();
    assertThat(new TripleTest(width, width + messageBits).powers()).isPositive();
  }

  /** Short or wide: it would find nothing, and is left out. */
  @Test
  void isNotOfUseWithoutWords() {
    assertThat(new TripleTest(32, 100).powers()).isZero();
    assertThat(new TripleTest(64, 100_000).powers()).isZero();
    assertThat(new TripleTest(32, 400).powers()).isEqualTo(400);
  }
}
