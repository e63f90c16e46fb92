package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.cuda.UnpackKernel.KeyCode;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.Phase;
import io.fieldstone.engine.PhaseListener;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/** Unpacks keys by all cores that the engine may use. Thread-safe. */
final class Unpacker implements AutoCloseable {

  /** Blocks that a core takes at a time: a hundred kilobytes or so. */
  private static final long BLOCKS_AT_ONCE = 32;

  private static final int PLAIN = -1;

  /** What a core unpacks before anything has been measured: some GB/s. */
  private static final double CORE_RATE = 4e9;

  /** Of the rate so far, what counts beside the last one. */
  private static final double MEMORY = 0.75;

  /** What is less is no measurement. */
  private static final long MEASURED_BYTES = 1 << 20;

  private static final double NS = 1e-9;

  private final PhaseListener phases;
  private final PatientThreads threads;
  private final UnpackWarmStart kernel = new UnpackWarmStart();
  private volatile double bytesPerSecond;
  private volatile boolean isMeasuredFast;

  Unpacker(EngineOptions options) {
    this.phases = options.phases();
    this.threads = new PatientThreads(options.threads());
    this.bytesPerSecond = options.threads() * CORE_RATE;
  }

  /** Bytes of keys that all cores together make in a second, as far as is known. */
  double bytesPerSecond() {
    return bytesPerSecond;
  }

  /**
   * Unpacks keys.
   *
   * @param directory as {@code sort_pack} writes it
   * @param rows and two rows more, of any content
   * @param keys that there are
   * @param to where they belong, of any kind
   */
  void unpack(
      SortLayout layout, MemorySegment directory, MemorySegment rows, long keys, MemorySegment to) {
    long start = System.nanoTime();
    UnpackKernel now = kernel.now(keys);
    Work work = new Work(now, layout, directory, rows, keys * layout.itemBytes(), to);
    threads.run(Math.ceilDiv(work.blocks(), BLOCKS_AT_ONCE), work);
    tell(start, System.nanoTime(), to.byteSize(), now.equals(kernel.fast()));
  }

  private void tell(long start, long end, long bytes, boolean isFast) {
    if (bytes >= MEASURED_BYTES) {
      double rate = bytes / (Math.max(1, end - start) * NS);
      // What was measured before the compiler was done says nothing about what comes.
      boolean isFirst = isFast && !isMeasuredFast;
      bytesPerSecond = isFirst ? rate : MEMORY * bytesPerSecond + (1 - MEMORY) * rate;
      isMeasuredFast |= isFast;
    }
    if (!phases.equals(PhaseListener.NONE)) {
      phases.spent(new Phase("cpu", "decode", start, end, bytes));
    }
  }

  @Override
  public void close() {
    kernel.close();
    threads.close();
  }

  /** Blocks, of which each thread takes some until there are none. */
  private static final class Work implements Runnable {
    private final UnpackKernel kernel;
    private final boolean isWide;
    private final KeyCode code;
    private final MemorySegment directory;
    private final long rows;
    private final long bytes;
    private final MemorySegment to;
    private final AtomicLong taken = new AtomicLong();

    Work(
        UnpackKernel kernel,
        SortLayout layout,
        MemorySegment directory,
        MemorySegment rows,
        long bytes,
        MemorySegment to) {
      this.kernel = kernel;
      this.isWide = layout.itemBytes() == Long.BYTES;
      this.code = KeyCode.of(layout);
      this.directory = directory;
      this.rows = rows.address();
      this.bytes = bytes;
      this.to = to;
    }

    long blocks() {
      return Math.ceilDiv(bytes, SortKernels.BLOCK_BYTES);
    }

    @Override
    public void run() {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment between = arena.allocate(SortKernels.BLOCK_BYTES, SortKernels.ROW_BYTES);
        long first = taken.getAndAdd(BLOCKS_AT_ONCE);
        while (first < blocks()) {
          long end = Math.min(first + BLOCKS_AT_ONCE, blocks());
          for (long block = first; block < end; block++) {
            unpack(block, between);
          }
          first = taken.getAndAdd(BLOCKS_AT_ONCE);
        }
      }
    }

    /** Whole blocks go where they belong if kernels can write there, others by way of memory. */
    private void unpack(long block, MemorySegment between) {
      long at = block * SortKernels.BLOCK_BYTES;
      long some = Math.min(SortKernels.BLOCK_BYTES, bytes - at);
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
        long block64 = SortKernels.BLOCK_BYTES;
        MemorySegment.ofAddress(keys)
            .reinterpret(block64)
            .copyFrom(MemorySegment.ofAddress(from).reinterpret(block64));
      } else if (isWide) {
        kernel.unpackLongs(from, width, code, keys);
      } else {
        kernel.unpackInts(from, width, code, keys);
      }
    }
  }
}
