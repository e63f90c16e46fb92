package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.cuda.UnpackKernel.KeyCode;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.Phase;
import io.fieldstone.engine.PhaseListener;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks keys by all cores that the engine may use, beside whoever gives the GPU work.
 * Thread-safe.
 */
final class Unpacker implements AutoCloseable {

  /** Blocks that a core takes at a time: a hundred kilobytes or so. */
  private static final long BLOCKS_AT_ONCE = 32;

  private static final int PLAIN = -1;

  private final PhaseListener phases;
  private final PatientThreads threads;
  private final UnpackWarmStart kernel = new UnpackWarmStart();
  private final AtomicLong backlog = new AtomicLong();

  Unpacker(EngineOptions options) {
    this.phases = options.phases();
    // One core is left to whoever gives the GPU work.
    this.threads = new PatientThreads(Math.max(1, options.threads() - 1));
  }

  /** Bytes of keys that have been {@link #expect expected} and are not unpacked yet. */
  long backlog() {
    return backlog.get();
  }

  /** Says that so many bytes of keys will come to be unpacked. */
  void expect(long bytes) {
    backlog.addAndGet(bytes);
  }

  /** Says that they will not. */
  void forget(long bytes) {
    backlog.addAndGet(-bytes);
  }

  /** Keys that are being unpacked. */
  interface Pending {
    /** Helps, and returns when they are where they belong. */
    void await();
  }

  /**
   * Begins to unpack keys that were {@link #expect expected}.
   *
   * @param directory as {@code sort_pack} writes it
   * @param rows and two rows more, of any content
   * @param keys that there are
   * @param to where they belong, of any kind
   */
  Pending begin(
      SortLayout layout, MemorySegment directory, MemorySegment rows, long keys, MemorySegment to) {
    Work work = new Work(kernel.now(keys), layout, directory, rows, to);
    threads.begin(work);
    return work;
  }

  @Override
  public void close() {
    kernel.close();
    threads.close();
  }

  /** Blocks, of which each thread takes some until there are none. */
  private final class Work implements Runnable, Pending {
    private final UnpackKernel unpacking;
    private final boolean isWide;
    private final KeyCode code;
    private final MemorySegment directory;
    private final long rows;
    private final MemorySegment to;
    private final long blocks;
    private final long startNs = System.nanoTime();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong left;
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Work(
        UnpackKernel unpacking,
        SortLayout layout,
        MemorySegment directory,
        MemorySegment rows,
        MemorySegment to) {
      this.unpacking = unpacking;
      this.isWide = layout.itemBytes() == Long.BYTES;
      this.code = KeyCode.of(layout);
      this.directory = directory;
      this.rows = rows.address();
      this.to = to;
      this.blocks = Math.ceilDiv(to.byteSize(), SortKernels.BLOCK_BYTES);
      this.left = new AtomicLong(blocks);
    }

    @Override
    public void run() {
      long first = taken.getAndAdd(BLOCKS_AT_ONCE);
      if (first >= blocks) {
        return;
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment between = arena.allocate(SortKernels.BLOCK_BYTES, SortKernels.ROW_BYTES);
        while (first < blocks) {
          long end = Math.min(first + BLOCKS_AT_ONCE, blocks);
          unpack(first, end, between);
          if (left.addAndGet(first - end) == 0) {
            finish();
          }
          first = taken.getAndAdd(BLOCKS_AT_ONCE);
        }
      }
    }

    private void unpack(long first, long end, MemorySegment between) {
      try {
        for (long block = first; block < end && failure.get() == null; block++) {
          unpack(block, between);
        }
      } catch (RuntimeException | Error e) {
        failure.compareAndSet(null, e);
      }
    }

    private void finish() {
      forget(to.byteSize());
      if (!phases.equals(PhaseListener.NONE)) {
        phases.spent(new Phase("cpu", "decode", startNs, System.nanoTime(), to.byteSize()));
      }
      done.countDown();
    }

    @Override
    public void await() {
      run();
      boolean interrupted = false;
      while (true) {
        try {
          done.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      switch (failure.get()) {
        case null -> {}
        case Error error -> throw error;
        case RuntimeException exception -> throw exception;
        case Throwable other -> throw new IllegalStateException(other);
      }
    }

    /** Whole blocks go where they belong if kernels can write there, others by way of memory. */
    private void unpack(long block, MemorySegment between) {
      long at = block * SortKernels.BLOCK_BYTES;
      long some = Math.min(SortKernels.BLOCK_BYTES, to.byteSize() - at);
      boolean isDirect = to.isNative() && some == SortKernels.BLOCK_BYTES;
      unpackBlock(block, isDirect ? to.address() + at : between.address());
      if (!isDirect) {
        MemorySegment.copy(between, 0, to, at, some);
      }
    }

    private void unpackBlock(long block, long keys) {
      long from = rows + (long) directory.getAtIndex(JAVA_INT, 2 * block) * SortKernels.ROW_BYTES;
      int width = directory.getAtIndex(JAVA_INT, 2 * block + 1);
      if (width == PLAIN) {
        long bytes = SortKernels.BLOCK_BYTES;
        MemorySegment.ofAddress(keys)
            .reinterpret(bytes)
            .copyFrom(MemorySegment.ofAddress(from).reinterpret(bytes));
      } else if (isWide) {
        unpacking.unpackLongs(from, width, code, keys);
      } else {
        unpacking.unpackInts(from, width, code, keys);
      }
    }
  }
}
