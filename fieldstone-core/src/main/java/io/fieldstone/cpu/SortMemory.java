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

  /** Memory for so many bytes of items, and a word more. */
  Scratch take(long bytes) {
    requireOpen();
    return copies.take(bytes + Long.BYTES);
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
     * Bytes of items that are sorted in cache: two of these are the second-level cache of a core.
     */
    static final long RUN_BYTES = 1 << 19;

    /** Items that are loaded at once, to be dealt out from the first-level cache. */
    static final int BLOCK_ITEMS = 1 << 10;

    /** Values of the largest digit that items are dealt out by. */
    static final int MOST_VALUES = 1 << 10;

    /** Between pieces, so that words may be written beyond the last item. */
    private static final long SLACK = NativeRows.ALIGNMENT;

    private static final long BLOCK_BYTES = BLOCK_ITEMS * 2L * Long.BYTES;
    private static final long BUFFERS_BYTES = DigitBuffers.room(MOST_VALUES);

    private static final long BYTES =
        DigitBuffers.BUFFER_BYTES + BUFFERS_BYTES + BLOCK_BYTES + 2 * RUN_BYTES + 3 * SLACK;

    private final Scratch scratch;
    private final long buffers;

    Workbench(Scratch scratch) {
      this.scratch = scratch;
      this.buffers =
          (scratch.segment().address() + DigitBuffers.OFFSET_MASK) & ~DigitBuffers.OFFSET_MASK;
    }

    /** Room for buffers of {@link #MOST_VALUES} values. */
    long buffers() {
      return buffers;
    }

    /** Room for a block. */
    long block() {
      return buffers + BUFFERS_BYTES;
    }

    /** Room for a run. */
    long run() {
      return block() + BLOCK_BYTES + SLACK;
    }

    /** Room for another. */
    long otherRun() {
      return run() + RUN_BYTES + SLACK;
    }

    @Override
    public void close() {
      scratch.close();
    }
  }
}
