package io.fieldstone.cpu.sorting;

import io.fieldstone.cpu.execution.ScratchPool;
import io.fieldstone.cpu.execution.ScratchPool.Scratch;

/**
 * The working memory of sorting: a workbench for each thread, and buffers for copies of items. It
 * is kept between calls, because the first access to new memory costs more than sorting in it.
 * Thread-safe.
 */
public final class SortMemory implements AutoCloseable {

  /**
   * Sizes of buffers between two powers of two, under a limit. So a buffer is used again for
   * similar numbers of items, and exceeds the requested size by at most 1/8.
   */
  private static final int SIZES = 8;

  private final ScratchPool workbenches = new ScratchPool();
  private final ScratchPool copies = new ScratchPool();
  private volatile boolean closed;

  /**
   * Returns a workbench of undefined content.
   *
   * @param runBytes bytes of a run, see {@link Workbench#runBytes}
   * @param limit maximum bytes of all memory in this object; idle memory is freed to keep to it
   */
  Workbench takeWorkbench(long runBytes, long limit) {
    requireOpen();
    return new Workbench(take(workbenches, Workbench.bytes(runBytes), limit), runBytes);
  }

  /**
   * Returns a buffer for items.
   *
   * @param limit maximum bytes of all memory in this object; idle memory is freed to keep to it
   */
  Scratch take(long bytes, long limit) {
    requireOpen();
    return take(copies, limit == Long.MAX_VALUE ? bytes : pieceBytes(bytes), limit);
  }

  private Scratch take(ScratchPool pool, long bytes, long limit) {
    return limit == Long.MAX_VALUE
        ? pool.take(bytes)
        : pool.takeSmallest(bytes, bytes, () -> trim(limit - bytes));
  }

  /** Returns the size of a buffer that is used for {@code bytes} bytes under a limit. */
  static long pieceBytes(long bytes) {
    long step = Math.max(1, Long.highestOneBit(bytes) / SIZES);
    return Math.ceilDiv(bytes, step) * step;
  }

  /** Frees idle memory if all memory exceeds a limit. */
  void trim(long limit) {
    if (bytes() > limit) {
      workbenches.freeIdle();
      copies.freeIdle();
    }
  }

  /** Returns the bytes of all memory, in use and idle. */
  public long bytes() {
    return workbenches.bytes() + copies.bytes();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the engine is closed");
    }
  }

  @Override
  public void close() {
    closed = true;
    workbenches.close();
    copies.close();
  }

  /** The working memory of one thread. */
  static final class Workbench implements AutoCloseable {

    /**
     * Bytes of items that are sorted in cache. Two such runs exceed the second-level cache of a
     * core and fit into its share of the third. A little more than 2 MiB, so that random keys of
     * 2^n bytes have buckets that fit.
     */
    static final long RUN_BYTES = (2 << 20) + (64 << 10);

    /** Items that are loaded together and then read from the first-level cache. */
    static final int BLOCK_ITEMS = 1 << 10;

    private static final long BLOCK_BYTES = BLOCK_ITEMS * 2L * Long.BYTES;

    private final Scratch scratch;
    private final long runBytes;

    Workbench(Scratch scratch, long runBytes) {
      this.scratch = scratch;
      this.runBytes = runBytes;
    }

    /** Returns the bytes of the longest run of items of {@code itemBytes} bytes in total. */
    static long runBytes(long itemBytes) {
      return Math.min(RUN_BYTES, pieceBytes(itemBytes));
    }

    static long bytes(long runBytes) {
      return BLOCK_BYTES + 2 * runBytes;
    }

    /** Returns the address of the memory for a block. */
    long block() {
      return scratch.segment().address();
    }

    /**
     * Returns the address of memory for {@code items} items. It is that of the run if it has more
     * than {@link #BLOCK_ITEMS}, and then holds at most the items of a run.
     */
    long block(int items) {
      return items > BLOCK_ITEMS ? run() : block();
    }

    /** Returns the address of the memory for a run. */
    long run() {
      return block() + BLOCK_BYTES;
    }

    /** Returns the address of the memory for a second run. */
    long otherRun() {
      return run() + runBytes;
    }

    @Override
    public void close() {
      scratch.close();
    }
  }
}
