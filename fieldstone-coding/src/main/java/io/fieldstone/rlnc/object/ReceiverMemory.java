package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.HostMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Memory that receivers of many small objects take over from each other: freeing memory stops every
 * thread of the process for a moment. Give it to {@link ObjectReceiver.Builder#memory}.
 *
 * <p>Thread-safe. Close it after the receivers, and before the engine.
 */
public final class ReceiverMemory implements AutoCloseable {

  /** The bytes up to which memory is kept; larger memory is freed at once. */
  private static final long MAX_BYTES = 1 << 20;

  private final Engine engine;
  private final long maxIdleBytes;
  private final Map<Long, Deque<HostMemory>> idle = new HashMap<>();
  private long idleBytes;
  private boolean isClosed;

  /**
   * Creates an instance that keeps no memory yet.
   *
   * @param engine allocates; the caller owns it
   * @param maxIdleBytes the maximum bytes that no receiver uses, at least 0
   */
  public ReceiverMemory(Engine engine, long maxIdleBytes) {
    engine.requireOpen();
    if (maxIdleBytes < 0) {
      throw new IllegalArgumentException("maxIdleBytes " + maxIdleBytes + " is less than 0");
    }
    this.engine = engine;
    this.maxIdleBytes = maxIdleBytes;
  }

  /** Returns memory of exactly a size, whose bytes are undefined. */
  HostMemory allocate(long bytes) {
    if (bytes > MAX_BYTES) {
      return engine.allocateHost(bytes);
    }
    long size = Math.max(64, Long.highestOneBit(Math.max(1, bytes - 1)) << 1);
    HostMemory kept = take(size);
    return new Part(kept == null ? engine.allocateHost(size) : kept, bytes);
  }

  private synchronized @Nullable HostMemory take(long size) {
    Deque<HostMemory> same = idle.get(size);
    HostMemory kept = same == null ? null : same.pollLast();
    if (kept != null) {
      idleBytes -= size;
    }
    return kept;
  }

  private void giveBack(HostMemory memory) {
    long size = memory.segment().byteSize();
    synchronized (this) {
      if (!isClosed && idleBytes + size <= maxIdleBytes) {
        idleBytes += size;
        idle.computeIfAbsent(size, _ -> new ArrayDeque<>()).addLast(memory);
        return;
      }
    }
    memory.close();
  }

  /** The beginning of memory that is given back. */
  private final class Part implements HostMemory {
    private final HostMemory memory;
    private final MemorySegment segment;
    private boolean isGivenBack;

    Part(HostMemory memory, long bytes) {
      this.memory = memory;
      this.segment = memory.segment().asSlice(0, bytes);
    }

    @Override
    public MemorySegment segment() {
      return segment;
    }

    @Override
    public void close() {
      if (!isGivenBack) {
        isGivenBack = true;
        giveBack(memory);
      }
    }
  }

  /**
   * Frees the memory that no receiver uses; what is in use is freed by its receiver. Idempotent.
   */
  @Override
  public void close() {
    List<HostMemory> all = new ArrayList<>();
    synchronized (this) {
      isClosed = true;
      idle.values().forEach(all::addAll);
      idle.clear();
      idleBytes = 0;
    }
    all.forEach(HostMemory::close);
  }
}
