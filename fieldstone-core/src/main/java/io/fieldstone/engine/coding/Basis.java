package io.fieldstone.engine.coding;

import java.lang.foreign.MemorySegment;

/**
 * Coding vectors received so far, reduced as they arrive (in-place Gauss–Jordan elimination).
 *
 * <p>Each innovative vector gets a <em>slot</em>: the pivot column it supplied, 0 ≤ slot &lt;
 * columns. The owner stores the block that came with it under the same number. When source block s
 * is solved, {@link #solution} gives it as a combination of the received blocks by slot, so source
 * = Σ solution[j]·received[j]. At full rank the n solutions together are the inverse of the
 * coefficient matrix whose row j is the vector received into slot j.
 *
 * <p>For one thread at a time.
 */
public interface Basis extends AutoCloseable {

  /** What {@link #add} returns for a vector that adds nothing. */
  int NOT_INNOVATIVE = -1;

  /** Length n of the vectors. */
  int columns();

  /** How many independent vectors have been added. */
  int rank();

  /**
   * Adds a vector.
   *
   * @param vector {@code columns()} coefficients; shorter vectors are as if followed by zeros
   * @return the slot of the vector, or {@link #NOT_INNOVATIVE} if it is a combination of those
   *     already held, which are then unchanged
   * @throws IllegalArgumentException if the vector is longer than {@code columns()}
   */
  int add(MemorySegment vector);

  /** Whether {@link #add} would accept the vector; changes nothing. */
  boolean isInnovative(MemorySegment vector);

  /** Whether slot {@code slot} has been filled. */
  boolean isFilled(int slot);

  /** Whether source block {@code source} follows from what has been added. */
  boolean isSolved(int source);

  /** How many source blocks are solved; {@code columns()} at full rank. */
  int solved();

  /**
   * Writes source block {@code source} as a combination of received blocks: {@code columns()}
   * coefficients by slot, zero at slots that are not filled.
   *
   * @throws IllegalStateException if the block is not solved yet
   */
  void solution(int source, MemorySegment destination);

  /** Forgets all vectors, for reuse. */
  void clear();

  /** Frees the memory. Idempotent. */
  @Override
  void close();
}
