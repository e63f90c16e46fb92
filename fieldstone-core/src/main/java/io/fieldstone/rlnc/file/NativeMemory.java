package io.fieldstone.rlnc.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The buffers of one job, outside the heap, freed together. */
final class NativeMemory implements AutoCloseable {

  /** Cache lines, and the width of the widest vectors. */
  private static final int ALIGNMENT = 64;

  /**
   * Bytes at which the L1 data cache wraps around: rows that far apart all compete for one of its
   * sets.
   */
  private static final int ALIASING = 4096;

  private final Arena arena = Arena.ofShared();

  /**
   * Zeroed bytes.
   *
   * @throws IOException if there is no such memory; a shape can ask for too much
   */
  MemorySegment allocate(long bytes) throws IOException {
    try {
      return arena.allocate(bytes, ALIGNMENT);
    } catch (OutOfMemoryError e) {
      throw new IOException(
          "no %d bytes of native memory for generations of this size: %s (-XX:MaxDirectMemorySize)"
              .formatted(bytes, e.getMessage()),
          e);
    }
  }

  /** A stride for rows of {@code columns} bytes that keeps them aligned and out of one cache set. */
  static long stride(int columns) {
    if (columns < ALIGNMENT) {
      return columns;
    }
    long aligned = (columns + ALIGNMENT - 1L) & -ALIGNMENT;
    return aligned % ALIASING == 0 ? aligned + ALIGNMENT : aligned;
  }

  @Override
  public void close() {
    arena.close();
  }
}
