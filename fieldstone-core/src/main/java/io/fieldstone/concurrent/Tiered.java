package io.fieldstone.concurrent;

import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Two kernels with equal results: a plain one, and a vector kernel that takes over once the JIT
 * compiler has made vector instructions of it.
 *
 * <p>Until then, for about a second, vector code is interpreted and a thousand times slower than
 * compiled. A thread runs it on small pieces of work until it is clearly faster than the plain
 * kernel. If it never is (the processor lacks an instruction), the plain kernel stays and a warning
 * says so. Thread-safe.
 *
 * @param <K> type of the kernels
 */
public final class Tiered<K> implements AutoCloseable {

  private static final int WINS_IN_A_ROW = 3;

  /** Calls after which the JVM compiles a method for the first time, and a few more. */
  private static final int FIRST_CALLS = 250;

  /** After this long without success the plain kernel may stay for good. */
  private static final long WARNING_NS = TimeUnit.SECONDS.toNanos(20);

  /** What both kernels are compared by. */
  public interface Trial<K> {

    /** Passes through every loop of a kernel with as little work as possible. */
    void callLoops(K kernel);

    /** Does work that lasts longer than a tick of the clock; equal work with either kernel. */
    void run(K kernel);
  }

  private final String plainName;
  private final K plain;
  private final K vectors;
  private final double minSpeedup;
  private final double threshold;
  private final Supplier<? extends Trial<K>> trials;
  private final DoubleAdder plainWork = new DoubleAdder();

  /** Opens when it is known which kernel does the work. */
  private final CountDownLatch settled = new CountDownLatch(1);

  /** Guarded by this for writing. */
  private volatile boolean isStarted;

  private volatile boolean isCompiled;
  private volatile boolean isClosed;

  /**
   * Two kernels; no thread starts yet.
   *
   * @param plainName what the plain kernel works by, for the warning
   * @param minSpeedup how many times faster than the plain kernel compiled vectors are at least
   * @param threshold work for which {@link #current(double)} starts to wait for the compiler, in
   *     units of the caller's choice
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

  /** The kernel that is faster now. */
  public K current() {
    return isCompiled ? vectors : plain;
  }

  /**
   * The kernel that is faster now. Work that the plain kernel does is added up; enough of it starts
   * the thread.
   *
   * @param work that the caller is about to do
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

  /** The vector kernel, compiled or not. */
  public K vectors() {
    return vectors;
  }

  /** Whether {@link #current()} is the vector kernel. */
  public boolean isCompiled() {
    return isCompiled;
  }

  /** Starts the thread that waits for the compiler, if it has not been started. */
  public synchronized void start() {
    if (!isStarted) {
      isStarted = true;
      Thread.ofPlatform().daemon().name("fieldstone-warm-up").start(this::warmUp);
    }
  }

  /** Returns when it is known which kernel will do the work. */
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

  /** Warns once and ends waits; trials go on, with pauses. */
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
