package io.fieldstone.bench.nuclei;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.field.Gf256;
import org.junit.jupiter.api.Test;

/** The checks of docs/errata.md on Nuclei, I, IV and V. */
class NucleiErrataTest {

  /**
   * The products of Fig. 3 are those of 0x11D. In Rijndael's field {57}·{83} = {c1} (FIPS 197, Sec.
   * 4.2).
   */
  @Test
  void theFieldOfFigureThreeIsNotRijndaels() {
    int differing = 0;
    for (int factor = 0; factor < 256; factor++) {
      for (int data = 0; data < 256; data++) {
        int product = loopMultiplyByte(factor, data);
        assertThat(product).isEqualTo(Gf256.DEFAULT.multiply(factor, data));
        differing += product == Gf256.RIJNDAEL.multiply(factor, data) ? 0 : 1;
      }
    }
    assertThat(differing).isPositive();
    assertThat(Gf256.RIJNDAEL.multiply(0x57, 0x83)).isEqualTo(0xC1);
    assertThat(loopMultiplyByte(0x57, 0x83)).isNotEqualTo(0xC1);
  }

  /** Fig. 3 as printed. */
  private static int loopMultiplyByte(int first, int second) {
    int factor = first;
    int data = second;
    int result = 0;
    while (factor != 0) {
      if ((factor & 1) != 0) {
        result ^= data;
      }
      boolean overflowing = (data & 0x80) != 0;
      data = data << 1 & 0xFF;
      if (overflowing) {
        data ^= 0x1D;
      }
      factor >>= 1;
    }
    return result;
  }

  /** 870 clients take the rate of the tables of V-C, a quarter more than that of Fig. 5a. */
  @Test
  void theClientsNeedMoreThanFigureFiveHas() {
    double needed = NucleiPaper.CLIENTS * NucleiPaper.CLIENT_RATE / 1e6;
    assertThat(needed).isCloseTo(83.5, within(0.05));
    assertThat(needed).isGreaterThan(NucleiPaper.ENCODE_RATE_128);
    assertThat(1.25 * NucleiPaper.ENCODE_RATE_128).isCloseTo(needed, within(0.2));
    double clients = NucleiPaper.ENCODE_RATE_128 * 1e6 / NucleiPaper.CLIENT_RATE;
    assertThat((int) clients).isEqualTo(696);
  }

  /** IV-E2: "1.99" and "2.17" by its own times of 2157, 1094 and 1000 ms. */
  @Test
  void theRatiosOfMixedEncoding() {
    assertThat(2157.0 / 1094).isCloseTo(1.97, within(0.005));
    assertThat(2157.0 / 1000).isCloseTo(2.16, within(0.005));
  }
}
