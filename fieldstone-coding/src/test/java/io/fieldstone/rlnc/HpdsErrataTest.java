package io.fieldstone.rlnc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The checks of docs/errata.md on HPDS, 3.1 and 3.3: its decoder as printed, and corrected. */
class HpdsErrataTest {

  private static final Gf256 FIELD = Gf256.DEFAULT;
  private static final int FRAMES = 13;
  private static final int BLOCK = 24;

  /** How the highly parallelised decoder of 3.3 decodes frame n from those before it. */
  private enum Decoding {
    /** Step 2 of its first form: {@code p'_i = p'_i + p'_1}. */
    SUM_AS_PRINTED,
    /**
     * Step 2 with the sum in p'_1, as the subtraction after it needs: {@code p'_1 = p'_1 + p'_i}.
     */
    SUM_CORRECTED,
    /** Step 1 of its final form, which writes the products to p_i, and its tree of sums. */
    TREE_AS_PRINTED,
    /** The final form with the products in p'_i. */
    TREE_CORRECTED
  }

  @Test
  void stepTwoAddsInTheWrongDirection() {
    assertThat(correctFrames(Decoding.SUM_AS_PRINTED)).isEqualTo(2);
    assertThat(correctFrames(Decoding.SUM_CORRECTED)).isEqualTo(FRAMES);
  }

  @Test
  void theFinalFormOverwritesDecodedFrames() {
    assertThat(correctFrames(Decoding.TREE_AS_PRINTED)).isEqualTo(2);
    assertThat(correctFrames(Decoding.TREE_CORRECTED)).isEqualTo(FRAMES);
  }

  /**
   * Decodes a generation frame by frame; returns how many leading frames are right when decoded.
   */
  private static int correctFrames(Decoding decoding) {
    SplittableRandom random = new SplittableRandom(20);
    byte[][] source = new byte[FRAMES][BLOCK];
    byte[][] frames = new byte[FRAMES][BLOCK];
    for (byte[] block : source) {
      random.nextBytes(block);
    }
    int correct = 0;
    while (correct < FRAMES) {
      int n = correct;
      byte[] e = vector(random, n);
      byte[] coded = new byte[BLOCK];
      for (int i = 0; i <= n; i++) {
        add(coded, times(e[i], source[i]));
      }
      frames[n] = decode(decoding, frames, e, coded, n);
      if (!Arrays.equals(frames[n], source[n])) {
        return correct;
      }
      correct++;
    }
    return correct;
  }

  /** Coefficients 0 … n, the last one nonzero. */
  private static byte[] vector(SplittableRandom random, int n) {
    byte[] e = new byte[n + 1];
    for (int i = 0; i <= n; i++) {
      e[i] = (byte) random.nextInt(1, 256);
    }
    return e;
  }

  private static byte[] decode(Decoding decoding, byte[][] frames, byte[] e, byte[] coded, int n) {
    byte[][] products = new byte[n][];
    for (int i = 0; i < n; i++) {
      products[i] = times(e[i], frames[i]);
    }
    if (decoding == Decoding.TREE_AS_PRINTED) {
      System.arraycopy(products, 0, frames, 0, n);
    }
    byte[] rest = coded.clone();
    if (n > 0) {
      switch (decoding) {
        case SUM_AS_PRINTED -> {
          for (int i = 1; i < n; i++) {
            add(products[i], products[0]);
          }
        }
        case SUM_CORRECTED -> {
          for (int i = 1; i < n; i++) {
            add(products[0], products[i]);
          }
        }
        case TREE_AS_PRINTED, TREE_CORRECTED -> {
          for (int step = 1; step < n; step *= 2) {
            for (int k = 0; k + step < n; k += 2 * step) {
              add(products[k], products[k + step]);
            }
          }
        }
      }
      add(rest, products[0]);
    }
    return times((byte) FIELD.inverse(e[n] & 0xFF), rest);
  }

  private static byte[] times(byte factor, byte[] block) {
    byte[] product = new byte[block.length];
    for (int i = 0; i < block.length; i++) {
      product[i] = (byte) FIELD.multiply(factor & 0xFF, block[i] & 0xFF);
    }
    return product;
  }

  private static void add(byte[] sum, byte[] block) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] ^= block[i];
    }
  }

  /** Equation (1) divides by e_n^n, which is 0 in one frame of 256 if it is drawn uniformly. */
  @Test
  void aUniformLastCoefficientCannotBeDividedBy() {
    int n = 64;
    int generations = 512;
    int zeros = 0;
    int divisible = 0;
    byte[] vector = new byte[n];
    for (int generation = 0; generation < generations; generation++) {
      boolean isDivisible = true;
      for (int s = 0; s < n; s++) {
        new Code.Dense().coefficients(1, generation, s, MemorySegment.ofArray(vector));
        zeros += vector[s] == 0 ? 1 : 0;
        isDivisible &= vector[s] != 0;
        new Code.Pipeline(0).coefficients(1, generation, s, MemorySegment.ofArray(vector));
        assertThat(vector[s]).isNotZero();
      }
      divisible += isDivisible ? 1 : 0;
    }
    assertThat((double) zeros / (n * generations)).isCloseTo(1 / 256.0, within(0.0015));
    // (255/256)^64 = 0.78 of the generations can be decoded by equation (1).
    assertThat((double) divisible / generations).isCloseTo(Math.pow(255 / 256.0, n), within(0.08));
  }
}
