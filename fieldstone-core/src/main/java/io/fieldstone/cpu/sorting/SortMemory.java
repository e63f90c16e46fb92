package io.fieldstone.cpu.sorting;

import io.fieldstone.cpu.execution.ScratchPool;
import io.fieldstone.cpu.execution.ScratchPool.Scratch;

/**
 * What sorting needs besides the records: a workbench for each thread, and memory for copies of
 * many items. Kept between calls, because memory that is touched for the first time costs more than
 * sorting in it. Thread-safe.
 */
public final class SortMemory implements AutoCloseable {

  /** Under a limit, a piece may have one such part more bytes than are asked for. */
  private static final int SPARE_PART = 8;

  private final ScratchPool benches = new ScratchPool();
  private final ScratchPool copies = new ScratchPool();
  private volatile boolean closed;

  /**
   * A workbench of any content.
   *
   * @param runBytes as of {@link Workbench#runBytes}
   * @param limit of all memory here; what is idle is freed rather than that there is more
   */
  Workbench takeBench(long runBytes, long limit) {
    requireOpen();
    return new Workbench(take(benches, Workbench.bytes(runBytes), limit), runBytes);
  }

  /**
   * Memory for so many bytes of items.
   *
   * @param limit of all memory here; what is idle is freed rather than that there is more
   */
  Scratch take(long bytes, long limit) {
    requireOpen();
    return take(copies, bytes, limit);
  }

  private Scratch take(ScratchPool pool, long bytes, long limit) {
    return limit == Long.MAX_VALUE
        ? pool.take(bytes)
        : pool.takeSmallest(bytes, pieceBytes(bytes), () -> trim(limit - bytes));
  }

  /** The most bytes of a piece that is taken for so many bytes under a limit. */
  static long pieceBytes(long bytes) {
    return bytes + bytes / SPARE_PART;
  }

  /** Frees what is idle, if there are more bytes than so many. */
  void trim(long limit) {
    if (bytes() > limit) {
      benches.freeIdle();
      copies.freeIdle();
    }
  }

  /** Bytes of all memory, in use and idle. */
  public long bytes() {
    return benches.bytes() + copies.bytes();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the engine is closed");
    }
  }

  @Override
  public void close() {
    closed = true;
    benches.close();
    copies.close();
  }

  /** What one thread sorts on. */
  static final class Workbench implements AutoCloseable {

    /**
     * Bytes of items that are sorted in one go: with as much memory again, more than the
     * second-level cache of a core and less than its share of the third.
     */
    static final long RUN_BYTES = 1 << 21;

    /** Items that are loaded at once, and then read from the first-level cache. */
    static final int BLOCK_ITEMS = 1 << 10;

    private static final long BLOCK_BYTES = BLOCK_ITEMS * 2L * Long.BYTES;

    private final Scratch scratch;
    private final long runBytes;

    Workbench(Scratch scratch, long runBytes) {
      this.scratch = scratch;
      this.runBytes = runBytes;
    }

    /** Bytes of the longest run of a part of items of so many bytes. */
    static long runBytes(long itemBytes) {
      return Math.min(RUN_BYTES, itemBytes);
    }

    static long bytes(long runBytes) {
      return BLOCK_BYTES + 2 * runBytes;
    }

    /** Room for a block. */
    long block() {
      return scratch.segment().address();
    }

    /** Room for a run. */
    long run() {
      return block() + BLOCK_BYTES;
    }

    /** Room for another. */
    long otherRun() {
      return run() + runBytes;
    }

    @Override
    public void close() {
      scratch.close();
    }
  }
}
