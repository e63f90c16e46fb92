package io.fieldstone.bench.measure;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/** Fills memory with random bytes. */
public final class RandomBytes {

  private static final int CHUNK_BYTES = 1 << 16;

  private RandomBytes() {}

  /** Fills memory; the same seed gives the same bytes. */
  public static void fill(MemorySegment memory, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] chunk = new byte[(int) Math.min(memory.byteSize(), CHUNK_BYTES)];
    for (long at = 0; at < memory.byteSize(); at += chunk.length) {
      random.nextBytes(chunk);
      int length = (int) Math.min(chunk.length, memory.byteSize() - at);
      MemorySegment.copy(chunk, 0, memory, ValueLayout.JAVA_BYTE, at, length);
    }
  }
}
