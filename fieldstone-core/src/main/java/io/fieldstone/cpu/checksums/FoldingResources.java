package io.fieldstone.cpu.checksums;

import io.fieldstone.concurrent.Tiered;
import io.fieldstone.cpu.execution.ScratchPool;
import io.fieldstone.cpu.execution.ScratchPool.Scratch;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.util.List;
import jdk.incubator.vector.ByteVector;

/**
 * What the folding kernels of one engine share: memory to work in, and the wait for the compiler,
 * which compiles the same loops for all of them. Thread-safe.
 */
final class FoldingResources implements AutoCloseable {

  /** Bytes that tables divide before a thread is started, which takes half a millisecond. */
  private static final double THREAD_THRESHOLD = 1 << 20;

  /** Compiled, folding is six times faster than tables or more. */
  private static final int MIN_SPEEDUP = 2;

  /** How a message is divided. */
  private enum Way {
    TABLES,
    FOLDING
  }

  private final ScratchPool scratchPool = new ScratchPool();
  private final Tiered<Way> ways =
      new Tiered<>("tables", Way.TABLES, Way.FOLDING, MIN_SPEEDUP, THREAD_THRESHOLD, Trial::new);

  /** Whether vectors here are as long as the tables of folding. */
  static boolean vectorsAreLong() {
    return ByteVector.SPECIES_PREFERRED.length() == LaneFold.V;
  }

  /** Memory to work in, on a cache line. */
  Scratch take(long bytes) {
    return scratchPool.take(bytes);
  }

  /** Whether folding so many bytes is faster than tables now. */
  boolean isCompiledFor(long bytes) {
    return vectorsAreLong() && ways.current((double) bytes) == Way.FOLDING;
  }

  /** Starts to wait for the compiler, if vectors are long enough. */
  void startWarmUp() {
    if (vectorsAreLong()) {
      ways.start();
    }
  }

  /** Returns when it is known whether folding will be used. */
  void awaitCompiled() {
    if (vectorsAreLong()) {
      ways.awaitCompiled();
    }
  }

  @Override
  public void close() {
    ways.close();
    scratchPool.close();
  }

  /** Messages of divisors that have different loops. */
  private final class Trial implements Tiered.Trial<Way> {

    private static final int BYTES = 16 << 10;

    private final byte[] message = new byte[BYTES];

    private final List<FoldingKernel> kernels =
        List.of(
            new FoldingKernel(
                new Divisor(Gf2Modulus.of(32, 0x04C11DB7), true), FoldingResources.this),
            new FoldingKernel(
                new Divisor(Gf2Modulus.of(64, 0x42F0E1EBA9EA3693L), true), FoldingResources.this));

    @Override
    public void callLoops(Way way) {
      kernels.forEach(FoldingKernel::callLoops);
    }

    @Override
    public void run(Way way) {
      for (FoldingKernel kernel : kernels) {
        switch (way) {
          case TABLES -> kernel.tables().append(0, message, 0, BYTES);
          case FOLDING -> kernel.fold(0, message, 0, BYTES);
        }
      }
    }
  }
}
