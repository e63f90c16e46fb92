package io.fieldstone.cpu;

import io.fieldstone.cpu.ScratchPool.Scratch;

/**
 * What sorting needs besides the records: a workbench for each thread, and memory for copies of
 * many items. Kept between calls, because memory that is touched for the first time costs more than
 * sorting in it. Thread-safe.
 */
final class SortMemory implements AutoCloseable {

  private final ScratchPool benches = new ScratchPool();
  private final ScratchPool copies = new ScratchPool();
  private volatile boolean closed;

  /** A workbench of any content. */
  Workbench takeBench() {
    requireOpen();
    return new Workbench(benches.take(Workbench.BYTES));
  }

  /** Memory for so many bytes of items. */
  Scratch take(long bytes) {
    requireOpen();
    return copies.take(bytes);
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
    private static final long BYTES = BLOCK_BYTES + 2 * RUN_BYTES;

    private final Scratch scratch;

    Workbench(Scratch scratch) {
      this.scratch = scratch;
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
      return run() + RUN_BYTES;
    }

    @Override
    public void close() {
      scratch.close();
    }
  }
}
