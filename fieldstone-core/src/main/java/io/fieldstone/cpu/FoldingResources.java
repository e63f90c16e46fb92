package io.fieldstone.cpu;

import io.fieldstone.cpu.ScratchPool.Scratch;
import io.fieldstone.engine.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import jdk.incubator.vector.ByteVector;
import org.jspecify.annotations.Nullable;

/**
 * What the folding kernels of one engine share: memory to work in, and the wait for the compiler,
 * which compiles the same loops for all of them. Thread-safe.
 */
final class FoldingResources implements AutoCloseable {

  /** Who divides less in all does so by tables, and no thread is started: half a millisecond. */
  private static final long WORTH_A_THREAD = 1 << 20;

  private final LongAdder missed = new LongAdder();
  private final ScratchPool scratchPool = new ScratchPool();

  /** Begun when it is worth it: to know the engine should start no thread. */
  private volatile @Nullable WarmUp warmUp;

  /** Whether vectors here are as long as the tables of folding. */
  static boolean vectorsAreLong() {
    return ByteVector.SPECIES_PREFERRED.length() == LaneFold.V;
  }

  /** Memory to work in, on a cache line. */
  Scratch take(long bytes) {
    return scratchPool.take(bytes);
  }

  /**
   * Whether folding is faster than tables by now. While it is not, the bytes that would have been
   * folded are counted, and enough of them begin the warm-up.
   */
  boolean isWarmFor(long bytes) {
    WarmUp begun = warmUp;
    if (begun != null) {
      return begun.isWon();
    }
    missed.add(bytes);
    if (missed.sum() >= WORTH_A_THREAD && vectorsAreLong()) {
      warmUp();
    }
    return false;
  }

  /** Begins to warm up, if nobody has. */
  synchronized WarmUp warmUp() {
    WarmUp begun = warmUp;
    if (begun == null) {
      begun = new WarmUp(Trial::new);
      warmUp = begun;
    }
    return begun;
  }

  @Override
  public synchronized void close() {
    WarmUp begun = warmUp;
    if (begun != null) {
      begun.close();
    }
    scratchPool.close();
  }

  /** Messages of divisors that have different loops. */
  private final class Trial implements WarmUp.Trial {

    /** Compiled, folding so many bytes is six times faster or more. */
    private static final int CLEARLY = 2;

    private static final int BYTES = 16 << 10;

    private final byte[] message = new byte[BYTES];

    private final List<FoldingKernel> kernels =
        List.of(
            new FoldingKernel(
                new Divisor(Gf2Modulus.of(32, 0x04C11DB7), true), FoldingResources.this),
            new FoldingKernel(
                new Divisor(Gf2Modulus.of(64, 0x42F0E1EBA9EA3693L), true), FoldingResources.this));

    @Override
    public void call() {
      kernels.forEach(FoldingKernel::callLoops);
    }

    @Override
    public boolean isWon() {
      return kernels.stream().allMatch(this::isWonBy);
    }

    private boolean isWonBy(FoldingKernel kernel) {
      long start = System.nanoTime();
      kernel.tables().append(0, message, 0, BYTES);
      long between = System.nanoTime();
      kernel.fold(0, message, 0, BYTES);
      return (System.nanoTime() - between) * CLEARLY < between - start;
    }
  }
}
