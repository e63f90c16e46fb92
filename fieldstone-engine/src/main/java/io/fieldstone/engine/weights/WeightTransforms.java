package io.fieldstone.engine.weights;

/**
 * The port that computes joint weight distributions without enumerating pairs. The number of pairs
 * of words of weights a and b whose sum has weight c is 2^−k Σ_s F_a(s) F_b(s) F_c(s) over all
 * functionals s. This is the convolution of the weight indicators, computed by Walsh–Hadamard
 * transforms. It takes t·k·2^k + 2^k·t³/6 operations for t weights, divided by the order of the
 * symmetries; all pairs take 2^(2k). Thread-safe.
 */
public interface WeightTransforms {

  /**
   * Prepares a transform whose slices are to be summed.
   *
   * @param transform the definition; its memory may be freed afterwards
   * @return the prepared transform, to be closed before the engine
   * @throws OutOfMemoryError if one slice does not fit in memory, here or when slices are added
   */
  TripleProducts open(TransformSlices transform);
}
