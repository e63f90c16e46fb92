package io.fieldstone.engine.coding;

import java.lang.foreign.MemorySegment;

/**
 * Forward substitution of one lower-triangular system (HPDS, Section 3.3, Equation 1): each coded
 * frame that arrives yields one source frame. Solved frames stay on the engine.
 *
 * <p>For one thread at a time.
 */
public interface Substitution extends AutoCloseable {

  /** Returns the number of frames n of the system. */
  int frames();

  /** Returns the bytes k of a frame. */
  int frameSize();

  /** Returns the number of solved frames, which is the number of the next frame. */
  int solved();

  /**
   * Solves frame s = {@link #solved()}.
   *
   * @param vector coefficients e_0 … e_s, e_s ≠ 0; further coefficients, up to n in all, are
   *     ignored
   * @param payload coded frame s, k bytes
   * @param block receives source frame s, k bytes; may be the memory of the payload
   * @throws IllegalArgumentException if a size is wrong or e_s is zero; the system is then
   *     unchanged
   * @throws IllegalStateException if all n frames are solved
   */
  void next(MemorySegment vector, MemorySegment payload, MemorySegment block);

  /** Removes all frames, for reuse. */
  void clear();

  /** Frees the memory. Idempotent. */
  @Override
  void close();

  /**
   * Creates a substitution that computes each frame with one product over resident frames. Engines
   * without a faster implementation use it.
   *
   * @param frames one matrix of n rows of k bytes; the substitution closes it
   */
  static Substitution byProducts(ResidentBlocks frames) {
    return new ProductSubstitution(frames);
  }
}
