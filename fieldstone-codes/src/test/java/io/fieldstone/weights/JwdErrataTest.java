package io.fieldstone.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The checks of docs/errata.md on JWD, 2 to 4. */
class JwdErrataTest {

  private static final int LENGTH = 127;

  /** 0 ≤ x, y, z and x + y + z ≤ n have C(n + 3, 3) solutions; nH3 is C(n + 2, 3). */
  @Test
  void theNumberOfBinsIsThatOfFourParts() {
    for (int n : new int[] {1, 2, 7, 15, LENGTH}) {
      assertThat(bins(n)).isEqualTo(choose(n + 3, 3)).isGreaterThan(choose(n + 2, 3));
    }
    assertThat(bins(LENGTH)).isEqualTo(357_760);
    assertThat(choose(LENGTH + 2, 3)).isEqualTo(349_504);
  }

  private static long bins(int n) {
    long bins = 0;
    for (int x = 0; x <= n; x++) {
      for (int y = 0; x + y <= n; y++) {
        for (int z = 0; x + y + z <= n; z++) {
          bins++;
        }
      }
    }
    return bins;
  }

  private static long choose(int n, int k) {
    long value = 1;
    for (int i = 1; i <= k; i++) {
      value = value * (n - k + i) / i;
    }
    return value;
  }

  /** The words of one u overflow bins of 2 bytes, unless they are added up more than once. */
  @Test
  void twoBytesDoNotHoldTheCountsOfOneWord() throws IOException {
    BinaryCode code = CodeFamily.parse("bch:127,22");
    int k = code.dimension();
    assertThat(k).isEqualTo(22);
    long[][] rows = new long[k][];
    for (int row = 0; row < k; row++) {
      rows[row] = code.generator().row(row);
    }
    long[] u = rows[0].clone();
    int t = Long.bitCount(u[0]) + Long.bitCount(u[1]);
    long[] counts = new long[(t + 1) * (LENGTH - t + 1)];
    long v0 = 0;
    long v1 = 0;
    for (int i = 0; i < 1 << k; i++) {
      if (i > 0) {
        long[] row = rows[Integer.numberOfTrailingZeros(i)];
        v0 ^= row[0];
        v1 ^= row[1];
      }
      int x = Long.bitCount(u[0] & v0) + Long.bitCount(u[1] & v1);
      int z = Long.bitCount(v0) + Long.bitCount(v1) - x;
      counts[x * (LENGTH - t + 1) + z]++;
    }
    long greatest = Arrays.stream(counts).max().orElseThrow();
    assertThat(greatest).isGreaterThan(2 * 65_535);
  }

  /** Minutes of Table 1 as pairs per second, if all 2^2k ordered pairs were enumerated. */
  @Test
  void theTimesAndTheirTextAgree() {
    double pairs = BigInteger.TWO.pow(44).doubleValue();
    assertThat(pairs / (465 * 60)).isCloseTo(0.631e9, within(0.001e9));
    assertThat(pairs / (50 * 60)).isCloseTo(5.86e9, within(0.01e9));
    // "about 42%", "about 1.4 times", "about 2.8 times": the last is 2.86.
    assertThat(147.0 / 353).isCloseTo(0.42, within(0.005));
    assertThat(147.0 / 104).isCloseTo(1.4, within(0.05));
    assertThat(143.0 / 50).isEqualTo(2.86);
  }
}
