package io.fieldstone.weights;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import java.util.Map;

/**
 * The approximate rates of engines, by which {@link JointWeights} chooses a method without
 * measuring. They come from {@code docs/benchmarks/h200/jwd.md}: one core of a Xeon, and an H200;
 * native kernels count pairs 2.4 times as fast ({@code docs/benchmarks/cpu.md}). The methods differ
 * by orders of magnitude, so other hardware seldom changes the choice.
 *
 * @param transformOperations the operations per second of transforms, as {@link
 *     TransformLayout#operations} counts them
 * @param pairs the pairs per second of each counting method
 */
record NominalRates(double transformOperations, Map<String, Double> pairs) {

  /** (127,22) by transforms takes 2·10^9 operations and 0.2 s. */
  private static final NominalRates CORE =
      new NominalRates(1e10, Map.of("popcount", 5.2e9, "naive", 2e8));

  /** The same takes 0.78 ms. */
  private static final NominalRates GPU =
      new NominalRates(2.4e12, Map.of("tensor", 5.3e12, "local", 2.3e11, "global", 6e9));

  /** The pairs per second of an unknown method, relative to transform operations. */
  private static final double UNKNOWN_METHOD = 0.02;

  /** The big-integer additions per second of MacWilliams' identity of pairs. */
  private static final double IDENTITY_ADDITIONS = 2e7;

  /** Returns the rates of an engine. Engines together are as fast as their GPU. */
  static NominalRates of(Engine engine) {
    return engine.kind() == EngineKind.CPU ? CORE : GPU;
  }

  /** Returns the expected seconds of a plan. */
  double seconds(JointPlan plan) {
    return switch (plan) {
      case TransformPlan _, OversizedPlan _ -> operations(plan) / transformOperations;
      case PairPlan pairPlan -> operations(plan) / pairs(pairPlan.kernel());
      case DualPlan dual -> seconds(dual.ofDual()) + dual.extraSeconds();
    };
  }

  /** Returns the operations of a plan, which are the same on every engine. */
  static double operations(JointPlan plan) {
    return switch (plan) {
      case TransformPlan transform -> transform.prediction().operations();
      case OversizedPlan oversized -> oversized.prediction().operations();
      case PairPlan pairPlan -> pairPlan.prediction().operations();
      case DualPlan dual -> operations(dual.ofDual());
    };
  }

  /** Returns the pairs per second of a method. */
  double pairs(String method) {
    return pairs.getOrDefault(method, UNKNOWN_METHOD * transformOperations);
  }

  /** Returns the seconds of MacWilliams' identity of pairs, which needs about n^4 additions. */
  static double identitySeconds(int length) {
    return Math.pow(length, 4) / IDENTITY_ADDITIONS;
  }
}
