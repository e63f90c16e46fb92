package io.fieldstone.cuda;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Threads that help with pieces of work which follow each other in fractions of a millisecond: one
 * that has nothing to do looks for more for a while before it sleeps, because waking up takes as
 * long as a piece. They start when first needed. Thread-safe.
 */
final class PatientThreads implements AutoCloseable {

  private static final long IDLE_SECONDS = 60;

  /** From one bucket to the next, or from when all have been {@link #wake woken} to the first. */
  private static final long AWAKE_NS = 2_000_000;

  /** Between looks. */
  private static final int PAUSES = 16;

  private final int count;
  private final ThreadPoolExecutor threads;

  PatientThreads(int count) {
    this.count = count;
    threads =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new PatientQueue(),
            Thread.ofPlatform().daemon().name("fieldstone-cuda-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /** Has every thread run {@code work}, which tells by itself when it is done. */
  void begin(Runnable work) {
    for (int i = 0; i < count; i++) {
      threads.execute(work);
    }
  }

  /** Wakes all that sleep, for what will begin in a millisecond or two. */
  void wake() {
    AtomicInteger asleep = new AtomicInteger(count);
    long begin = System.nanoTime();
    begin(() -> {
      asleep.decrementAndGet();
      // Who did not wait for the others would do this for them.
      while (asleep.get() > 0 && System.nanoTime() - begin < AWAKE_NS) {
        pause(PAUSES);
      }
    });
  }

  /** What a thread that stays awake does between one look and the next. */
  static void pause(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }

  /**
   * Looks for a while before it sleeps. It has no lock, at which threads that all see the same work
   * would put each other to sleep.
   */
  private static final class PatientQueue extends LinkedTransferQueue<Runnable> {
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Runnable poll(long timeout, TimeUnit unit) throws InterruptedException {
      long start = System.nanoTime();
      do {
        Runnable found = poll();
        if (found != null) {
          return found;
        }
        pause(PAUSES);
      } while (System.nanoTime() - start < AWAKE_NS);
      return super.poll(timeout, unit);
    }
  }
}
