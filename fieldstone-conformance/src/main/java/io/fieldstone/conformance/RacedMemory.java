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
 * The memory of one call, native or on the heap. Native memory has margins that detect writes out
 * of bounds. Thread-safe.
 */
final class RacedMemory implements AutoCloseable {

  private static final long MARGIN_BYTES = 4096;
  private static final byte MARGIN = 0x5A;
  private static final long ALIGNMENT = 64;

  private final Arena arena = Arena.ofShared();
  private final boolean isMapped;
  private final List<MemorySegment> segments = new CopyOnWriteArrayList<>();
  private final List<MemorySegment> margins = new ArrayList<>();

  private RacedMemory(boolean isMapped) {
    this.isMapped = isMapped;
  }

  /** Returns memory from the ordinary allocator. */
  static RacedMemory plain() {
    return new RacedMemory(false);
  }

  /** Returns memory that is unmapped when closed, so that a later access crashes the process. */
  static RacedMemory mapped() {
    return new RacedMemory(true);
  }

  /** Allocates native memory with random content, sometimes unaligned. */
  MemorySegment allocate(long bytes, SplittableRandom random) {
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

  /** Adds an array and fills it with random content. */
  MemorySegment allocate(int[] array, SplittableRandom random) {
    return fill(MemorySegment.ofArray(array), random);
  }

  /** Adds an array and fills it with random content. */
  MemorySegment allocate(long[] array, SplittableRandom random) {
    return fill(MemorySegment.ofArray(array), random);
  }

  /** Adds an array with its content. */
  void add(MemorySegment array) {
    segments.add(array);
  }

  private MemorySegment fill(MemorySegment memory, SplittableRandom random) {
    byte[] noise = new byte[(int) Math.min(1 << 16, memory.byteSize())];
    random.nextBytes(noise);
    for (long at = 0; at < memory.byteSize(); at += noise.length) {
      long bytes = Math.min(noise.length, memory.byteSize() - at);
      MemorySegment.copy(MemorySegment.ofArray(noise), 0, memory, at, bytes);
    }
    segments.add(memory);
    return memory;
  }

  /** Returns the memory that another thread writes or closes. */
  List<MemorySegment> segments() {
    return segments;
  }

  /** Closes the memory unless a call keeps it open; returns whether it is closed. */
  boolean tryClose() {
    try {
      arena.close();
      return true;
    } catch (IllegalStateException kept) {
      return !arena.scope().isAlive();
    }
  }

  /**
   * Checks the margins of the memory unless it is closed.
   *
   * @throws IllegalStateException if a margin has been overwritten
   */
  void requireMarginsIntact() {
    if (arena.scope().isAlive()) {
      for (MemorySegment margin : margins) {
        MemorySegment expected =
            MemorySegment.ofArray(new byte[(int) margin.byteSize()]).fill(MARGIN);
        long at = margin.mismatch(expected);
        if (at >= 0) {
          throw new IllegalStateException("a call wrote outside its memory, at margin byte " + at);
        }
      }
    }
  }

  @Override
  public void close() {
    tryClose();
  }
}
