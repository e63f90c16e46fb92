package io.fieldstone.concurrent;

import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Two kernels with equal results: a plain kernel, and a vector kernel that replaces it once the JIT
 * compiler has compiled it to vector instructions.
 *
 * <p>Until then, for about a second, vector code is interpreted and a thousand times slower than
 * compiled. A background thread runs it on small inputs until it is clearly faster than the plain
 * kernel. If it never is (the processor lacks an instruction), the plain kernel stays and a warning
 * is logged. Thread-safe.
 *
 * @param <K> type of the kernels
 */
public final class Tiered<K> implements AutoCloseable {

  private static final int WINS_IN_A_ROW = 3;

  /** Initial calls: slightly more than the JVM's threshold for the first compilation. */
  private static final int FIRST_CALLS = 250;

  /** Time without success after which a warning is logged. */
  private static final long WARNING_NS = TimeUnit.SECONDS.toNanos(20);

  /** The work by which the kernels are compared. */
  public interface Trial<K> {

    /** Runs every loop of a kernel with minimal work. */
    void callLoops(K kernel);

    /** Runs equal work with either kernel, for longer than a tick of the clock. */
    void run(K kernel);
  }

  private final String plainName;
  private final K plain;
  private final K vectors;
  private final double minSpeedup;
  private final double threshold;
  private final Supplier<? extends Trial<K>> trials;
  private final DoubleAdder plainWork = new DoubleAdder();

  /** Opens when the kernel has been chosen. */
  private final CountDownLatch settled = new CountDownLatch(1);

  /** Guarded by this for writing. */
  private volatile boolean isStarted;

  private volatile boolean isCompiled;
  private volatile boolean isClosed;

  /**
   * Makes a pair of kernels; no thread starts yet.
   *
   * @param plainName method of the plain kernel, for the warning
   * @param minSpeedup minimum speed of compiled vectors relative to the plain kernel
   * @param threshold total work after which {@link #current(double)} starts the thread, in units of
   *     the caller's choice
   * @param trials makes the trial, on the thread that runs it
   */
  public Tiered(
      String plainName,
      K plain,
      K vectors,
      double minSpeedup,
      double threshold,
      Supplier<? extends Trial<K>> trials) {
    this.plainName = plainName;
    this.plain = plain;
    this.vectors = vectors;
    this.minSpeedup = minSpeedup;
    this.threshold = threshold;
    this.trials = trials;
  }

  /** Returns the kernel that is faster now. */
  public K current() {
    return isCompiled ? vectors : plain;
  }

  /**
   * Returns the kernel that is faster now, and starts the thread once the work of the plain kernel
   * exceeds the threshold.
   *
   * @param work amount of work that the caller is about to do
   */
  public K current(double work) {
    if (isCompiled) {
      return vectors;
    }
    if (!isStarted) {
      plainWork.add(work);
      if (plainWork.sum() >= threshold) {
        start();
      }
    }
    return plain;
  }

  /** Returns the vector kernel, compiled or not. */
  public K vectors() {
    return vectors;
  }

  /** Returns whether {@link #current()} is the vector kernel. */
  public boolean isCompiled() {
    return isCompiled;
  }

  /** Starts the background thread, if it has not been started. */
  public synchronized void start() {
    if (!isStarted) {
      isStarted = true;
      try {
        Thread.ofPlatform().daemon().name("fieldstone-warm-up").start(this::warmUp);
      } catch (OutOfMemoryError _) {
        // The system refuses a thread: the plain kernel stays.
        settled.countDown();
      }
    }
  }

  /** Waits until the kernel has been chosen. */
  public void awaitCompiled() {
    start();
    boolean interrupted = false;
    while (true) {
      try {
        settled.await();
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
  public void close() {
    isClosed = true;
  }

  private void warmUp() {
    try {
      Trial<K> trial = trials.get();
      for (int i = 0; i < FIRST_CALLS && !isClosed; i++) {
        trial.callLoops(vectors);
      }
      long start = System.nanoTime();
      int wins = 0;
      while (wins < WINS_IN_A_ROW && !isClosed) {
        wins = time(trial, vectors) * minSpeedup < time(trial, plain) ? wins + 1 : 0;
        if (System.nanoTime() - start > WARNING_NS) {
          warnStillInterpreted();
        }
      }
      isCompiled = wins == WINS_IN_A_ROW;
    } finally {
      settled.countDown();
    }
  }

  private long time(Trial<K> trial, K kernel) {
    long start = System.nanoTime();
    trial.run(kernel);
    return System.nanoTime() - start;
  }

  /** Logs a warning once and ends {@link #awaitCompiled}; trials continue with pauses. */
  private void warnStillInterpreted() {
    if (settled.getCount() > 0) {
      System.getLogger(Tiered.class.getName())
          .log(
              Level.WARNING,
              "vectors are still slower than %1$s on this machine; using %1$s"
                  .formatted(plainName));
      settled.countDown();
    }
    LockSupport.parkNanos(WARNING_NS / 20);
  }
}
