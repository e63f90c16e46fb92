package io.fieldstone.engine.memory;

/** The port for bytes that stay on an engine, to be sorted or divided there. */
public interface ByteMemory {

  /**
   * Allocates zeroed engine memory for plain bytes.
   *
   * @param bytes the size, ≥ 0
   * @throws IllegalArgumentException if the size is negative
   */
  ResidentBytes allocate(long bytes);
}
