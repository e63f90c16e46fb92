package io.fieldstone.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Memory of one call, with margins that nobody should write. It is native, or, where the call wants
 * so, on the heap. Thread-safe.
 */
final class DisturbedMemory implements AutoCloseable {

  private static final long MARGIN_BYTES = 4096;
  private static final byte MARGIN = 0x5A;
  private static final long ALIGNMENT = 64;

  private final Arena arena = Arena.ofShared();
  private final boolean isMapped;
  private final List<MemorySegment> segments = new CopyOnWriteArrayList<>();
  private final List<MemorySegment> margins = new ArrayList<>();

  private DisturbedMemory(boolean isMapped) {
    this.isMapped = isMapped;
  }

  /** Memory as it is usually allocated. */
  static DisturbedMemory plain() {
    return new DisturbedMemory(false);
  }

  /** Memory that is gone as soon as it is closed: who touches it then ends the process. */
  static DisturbedMemory mapped() {
    return new DisturbedMemory(true);
  }

  /** Native memory of random content, any alignment now and then. */
  MemorySegment take(long bytes, SplittableRandom random) {
    long all = bytes + 2 * MARGIN_BYTES + ALIGNMENT;
    MemorySegment whole = isMapped ? map(all) : arena.allocate(all, ALIGNMENT);
    long from = MARGIN_BYTES + (random.nextBoolean() ? 0 : random.nextInt((int) ALIGNMENT));
    margins.add(whole.asSlice(0, from).fill(MARGIN));
    margins.add(whole.asSlice(from + bytes).fill(MARGIN));
    return fill(whole.asSlice(from, bytes), random);
  }

  private MemorySegment map(long bytes) {
    try {
      Path file = Files.createTempFile("fieldstone-", ".tmp");
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        return channel.map(MapMode.READ_WRITE, 0, bytes, arena);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An array, as memory of random content. */
  MemorySegment take(int[] array, SplittableRandom random) {
    return fill(MemorySegment.ofArray(array), random);
  }

  /** An array, as memory of random content. */
  MemorySegment take(long[] array, SplittableRandom random) {
    return fill(MemorySegment.ofArray(array), random);
  }

  /** An array that is disturbed, and keeps its content until then. */
  void add(MemorySegment array) {
    segments.add(array);
  }

  private MemorySegment fill(MemorySegment memory, SplittableRandom random) {
    byte[] noise = new byte[(int) Math.min(1 << 16, memory.byteSize())];
    random.nextBytes(noise);
    for (long at = 0; at < memory.byteSize(); at += noise.length) {
      long some = Math.min(noise.length, memory.byteSize() - at);
      MemorySegment.copy(MemorySegment.ofArray(noise), 0, memory, at, some);
    }
    segments.add(memory);
    return memory;
  }

  /** What is disturbed. */
  List<MemorySegment> segments() {
    return segments;
  }

  /** Closes it, unless a call keeps it open; whether it is closed now. */
  boolean tryClose() {
    try {
      arena.close();
      return true;
    } catch (IllegalStateException kept) {
      return !arena.scope().isAlive();
    }
  }

  /**
   * Checks what is beside the memory, unless it has been closed.
   *
   * @throws IllegalStateException if somebody has written there
   */
  void requireMarginsIntact() {
    if (arena.scope().isAlive()) {
      for (MemorySegment margin : margins) {
        MemorySegment expected =
            MemorySegment.ofArray(new byte[(int) margin.byteSize()]).fill(MARGIN);
        long at = margin.mismatch(expected);
        if (at >= 0) {
          throw new IllegalStateException("a call wrote beside its memory, at byte " + at);
        }
      }
    }
  }

  @Override
  public void close() {
    tryClose();
  }
}
