package io.fieldstone.engine.coding;

import java.lang.foreign.MemorySegment;

/**
 * Forward substitution of one lower-triangular system while it arrives (HPDS, Sec. 3.3, Eq. 1): one
 * coded frame in, one source frame out, at once. Frames that are solved stay on the engine.
 *
 * <p>For one thread at a time.
 */
public interface Substitution extends AutoCloseable {

  /** Frames n of the system. */
  int frames();

  /** Bytes k of a frame. */
  int frameSize();

  /** How many frames are solved: the number s of the next one. */
  int solved();

  /**
   * Solves frame s = {@link #solved()}.
   *
   * @param vector coefficients e_0 … e_s, e_s ≠ 0; whatever follows them, up to n, is ignored
   * @param payload coded frame s, k bytes
   * @param block receives source frame s, k bytes; may be the payload's memory
   * @throws IllegalArgumentException if a size is wrong or e_s is zero; then nothing has changed
   * @throws IllegalStateException if all n frames are solved
   */
  void next(MemorySegment vector, MemorySegment payload, MemorySegment block);

  /** Forgets all frames, for reuse. */
  void clear();

  /** Frees the memory. Idempotent. */
  @Override
  void close();

  /**
   * Substitution by one product a frame, over frames that are resident: for engines that have
   * nothing faster.
   *
   * @param frames one matrix of n rows of k bytes on the engine; the substitution frees it
   */
  static Substitution byProducts(ResidentBlocks frames) {
    return new ProductSubstitution(frames);
  }
}
