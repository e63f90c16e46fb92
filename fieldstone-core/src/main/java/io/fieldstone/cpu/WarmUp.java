package io.fieldstone.cpu;

import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Runs vector code until the JIT compiler has made vector instructions of it.
 *
 * <p>Until then, for about a second, vector code is interpreted and a thousand times slower than it
 * will be, and tables or the like do the work. A thread of its own runs it on small pieces of work
 * until it beats those clearly. If it never does (the CPU lacks an instruction that it lives on),
 * they stay and a warning says so.
 */
final class WarmUp implements AutoCloseable {

  private static final int ROUNDS_IN_A_ROW = 3;

  /** Calls after which the JVM compiles a method for the first time, and a few more. */
  private static final int FIRST_CALLS = 250;

  /** After this long without success the tables may stay for good, and the user should know. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

  /** Vector code beside what does the same without. */
  interface Trial {

    /** Passes through every loop of the vector code with as little work as can be. */
    void call();

    /** Does the same work in both ways; returns whether vectors were clearly faster. */
    boolean isWon();
  }

  /** Opens when it is known which of the two does the work. */
  private final CountDownLatch settled = new CountDownLatch(1);

  private volatile boolean won;
  private volatile boolean closed;

  /** What does the work until then, in words. */
  private final String standIn;

  /** Begins; tables do the work until it is done. */
  WarmUp(Supplier<Trial> trials) {
    this("tables", trials);
  }

  /**
   * Begins.
   *
   * @param standIn what does the work until it is done, in words
   * @param trials makes the trial, on the thread that runs it
   */
  WarmUp(String standIn, Supplier<Trial> trials) {
    this.standIn = standIn;
    Thread.ofPlatform().daemon().name("fieldstone-warm-up").start(() -> run(trials));
  }

  /** Whether vectors are faster by now. */
  boolean isWon() {
    return won;
  }

  /** Returns when it is known whether vectors will be faster. */
  void await() {
    Workers.awaitDespiteInterrupts(settled);
  }

  @Override
  public void close() {
    closed = true;
  }

  private void run(Supplier<Trial> trials) {
    try {
      Trial trial = trials.get();
      for (int i = 0; i < FIRST_CALLS && !closed; i++) {
        trial.call();
      }
      long start = System.nanoTime();
      int wins = 0;
      while (wins < ROUNDS_IN_A_ROW && !closed) {
        wins = trial.isWon() ? wins + 1 : 0;
        if (System.nanoTime() - start > PATIENCE_NS) {
          loseHope();
        }
      }
      won = wins == ROUNDS_IN_A_ROW;
    } finally {
      settled.countDown();
    }
  }

  /** Says so once, and lets nobody wait any longer; trials go on, a few in a while. */
  private void loseHope() {
    if (settled.getCount() > 0) {
      System.getLogger(WarmUp.class.getName())
          .log(
              Level.WARNING,
              "vectors are still slower than %1$s on this machine; using %1$s".formatted(standIn));
      settled.countDown();
    }
    LockSupport.parkNanos(PATIENCE_NS / 20);
  }
}
