package io.fieldstone.crc.detection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.crc.CrcNotation;
import io.fieldstone.crc.CrcValue;
import io.fieldstone.field.Gf2Modulus;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HammingProfileTest {

  private static final long WORK = 1L << 32;

  private static List<Long> bits(CrcValue poly, int maxDistance) {
    HammingProfile profile = HammingProfile.of(poly, maxDistance, WORK);
    assertThat(profile.distances()).allMatch(HammingProfile.Distance::isExact);
    return profile.distances().stream().map(HammingProfile.Distance::maxBits).toList();
  }

  private static CrcValue koopman(int width, String digits) {
    return CrcNotation.KOOPMAN.toNormal(CrcValue.parse(width, digits));
  }

  /** The profile of CRC-32 in Philip Koopman's "Best CRC polynomials", from HD 3 on. */
  @Test
  void theProfileOfCrc32IsThePublishedOne() {
    assertThat(bits(koopman(32, "82608EDB"), 15))
        .containsExactly(
            4294967263L, 91607L, 2974L, 268L, 171L, 91L, 57L, 34L, 21L, 12L, 10L, 10L, 10L);
  }

  /** Castagnoli's polynomial, in the same list; HD 3 to 8. */
  @Test
  void theProfileOfCastagnolisPolynomialIsThePublishedOne() {
    assertThat(bits(koopman(32, "FA567D89"), 8))
        .containsExactly(65502L, 65502L, 32736L, 32736L, 274L, 274L);
  }

  /** The same number in normal notation has HD 4 from 1,664 bits on. */
  @Test
  void theSameNumberInAnotherNotationIsWeaker() {
    HammingProfile profile = HammingProfile.of(CrcValue.parse(32, "FA567D89"), 8, WORK);

    assertThat(profile.maxBits(6)).isEqualTo(1663);
    assertThat(profile.maxBits(4)).isGreaterThan(1663);
    assertThat(profile.maxBits(99)).isZero();
  }

  /** The proven optima for HD 6 in the same list. */
  @Test
  void theOptimaForDistance6HaveTheirLengths() {
    assertThat(HammingProfile.of(koopman(16, "9eb2"), 6, WORK).maxBits(6)).isEqualTo(135);
    assertThat(HammingProfile.of(koopman(24, "bd80de"), 6, WORK).maxBits(6)).isEqualTo(2026);
  }

  @Test
  void profilesAreThoseOfAllWords() {
    Random random = new Random(4);
    for (int width = 3; width <= 9; width++) {
      CrcValue poly = CrcValue.of(width, random.nextInt(1 << width) | 1);
      HammingProfile profile = HammingProfile.of(poly, 9, WORK);
      for (int bits = 1; bits <= 16; bits++) {
        int distance = distance(Gf2Modulus.of(width, poly.toLong()), bits);
        for (HammingProfile.Distance each : profile.distances()) {
          assertThat(each.maxBits() >= bits)
              .as("%s at %d bits, %s", poly, bits, each)
              .isEqualTo(distance >= each.distance());
        }
      }
    }
  }

  /** By the definition: the least weight of a multiple. */
  private static int distance(Gf2Modulus modulus, int bits) {
    int least = Integer.MAX_VALUE;
    for (long message = 1; message < 1L << bits; message++) {
      long remainder = 0;
      for (int bit = 0; bit < bits; bit++) {
        if ((message >>> bit & 1) != 0) {
          remainder ^= modulus.xToThe((long) modulus.degree() + bit);
        }
      }
      least = Math.min(least, Long.bitCount(message) + Long.bitCount(remainder));
    }
    return least;
  }

  @Test
  void whatIsNotSearchedIsALowerBound() {
    HammingProfile profile = HammingProfile.of(koopman(32, "82608EDB"), 6, 1000);

    assertThat(profile.distances().get(2).isExact()).isFalse();
    assertThat(profile.maxBits(5)).isLessThan(2974);
  }

  @Test
  void refusesOtherPolynomials() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HammingProfile.of(CrcValue.of(8, 6), 4, WORK))
        .withMessageContaining("no constant term");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HammingProfile.of(CrcValue.ones(65), 4, WORK))
        .withMessageContaining("65");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HammingProfile.of(CrcValue.of(8, 7), 2, WORK))
        .withMessageContaining("distance 2");
  }
}
