package io.fieldstone.cpu.checksums;

import io.fieldstone.concurrent.Tiered;
import io.fieldstone.cpu.execution.ScratchPool;
import io.fieldstone.cpu.execution.ScratchPool.Scratch;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.util.List;
import jdk.incubator.vector.ByteVector;

/**
 * Resources that the folding kernels of an engine share: working memory, and the warm-up of their
 * common loops. Thread-safe.
 */
final class FoldingResources implements AutoCloseable {

  /**
   * Bytes divided by tables before the warm-up thread starts: 1.5 GiB. The warm-up takes one to two
   * seconds of a core, in which tables divide about as many bytes.
   */
  private static final double THREAD_THRESHOLD = 3L << 29;

  /** Minimum speed relative to tables; compiled, folding reaches 6 or more. */
  private static final int MIN_SPEEDUP = 2;

  /** How a message is divided. */
  private enum Way {
    TABLES,
    FOLDING
  }

  private final ScratchPool scratchPool = new ScratchPool();
  private final Tiered<Way> ways =
      new Tiered<>("tables", Way.TABLES, Way.FOLDING, MIN_SPEEDUP, THREAD_THRESHOLD, Trial::new);

  /** Returns whether vectors are as long as the tables of folding. */
  static boolean vectorsAreLong() {
    return ByteVector.SPECIES_PREFERRED.length() == LaneFold.V;
  }

  /** Returns working memory, aligned to a cache line. */
  Scratch take(long bytes) {
    return scratchPool.take(bytes);
  }

  /** Returns whether folding is faster than tables now. */
  boolean isCompiledFor(long bytes) {
    return vectorsAreLong() && ways.current((double) bytes) == Way.FOLDING;
  }

  /** Starts the warm-up, if vectors are long enough. */
  void startWarmUp() {
    if (vectorsAreLong()) {
      ways.start();
    }
  }

  /** Waits until it is decided whether folding will be used. */
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

  /** Folds messages by divisors that use different loops. */
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
