package io.fieldstone.engine.coding;

import java.lang.foreign.MemorySegment;

/**
 * A basis of the coding vectors received so far, reduced as they arrive (in-place Gauss–Jordan
 * elimination).
 *
 * <p>Each innovative vector occupies a <em>slot</em>, the number of its pivot column, 0 ≤ slot &lt;
 * columns. The owner stores the block received with the vector under the same number. For a solved
 * source block s, {@link #solution} returns its combination of received blocks by slot: source = Σ
 * solution[j]·received[j]. At full rank, the n solutions form the inverse of the coefficient matrix
 * whose row j is the vector received into slot j.
 *
 * <p>For one thread at a time.
 */
public interface Basis extends AutoCloseable {

  /** The result of {@link #add} for a vector that is not innovative. */
  int NOT_INNOVATIVE = -1;

  /** Returns the length n of the vectors. */
  int columns();

  /** Returns the number of independent vectors added. */
  int rank();

  /**
   * Adds a vector.
   *
   * @param vector {@code columns()} coefficients; a shorter vector is extended with zeros
   * @return the slot of the vector, or {@link #NOT_INNOVATIVE} if it is a combination of the
   *     vectors held, which are then unchanged
   * @throws IllegalArgumentException if the vector is longer than {@code columns()}
   */
  int add(MemorySegment vector);

  /** Returns true if {@link #add} would accept the vector; changes no state. */
  boolean isInnovative(MemorySegment vector);

  /** Returns true if slot {@code slot} is filled. */
  boolean isFilled(int slot);

  /** Returns true if source block {@code source} is determined by the vectors added. */
  boolean isSolved(int source);

  /** Returns the number of solved source blocks; {@code columns()} at full rank. */
  int solved();

  /**
   * Writes source block {@code source} as a combination of received blocks: {@code columns()}
   * coefficients by slot, zero at empty slots.
   *
   * @throws IllegalStateException if the block is not solved yet
   */
  void solution(int source, MemorySegment destination);

  /** Removes all vectors, for reuse. */
  void clear();

  /** Frees the memory. Idempotent. */
  @Override
  void close();
}
