package io.fieldstone.engine.weights;

/**
 * A transform on an engine, whose slices are summed in any order, ascending ones soonest. For one
 * thread at a time.
 */
public interface TripleProducts extends AutoCloseable {

  /**
   * Adds for each triple a ≤ b ≤ c of positions in the list of weights: Σ multiplicity · Σ_s F_a(s)
   * F_b(s) F_c(s) over the slices {@code first} … {@code first + count − 1} and all s of each.
   *
   * @param sums of as many numbers as there are weights
   * @throws IndexOutOfBoundsException if there are not so many slices
   * @throws IllegalArgumentException if the sums are of another order
   */
  void add(int first, int count, TripleSums sums);

  /** Frees what the engine holds. Idempotent. */
  @Override
  void close();
}
