package io.fieldstone.spark.coding;

import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.file.PositionedInput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Reads consecutive generations of a file, again and again; once if they fit in a call. */
final class GenerationReader {

  /** Takes some generations. */
  interface Sink {
    /** Takes whole generations, or the last bytes of the file, in memory valid during the call. */
    void take(MemorySegment bytes, long firstGeneration) throws IOException;
  }

  private final PositionedInput in;
  private final long begin;
  private final long length;
  private final long generationBytes;
  private final long maxBytes;
  private final MemorySegment memory;
  private boolean isHeld;

  /**
   * Creates a reader.
   *
   * @param begin the first byte of the first generation
   * @param length the bytes of all generations
   * @param maxBytes the maximum of a call, a multiple of the bytes of a generation
   * @param memory allocates the memory
   */
  GenerationReader(
      PositionedInput in,
      long begin,
      long length,
      long generationBytes,
      long maxBytes,
      NativeMemory memory)
      throws IOException {
    this.in = in;
    this.begin = begin;
    this.length = length;
    this.generationBytes = generationBytes;
    this.maxBytes = maxBytes;
    this.memory = memory.allocate(Math.min(length, maxBytes));
  }

  /** Reads all generations. */
  void read(Sink sink) throws IOException {
    for (long from = 0; from < length; from += maxBytes) {
      MemorySegment next = memory.asSlice(0, Math.min(maxBytes, length - from));
      if (!isHeld) {
        in.readFully(next, begin + from);
      }
      isHeld = length <= maxBytes;
      sink.take(next, (begin + from) / generationBytes);
    }
  }
}
