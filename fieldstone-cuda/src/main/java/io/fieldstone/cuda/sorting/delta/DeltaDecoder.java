package io.fieldstone.cuda.sorting.delta;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.concurrent.SpinThenPark;
import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.concurrent.Tiered;
import io.fieldstone.cuda.sorting.delta.DeltaKernel.KeyCode;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.memory.PhaseListener;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks keys by all cores that the engine may use, beside whoever gives the GPU work.
 * Thread-safe.
 */
public final class DeltaDecoder implements AutoCloseable {

  /** Blocks that a thread takes at a time; after them it waits for its stores. */
  private static final long BLOCKS_AT_ONCE = 32;

  /**
   * Bytes of keys that a thread unpacks in a nanosecond: 9 to 15 on the hosts of H200s, 8 to 10
   * beside a busy bus. Many, because {@link io.fieldstone.cuda.sorting.DownloadPolicy} takes for
   * granted that later keys do not come packed.
   */
  private static final double THREAD_SPEED = 13;

  /** From one bucket to the next, or from {@link #wake} to the first. */
  private static final long SPIN_NS = 2_000_000;

  private static final int PLAIN = -1;

  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /**
   * Of a thread, for as long as it lives: where a block is unpacked, in a core's nearest cache,
   * before it goes to memory.
   */
  private static final ThreadLocal<MemorySegment> BETWEEN =
      ThreadLocal.withInitial(
          () -> Arena.ofAuto().allocate(DeltaKernel.BLOCK_BYTES, DeltaKernel.BLOCK_BYTES));

  private final PhaseListener phases;
  private final int count;
  private final TaskPool threads;
  private final Tiered<DeltaKernel> kernels = DeltaTrial.tiered();
  private final AtomicLong backlog = new AtomicLong();

  public DeltaDecoder(EngineOptions options) {
    this.phases = options.phases();
    // More would not make memory faster, and hold up whoever gives the GPU work.
    this.count = Math.max(1, options.threads() * 3 / 4);
    this.threads = new TaskPool("fieldstone-cuda", count, SPIN_NS);
  }

  /** Bytes of keys that have been {@link #begin begun} and are not unpacked yet. */
  public long backlog() {
    return backlog.get();
  }

  /** Bytes of keys that all threads together unpack in a nanosecond. */
  public double speed() {
    return count * THREAD_SPEED;
  }

  /** Has all threads awake: packed keys will come in a millisecond or two. */
  public void wake() {
    threads.wakeAll();
  }

  /** Keys that are being unpacked. */
  public interface Pending {
    /** Says that the packed keys are there, for whoever has not seen it. */
    void arrived();

    /** Whether no thread has anything left to do. */
    boolean isDone();

    /** Helps, and returns when they are where they belong. They have to arrive. */
    void await();

    /** Returns when no thread is at them any more, wherever they are. */
    void abandon();
  }

  /**
   * Begins to unpack keys, as soon as they are there.
   *
   * @param hasArrived whether directory and rows are there; asked by any thread
   * @param keyBytes of a key: 4 or 8
   * @param directory as {@code sort_pack} writes it
   * @param rows and two rows more, of any content
   * @param before keys of the first block that are left out
   * @param to where the others belong, of any kind
   */
  public Pending begin(
      BooleanSupplier hasArrived,
      KeyCode code,
      int keyBytes,
      MemorySegment directory,
      MemorySegment rows,
      int before,
      MemorySegment to) {
    backlog.addAndGet(to.byteSize());
    Work work = new Work(hasArrived, code, keyBytes, directory, rows, before, to);
    for (int i = 0; i < count; i++) {
      threads.execute(work);
    }
    return work;
  }

  @Override
  public void close() {
    kernels.close();
    threads.close();
  }

  /** Blocks, of which each thread takes some until there are none. */
  private final class Work implements Runnable, Pending {
    private final BooleanSupplier hasArrived;
    private final AtomicBoolean isWatched = new AtomicBoolean();
    private final DeltaKernel unpacking;
    private final boolean isWide;
    private final KeyCode code;
    private final MemorySegment directory;
    private final long rows;
    private final long bytesBefore;
    private final MemorySegment to;

    /** Whether whole blocks can be unpacked to where they belong. */
    private final boolean isOfLines;

    private final long blocks;
    private volatile boolean isThere;
    private volatile long startNs;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong left;
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Work(
        BooleanSupplier hasArrived,
        KeyCode code,
        int keyBytes,
        MemorySegment directory,
        MemorySegment rows,
        int before,
        MemorySegment to) {
      this.hasArrived = hasArrived;
      this.isWide = keyBytes == Long.BYTES;
      this.code = code;
      this.directory = directory;
      this.rows = rows.address();
      this.bytesBefore = (long) before * keyBytes;
      this.to = to;
      boolean isAligned =
          to.isNative() && (to.address() - bytesBefore) % DeltaKernel.ROW_BYTES == 0;
      Optional<Avx512DeltaKernel> toLines = isAligned ? Avx512DeltaKernel.find() : Optional.empty();
      this.isOfLines = toLines.isPresent();
      this.unpacking =
          isOfLines ? toLines.get() : kernels.current((double) to.byteSize() / keyBytes);
      this.blocks = Math.ceilDiv(bytesBefore + to.byteSize(), DeltaKernel.BLOCK_BYTES);
      this.left = new AtomicLong(blocks);
    }

    @Override
    public void arrived() {
      if (!isThere) {
        startNs = System.nanoTime();
        isThere = true;
      }
    }

    @Override
    public void run() {
      long first = taken.getAndAdd(BLOCKS_AT_ONCE);
      if (first >= blocks) {
        return;
      }
      awaitArrival();
      MemorySegment between = BETWEEN.get();
      while (first < blocks) {
        long end = Math.min(first + BLOCKS_AT_ONCE, blocks);
        unpack(first, end, between);
        if (left.addAndGet(first - end) == 0) {
          finish();
        }
        first = taken.getAndAdd(BLOCKS_AT_ONCE);
      }
    }

    /** One thread looks, the others look at what it has seen. */
    private void awaitArrival() {
      while (!isThere) {
        if (!isWatched.get() && isWatched.compareAndSet(false, true)) {
          look();
        }
        SpinThenPark.pause();
      }
    }

    private void look() {
      try {
        if (hasArrived.getAsBoolean()) {
          arrived();
        }
      } catch (RuntimeException | Error e) {
        failure.compareAndSet(null, e);
        arrived();
      } finally {
        isWatched.set(false);
      }
    }

    private void unpack(long first, long end, MemorySegment between) {
      try {
        for (long block = first; block < end && failure.get() == null; block++) {
          bringHome(block, between);
        }
        NonTemporalCopy.find().ifPresent(NonTemporalCopy::fence);
      } catch (RuntimeException | Error e) {
        failure.compareAndSet(null, e);
      }
    }

    private void bringHome(long block, MemorySegment between) {
      long at = block * DeltaKernel.BLOCK_BYTES - bytesBefore;
      boolean isWhole = at >= 0 && at + DeltaKernel.BLOCK_BYTES <= to.byteSize();
      if (isWhole && isOfLines) {
        unpackBlock(block, to.address() + at);
      } else {
        unpackBlock(block, between.address());
        deliver(between, at);
      }
    }

    private void deliver(MemorySegment between, long blockAt) {
      long at = Math.max(0, blockAt);
      long bytes = Math.min(blockAt + DeltaKernel.BLOCK_BYTES, to.byteSize()) - at;
      Optional<NonTemporalCopy> nonTemporal = NonTemporalCopy.find();
      if (to.isNative() && nonTemporal.isPresent()) {
        nonTemporal.get().copy(between.address() + at - blockAt, to.address() + at, bytes);
      } else {
        MemorySegment.copy(between, at - blockAt, to, at, bytes);
      }
    }

    private void finish() {
      backlog.addAndGet(-to.byteSize());
      if (!phases.equals(PhaseListener.NONE)) {
        phases.spent(new Phase("cpu", "decode", startNs, System.nanoTime(), to.byteSize()));
      }
      done.countDown();
    }

    @Override
    public boolean isDone() {
      return done.getCount() == 0;
    }

    @Override
    public void abandon() {
      failure.compareAndSet(null, new CancellationException());
      arrived();
      help();
    }

    private void help() {
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
    }

    @Override
    public void await() {
      help();
      switch (failure.get()) {
        case null -> {}
        case Error error -> throw error;
        case RuntimeException exception -> throw exception;
        case Throwable other -> throw new IllegalStateException(other);
      }
    }

    private void unpackBlock(long block, long keys) {
      long from = rows + (long) directory.getAtIndex(JAVA_INT, 2 * block) * DeltaKernel.ROW_BYTES;
      int width = directory.getAtIndex(JAVA_INT, 2 * block + 1);
      if (width == PLAIN) {
        MemorySegment.copy(ALL, from, ALL, keys, DeltaKernel.BLOCK_BYTES);
      } else if (isWide) {
        unpacking.unpackLongs(from, width, code, keys);
      } else {
        unpacking.unpackInts(from, width, code, keys);
      }
    }
  }
}
