package io.fieldstone.engine.weights;

/**
 * A transform on an engine, whose slices are summed in any order; ascending order is fastest. For
 * one thread at a time.
 */
public interface TripleProducts extends AutoCloseable {

  /**
   * Adds, for each triple a ≤ b ≤ c of positions in the list of weights, Σ multiplicity · Σ_s
   * F_a(s) F_b(s) F_c(s) over the slices {@code first} … {@code first + count − 1} and all s of
   * each.
   *
   * @param sums sums whose order is the number of weights
   * @throws IndexOutOfBoundsException if the range exceeds the slices
   * @throws IllegalArgumentException if the sums have another order
   */
  void add(int first, int count, TripleSums sums);

  /** Frees the engine memory. Idempotent. */
  @Override
  void close();
}
