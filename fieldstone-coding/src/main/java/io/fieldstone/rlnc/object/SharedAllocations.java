package io.fieldstone.rlnc.object;

import io.fieldstone.engine.memory.HostMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.function.LongFunction;

/**
 * Host memory of many sizes, of which equal small ones share allocations: freeing an allocation
 * stops every thread of the process, which takes milliseconds on a busy host. An allocation is
 * freed with the last memory in it. For one thread at a time.
 */
final class SharedAllocations {

  /** The bytes up to which memory shares an allocation. */
  static final long MAX_SHARED_BYTES = 1 << 20;

  /** The alignment in bytes: a cache line. */
  private static final long ALIGNMENT = 64;

  private final LongFunction<HostMemory> allocator;
  private final long maxSharedBytes;
  private final Map<Long, OfSize> sizes = new HashMap<>();
  private long bytes;

  /** The memory of one size: how much is in use, and the allocations with some that is free. */
  private static final class OfSize {
    final SequencedSet<Allocation> free = new LinkedHashSet<>();
    long used;
  }

  /** An allocation, and its memory that is free. */
  private final class Allocation {
    final HostMemory memory;
    final long size;
    final Deque<MemorySegment> free = new ArrayDeque<>();
    long used;

    Allocation(long size, long count) {
      this.size = size;
      memory = allocator.apply((count - 1) * stride(size) + size);
      for (long i = count - 1; i >= 0; i--) {
        free.addLast(memory.segment().asSlice(i * stride(size), size));
      }
      bytes += memory.segment().byteSize();
    }
  }

  /** A part of an allocation. */
  private final class Part implements HostMemory {
    private final Allocation allocation;
    private final MemorySegment segment;
    private boolean isClosed;

    Part(Allocation allocation) {
      this.allocation = allocation;
      this.segment = allocation.free.removeLast();
    }

    @Override
    public MemorySegment segment() {
      return segment;
    }

    @Override
    public void close() {
      if (!isClosed) {
        isClosed = true;
        giveBack(allocation, segment);
      }
    }
  }

  /**
   * Creates an instance without memory.
   *
   * @param allocator allocates host memory of some bytes
   * @param maxSharedBytes the bytes up to which memory shares an allocation
   */
  SharedAllocations(LongFunction<HostMemory> allocator, long maxSharedBytes) {
    this.allocator = allocator;
    this.maxSharedBytes = maxSharedBytes;
  }

  private static long stride(long size) {
    return Math.max((size + ALIGNMENT - 1) & -ALIGNMENT, ALIGNMENT);
  }

  /** Returns the bytes of all allocations. */
  long bytes() {
    return bytes;
  }

  /** Returns true if memory of a size is there, so that nothing need be allocated for it. */
  boolean isFree(long size) {
    OfSize known = sizes.get(size);
    return known != null && !known.free.isEmpty();
  }

  /**
   * Returns memory of exactly a size.
   *
   * @param moreBytes the bytes that may be allocated; less than the size counts as the size
   */
  HostMemory allocate(long size, long moreBytes) {
    OfSize same = sizes.computeIfAbsent(size, _ -> new OfSize());
    if (same.free.isEmpty()) {
      // As many as are in use, so that few are allocated.
      long most = Math.min(Math.min(maxSharedBytes, moreBytes) / stride(size), same.used);
      same.free.add(new Allocation(size, Math.max(1, most)));
    }
    Allocation allocation = same.free.getFirst();
    Part part = new Part(allocation);
    allocation.used++;
    same.used++;
    if (allocation.free.isEmpty()) {
      same.free.remove(allocation);
    }
    return part;
  }

  private void giveBack(Allocation allocation, MemorySegment segment) {
    OfSize same = sizes.get(allocation.size);
    if (same == null) {
      throw new IllegalStateException("memory of %d bytes is unknown".formatted(allocation.size));
    }
    same.used--;
    allocation.used--;
    allocation.free.addLast(segment);
    same.free.add(allocation);
    if (allocation.used == 0) {
      same.free.remove(allocation);
      bytes -= allocation.memory.segment().byteSize();
      allocation.memory.close();
    }
    if (same.used == 0) {
      sizes.remove(allocation.size);
    }
  }
}
