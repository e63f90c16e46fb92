package io.fieldstone.cpu;

import io.fieldstone.field.Gf256;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;

/**
 * Multiplies by tables until the vector kernel has been compiled.
 *
 * <p>Until then, for about a second, vector code is interpreted and a thousand times slower than it
 * will be. A thread of its own runs it on small products until it beats the tables clearly, and
 * from then on it does the work. If it never does (the CPU lacks an instruction that it lives on),
 * the tables stay and a warning says so.
 */
final class WarmStart implements ProductKernel {

  /** How much faster than tables the vector kernel must be; compiled, it is 30 times or more. */
  private static final int CLEARLY = 4;

  private static final int ROUNDS_IN_A_ROW = 3;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

  private final ProductKernel tables;
  private final ProductKernel vectors;
  private final Thread warmUp;
  private volatile ProductKernel current;

  WarmStart(Gf256 field) {
    tables = new LogDomainKernel(field);
    vectors = new VectorKernel(field);
    current = tables;
    warmUp = Thread.ofPlatform().daemon().name("fieldstone-warm-up").start(this::warmUp);
  }

  @Override
  public void multiply(
      int m,
      int n,
      int columns,
      Rows coefficients,
      Rows sources,
      Rows products,
      boolean accumulate) {
    current.multiply(m, n, columns, coefficients, sources, products, accumulate);
  }

  @Override
  public void awaitFullSpeed() {
    boolean interrupted = false;
    while (warmUp.isAlive()) {
      try {
        warmUp.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void warmUp() {
    Trial trial = new Trial();
    long start = System.nanoTime();
    int won = 0;
    while (won < ROUNDS_IN_A_ROW && System.nanoTime() - start < PATIENCE_NS) {
      won = trial.nanoseconds(vectors) * CLEARLY < trial.nanoseconds(tables) ? won + 1 : 0;
    }
    if (won == ROUNDS_IN_A_ROW) {
      current = vectors;
    } else {
      System.getLogger(WarmStart.class.getName())
          .log(Level.WARNING, "vectors are slower than tables on this machine; using tables");
    }
  }

  /** A product that passes through every loop of the vector kernel. */
  private static final class Trial {

    private static final int M = 9;
    private static final int N = 24;
    private static final int COLUMNS = 3 * 256 + 100;

    private final MemorySegment memory = Arena.ofAuto().allocate((long) (M + N) * COLUMNS + M * N);
    private final Rows sources = Rows.of(memory, 0, COLUMNS);
    private final Rows products = sources.from(N, 0);
    private final Rows coefficients = new Rows(products.at(M), N);

    Trial() {
      for (long at = 0; at < memory.byteSize(); at++) {
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) (at * 167 >> 3));
      }
    }

    long nanoseconds(ProductKernel kernel) {
      long start = System.nanoTime();
      kernel.multiply(M, N, COLUMNS, coefficients, sources, products, false);
      kernel.multiply(M, N, COLUMNS, coefficients, sources, products, true);
      return System.nanoTime() - start;
    }
  }
}
