package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.HostMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Host memory in pieces of one size. Several pieces share an allocation: freeing one stops every
 * thread of the process, which takes milliseconds on a busy host. For one thread at a time.
 */
final class MemoryPieces implements AutoCloseable {

  /** The bytes up to which pieces share an allocation. */
  private static final long MAX_SHARED_BYTES = 1 << 20;

  /** The alignment of pieces in bytes: a cache line. */
  private static final long ALIGNMENT = 64;

  private final Engine engine;
  private final long pieceBytes;
  private final long stride;
  private final long maxAhead;
  private final List<HostMemory> allocations = new ArrayList<>();
  private final Deque<MemorySegment> free = new ArrayDeque<>();
  private long pieces;

  /**
   * Creates an instance without memory.
   *
   * @param maxAhead the number of pieces beyond which each is allocated when it is needed
   */
  MemoryPieces(Engine engine, long pieceBytes, long maxAhead) {
    this.engine = engine;
    this.pieceBytes = pieceBytes;
    this.stride = (pieceBytes + ALIGNMENT - 1) & -ALIGNMENT;
    this.maxAhead = maxAhead;
  }

  /** Returns a piece of undefined content. */
  MemorySegment take() {
    MemorySegment piece = free.pollLast();
    if (piece != null) {
      return piece;
    }
    allocate(nextPieces());
    return free.removeLast();
  }

  /** Returns the pieces of the next allocation: as many as there are, so that few are allocated. */
  private long nextPieces() {
    long most = Math.min(MAX_SHARED_BYTES / stride, maxAhead - pieces);
    return Math.max(1, Math.min(pieces, most));
  }

  private void allocate(long count) {
    HostMemory memory = engine.allocateHost((count - 1) * stride + pieceBytes);
    allocations.add(memory);
    pieces += count;
    for (long i = count - 1; i >= 0; i--) {
      free.addLast(memory.segment().asSlice(i * stride, pieceBytes));
    }
  }

  /** Takes a piece back. */
  void giveBack(MemorySegment piece) {
    free.addLast(piece);
  }

  /** Returns the bytes of all pieces. */
  long bytes() {
    return pieces * pieceBytes;
  }

  /** Frees the memory of all pieces. */
  @Override
  public void close() {
    free.clear();
    allocations.forEach(HostMemory::close);
    allocations.clear();
    pieces = 0;
  }
}
