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

/** Decodes compressed keys on the engine's CPU threads. Thread-safe. */
public final class DeltaDecoder implements AutoCloseable {

  /** Blocks that a thread decodes between two fences. */
  private static final long BATCH_BLOCKS = 32;

  /**
   * Bytes of keys that a thread decodes per nanosecond: 9 to 15 on the hosts of H200s, 8 to 10
   * beside a busy bus. The estimate is high, because {@link
   * io.fieldstone.cuda.sorting.DownloadPolicy} assumes that later buckets are not compressed.
   */
  private static final double THREAD_BYTES_PER_NS = 13;

  /** Maximum wait for the next bucket. */
  private static final long SPIN_NS = 2_000_000;

  private static final int UNCOMPRESSED = -1;

  /** A buffer of one decoded block per thread, which stays in the core's first-level cache. */
  private static final ThreadLocal<MemorySegment> BLOCK_BUFFER =
      ThreadLocal.withInitial(
          () -> Arena.ofAuto().allocate(DeltaKernel.BLOCK_BYTES, DeltaKernel.BLOCK_BYTES));

  private final PhaseListener phases;
  private final int threadCount;
  private final TaskPool pool;
  private final Tiered<DeltaKernel> kernels = DeltaTrial.tiered();
  private final AtomicLong backlogBytes = new AtomicLong();

  /** Creates a decoder with three quarters of the engine's threads. */
  public DeltaDecoder(EngineOptions options) {
    this.phases = options.phases();
    // More threads do not increase memory bandwidth, and delay the thread that serves the GPU.
    this.threadCount = Math.max(1, options.threads() * 3 / 4);
    this.pool = new TaskPool("fieldstone-cuda", threadCount, SPIN_NS);
  }

  /** Returns the bytes of keys that are {@link #submit submitted} and not decoded. */
  public long backlogBytes() {
    return backlogBytes.get();
  }

  /** Returns the estimated rate of all threads together, in bytes of keys per nanosecond. */
  public double bytesPerNs() {
    return threadCount * THREAD_BYTES_PER_NS;
  }

  /** Keys that are being decoded. */
  public interface Pending {
    /** Signals that the compressed keys have been downloaded. */
    void signalArrival();

    /** Whether decoding has ended. */
    boolean isDone();

    /** Decodes on the calling thread too, and returns when all keys are decoded. */
    void await();

    /** Stops decoding, and returns when no thread accesses the memory any more. */
    void abandon();
  }

  /**
   * Submits keys, which are decoded once they have been downloaded.
   *
   * @param hasArrived whether directory and rows have been downloaded; called by any thread
   * @param keyBytes of a key: 4 or 8
   * @param directory as {@code sort_pack} writes it
   * @param rows compressed keys, followed by two rows of any content
   * @param skippedKeys unused places at the start of the first block
   * @param to receives the keys; heap or native memory
   */
  public Pending submit(
      BooleanSupplier hasArrived,
      KeyCode code,
      int keyBytes,
      MemorySegment directory,
      MemorySegment rows,
      int skippedKeys,
      MemorySegment to) {
    backlogBytes.addAndGet(to.byteSize());
    Work work = new Work(hasArrived, code, keyBytes, directory, rows, skippedKeys, to);
    for (int i = 0; i < threadCount; i++) {
      pool.execute(work);
    }
    return work;
  }

  @Override
  public void close() {
    kernels.close();
    pool.close();
  }

  /** Decodes blocks on several threads; each takes the next batch until all are taken. */
  private final class Work implements Runnable, Pending {
    private final BooleanSupplier hasArrived;
    private final AtomicBoolean isPolled = new AtomicBoolean();
    private final DeltaKernel kernel;
    private final boolean isWide;
    private final KeyCode code;
    private final MemorySegment directory;
    private final long rows;
    private final long skippedBytes;
    private final MemorySegment to;

    /** Whether whole blocks are decoded to the target without a buffer. */
    private final boolean isDirect;

    private final long blocks;
    private volatile boolean hasSeenArrival;
    private volatile long startNs;
    private final AtomicLong nextBlock = new AtomicLong();
    private final AtomicLong blocksLeft;
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Work(
        BooleanSupplier hasArrived,
        KeyCode code,
        int keyBytes,
        MemorySegment directory,
        MemorySegment rows,
        int skippedKeys,
        MemorySegment to) {
      this.hasArrived = hasArrived;
      this.isWide = keyBytes == Long.BYTES;
      this.code = code;
      this.directory = directory;
      this.rows = rows.address();
      this.skippedBytes = (long) skippedKeys * keyBytes;
      this.to = to;
      boolean isAligned =
          to.isNative() && (to.address() - skippedBytes) % DeltaKernel.ROW_BYTES == 0;
      Optional<NonTemporalDeltaKernel> direct =
          isAligned ? NonTemporalDeltaKernel.find() : Optional.empty();
      this.isDirect = direct.isPresent();
      this.kernel = isDirect ? direct.get() : kernels.current((double) to.byteSize() / keyBytes);
      this.blocks = Math.ceilDiv(skippedBytes + to.byteSize(), DeltaKernel.BLOCK_BYTES);
      this.blocksLeft = new AtomicLong(blocks);
    }

    @Override
    public void signalArrival() {
      if (!hasSeenArrival) {
        startNs = System.nanoTime();
        hasSeenArrival = true;
      }
    }

    @Override
    public void run() {
      long first = nextBlock.getAndAdd(BATCH_BLOCKS);
      if (first >= blocks) {
        return;
      }
      awaitArrival();
      MemorySegment buffer = BLOCK_BUFFER.get();
      while (first < blocks) {
        long end = Math.min(first + BATCH_BLOCKS, blocks);
        decode(first, end, buffer);
        if (blocksLeft.addAndGet(first - end) == 0) {
          finish();
        }
        first = nextBlock.getAndAdd(BATCH_BLOCKS);
      }
    }

    /** Waits for the download. One thread at a time polls it; the others read the result. */
    private void awaitArrival() {
      while (!hasSeenArrival) {
        if (!isPolled.get() && isPolled.compareAndSet(false, true)) {
          poll();
        }
        SpinThenPark.pause();
      }
    }

    private void poll() {
      try {
        if (hasArrived.getAsBoolean()) {
          signalArrival();
        }
      } catch (RuntimeException | Error e) {
        failure.compareAndSet(null, e);
        signalArrival();
      } finally {
        isPolled.set(false);
      }
    }

    private void decode(long first, long end, MemorySegment buffer) {
      try {
        for (long block = first; block < end && failure.get() == null; block++) {
          decodeBlock(block, buffer);
        }
        NonTemporalCopy.find().ifPresent(NonTemporalCopy::fence);
      } catch (RuntimeException | Error e) {
        failure.compareAndSet(null, e);
      }
    }

    private void decodeBlock(long block, MemorySegment buffer) {
      long at = block * DeltaKernel.BLOCK_BYTES - skippedBytes;
      boolean isWhole = at >= 0 && at + DeltaKernel.BLOCK_BYTES <= to.byteSize();
      if (isWhole && isDirect) {
        decodeBlock(block, to.address() + at);
      } else {
        decodeBlock(block, buffer.address());
        copyBlock(buffer, at);
      }
    }

    private void copyBlock(MemorySegment buffer, long blockOffset) {
      long at = Math.max(0, blockOffset);
      long bytes = Math.min(blockOffset + DeltaKernel.BLOCK_BYTES, to.byteSize()) - at;
      Optional<NonTemporalCopy> nonTemporal = NonTemporalCopy.find();
      if (to.isNative() && nonTemporal.isPresent()) {
        nonTemporal.get().copy(buffer.address() + at - blockOffset, to.address() + at, bytes);
      } else {
        MemorySegment.copy(buffer, at - blockOffset, to, at, bytes);
      }
    }

    private void finish() {
      backlogBytes.addAndGet(-to.byteSize());
      if (!phases.equals(PhaseListener.NONE)) {
        phases.onPhase(new Phase("cpu", "decode", startNs, System.nanoTime(), to.byteSize()));
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
      signalArrival();
      runAndAwait();
    }

    private void runAndAwait() {
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
      runAndAwait();
      switch (failure.get()) {
        case null -> {}
        case Error error -> throw error;
        case RuntimeException exception -> throw exception;
        case Throwable other -> throw new IllegalStateException(other);
      }
    }

    private void decodeBlock(long block, long keys) {
      long from = rows + (long) directory.getAtIndex(JAVA_INT, 2 * block) * DeltaKernel.ROW_BYTES;
      int width = directory.getAtIndex(JAVA_INT, 2 * block + 1);
      if (width == UNCOMPRESSED) {
        MemorySegment.copy(
            DeltaKernel.MEMORY, from, DeltaKernel.MEMORY, keys, DeltaKernel.BLOCK_BYTES);
      } else if (isWide) {
        kernel.decodeLongs(from, width, code, keys);
      } else {
        kernel.decodeInts(from, width, code, keys);
      }
    }
  }
}
