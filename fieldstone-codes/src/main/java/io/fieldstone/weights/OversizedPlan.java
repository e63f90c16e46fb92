package io.fieldstone.weights;

import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TripleSums;
import java.util.BitSet;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;

/**
 * The predicted cost of transforms that no engine can run: too many words, or too many to count.
 * The number of different weights, which a {@link TransformPlan} counts, is estimated.
 *
 * @param units the slices
 * @param unitBytes the bytes of a slice
 * @param reason why it cannot run
 */
record OversizedPlan(
    String method,
    String description,
    Prediction prediction,
    double units,
    double unitBytes,
    String reason)
    implements JointPlan {

  /** The random words by which weights are estimated. */
  private static final int SAMPLES = 4096;

  private static final int MODULUS = 16;

  /** Low bits of a slice: a few hundred megabytes, as a task of a cluster can have. */
  private static final int MAX_LOW_BITS = 21;

  /**
   * Returns the plan of transforms of a space.
   *
   * @param rate the operations per second, as {@link TransformLayout#operations} counts them
   */
  static OversizedPlan of(String method, MessageSpace space, DoubleSupplier rate) {
    int weights = weights(space);
    int lowBits = Math.min(space.dimension(), MAX_LOW_BITS);
    int highBits = space.dimension() - lowBits;
    double points = Math.scalb(1.0, space.dimension()) / space.group().size();
    double operations =
        points
            * (TransformLayout.passOperations(weights, highBits)
                + TransformLayout.passOperations(weights, lowBits)
                + TripleSums.count(weights));
    double slices = Math.ceil(Math.scalb(1.0, highBits) / space.group().size());
    return new OversizedPlan(
        method,
        "transforms of about %d weights of 2^%d words, about %.3g slices of 2^%d, %d symmetries"
            .formatted(weights, space.dimension(), slices, lowBits, space.group().size()),
        new Prediction(operations, rate, 0),
        slices,
        Math.scalb(1.0, lowBits) * weights * 2 * Integer.BYTES,
        space.dimension() > TransformSlices.MAX_ROWS
            ? "transforms of 2^%d words are beyond the bound of 2^%d, whose sums fit 128 bits"
                .formatted(space.dimension(), TransformSlices.MAX_ROWS)
            : "2^%d words are too many to count by weight".formatted(space.dimension()));
  }

  /**
   * Estimates the number of different weights of nonzero words: those of which a random code of
   * this size has a word, and that are modulo 16 like a sampled weight. Weights of many codes are
   * all even, or multiples of 4 or 8.
   */
  static int weights(MessageSpace space) {
    int n = space.length();
    BitSet residues = residues(space);
    // The logarithm of the expected words of weight 0.
    double log = space.dimension() - n + log2((double) MODULUS / residues.cardinality());
    int count = 0;
    for (int weight = 1; weight <= n; weight++) {
      log += log2((double) (n - weight + 1) / weight);
      if (residues.get(weight % MODULUS) && log >= 0) {
        count++;
      }
    }
    return count;
  }

  private static double log2(double number) {
    return Math.log(number) / Math.log(2);
  }

  private static BitSet residues(MessageSpace space) {
    SplittableRandom random = new SplittableRandom(1);
    BitSet residues = new BitSet();
    for (int sample = 0; sample < SAMPLES; sample++) {
      long[] word = new long[space.basis().getFirst().length];
      for (long[] row : space.basis()) {
        if (random.nextBoolean()) {
          for (int i = 0; i < word.length; i++) {
            word[i] ^= row[i];
          }
        }
      }
      int weight = 0;
      for (long bits : word) {
        weight += Long.bitCount(bits);
      }
      residues.set(weight % MODULUS);
    }
    return residues;
  }

  @Override
  public double predictedSeconds() {
    return prediction.seconds();
  }

  @Override
  public Optional<String> obstacle() {
    return Optional.of(reason);
  }

  @Override
  public JointRun newRun() {
    throw new IllegalArgumentException("method '%s' cannot run: %s".formatted(method, reason));
  }
}
