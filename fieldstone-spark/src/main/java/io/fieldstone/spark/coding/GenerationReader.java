package io.fieldstone.spark.coding;

import io.fieldstone.spark.storage.HadoopInput;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Reads consecutive generations of a file, again and again; from memory if they fit. */
final class GenerationReader {

  /** Takes some generations. */
  interface Sink {
    /** Takes whole generations, or the last bytes of the file, in memory valid during the call. */
    void take(MemorySegment bytes, long firstGeneration) throws IOException;
  }

  private final HadoopInput in;
  private final long begin;
  private final long length;
  private final long generationBytes;
  private final MemorySegment memory;
  private boolean isHeld;

  /**
   * Creates a reader.
   *
   * @param begin the first byte of the first generation
   * @param length the bytes of all generations
   * @param bytes the bytes of memory to take, if the generations have more
   */
  GenerationReader(
      HadoopInput in, long begin, long length, long generationBytes, long bytes, Arena arena) {
    this.in = in;
    this.begin = begin;
    this.length = length;
    this.generationBytes = generationBytes;
    long generations = Math.max(1, bytes / generationBytes);
    this.memory = arena.allocate(Math.min(generations * generationBytes, length));
  }

  /**
   * Reads all generations.
   *
   * @param maxBytes the maximum of a call, a multiple of the bytes of a generation
   */
  void read(long maxBytes, Sink sink) throws IOException {
    for (long from = 0; from < length; from += memory.byteSize()) {
      MemorySegment held = memory.asSlice(0, Math.min(memory.byteSize(), length - from));
      if (!isHeld) {
        in.readFully(held, begin + from);
      }
      isHeld = memory.byteSize() == length;
      for (long at = 0; at < held.byteSize(); at += maxBytes) {
        MemorySegment next = held.asSlice(at, Math.min(maxBytes, held.byteSize() - at));
        sink.take(next, (begin + from + at) / generationBytes);
      }
    }
  }
}
