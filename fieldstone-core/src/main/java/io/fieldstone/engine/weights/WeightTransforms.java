package io.fieldstone.engine.weights;

/**
 * The port behind joint weight distributions without pairs. The number of pairs of words of weights
 * a and b whose sum has weight c is 2^−k Σ_s F_a(s) F_b(s) F_c(s) over all functionals s: the
 * indicators of the weights, convolved (the Walsh–Hadamard transform makes products of
 * convolutions). Work is t·k·2^k + 2^k·t³/6 for t weights, divided by the order of the symmetries,
 * where all pairs are 2^(2k). Thread-safe.
 */
public interface WeightTransforms {

  /**
   * Begins to sum slices.
   *
   * @param transform its memory may be freed afterwards
   * @return to be closed before the engine
   * @throws OutOfMemoryError if not even one slice has room, now or when slices are added
   */
  TripleProducts begin(TransformSlices transform);
}
