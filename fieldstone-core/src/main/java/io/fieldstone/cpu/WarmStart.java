package io.fieldstone.cpu;

import io.fieldstone.field.Gf256;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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

  /** Calls after which the JVM compiles a method for the first time, and a few more. */
  private static final int FIRST_CALLS = 250;

  /** After this long without success the tables may stay for good, and the user should know. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

  private final ProductKernel tables;
  private final ProductKernel vectors;

  /** Opens when it is known which of the two does the work. */
  private final CountDownLatch settled = new CountDownLatch(1);

  private volatile ProductKernel current;
  private volatile boolean closed;

  WarmStart(Gf256 field) {
    tables = new LogDomainKernel(field);
    vectors = new VectorKernel(field);
    current = tables;
    Thread.ofPlatform().daemon().name("fieldstone-warm-up").start(this::warmUp);
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
  public int columnMultiple() {
    return vectors.columnMultiple();
  }

  @Override
  public void awaitFullSpeed() {
    Workers.awaitDespiteInterrupts(settled);
  }

  @Override
  public void close() {
    closed = true;
  }

  private void warmUp() {
    try {
      Trial trial = new Trial();
      trial.callOften(vectors);
      long start = System.nanoTime();
      int won = 0;
      while (won < ROUNDS_IN_A_ROW && !closed) {
        won = trial.nanoseconds(vectors) * CLEARLY < trial.nanoseconds(tables) ? won + 1 : 0;
        if (System.nanoTime() - start > PATIENCE_NS) {
          loseHope();
        }
      }
      if (won == ROUNDS_IN_A_ROW) {
        current = vectors;
      }
    } finally {
      settled.countDown();
    }
  }

  /** Says so once, and lets nobody wait any longer; trials go on, a few in a while. */
  private void loseHope() {
    if (settled.getCount() > 0) {
      System.getLogger(WarmStart.class.getName())
          .log(Level.WARNING, "vectors are still slower than tables on this machine; using tables");
      settled.countDown();
    }
    LockSupport.parkNanos(PATIENCE_NS / 20);
  }

  /** Small products that together pass through every loop of the vector kernel. */
  private static final class Trial {

    private static final int ROWS = 4;
    private static final int SOURCES = 16;
    private static final int STRIP = VectorKernel.STRIP_COLUMNS;
    private static final int TAIL = STRIP / 4 + 1;

    private final MemorySegment memory =
        Arena.ofAuto().allocate((long) (ROWS + SOURCES) * STRIP + ROWS * SOURCES);
    private final Rows sources = Rows.of(memory, 0, STRIP);
    private final Rows products = sources.from(SOURCES, 0);
    private final Rows coefficients = new Rows(products.at(ROWS), SOURCES);

    Trial() {
      for (long at = 0; at < memory.byteSize(); at++) {
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) (at * 167 >> 3));
      }
    }

    /** With as little interpreted work as can be: one source, one loop at a time. */
    void callOften(ProductKernel kernel) {
      for (int i = 0; i < FIRST_CALLS; i++) {
        run(kernel, 1);
      }
    }

    long nanoseconds(ProductKernel kernel) {
      long start = System.nanoTime();
      run(kernel, SOURCES);
      return System.nanoTime() - start;
    }

    private void run(ProductKernel kernel, int n) {
      try {
        kernel.multiply(ROWS, n, STRIP, coefficients, sources, products, false);
        kernel.multiply(1, n, STRIP, coefficients, sources, products, false);
        kernel.multiply(ROWS, n, TAIL, coefficients, sources, products, true);
        kernel.multiply(1, n, TAIL, coefficients, sources, products, true);
      } finally {
        Reference.reachabilityFence(memory);
      }
    }
  }
}
