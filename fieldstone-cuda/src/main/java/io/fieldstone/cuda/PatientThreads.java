package io.fieldstone.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Threads that help with pieces of work which follow each other in fractions of a millisecond: one
 * that has nothing to do looks for more for a while before it sleeps, because waking up takes as
 * long as a piece. They start when first needed. Thread-safe.
 */
final class PatientThreads implements AutoCloseable {

  private static final long IDLE_SECONDS = 60;

  /** From one bucket to the next. */
  private static final long AWAKE_NS = 1_000_000;

  /** Between looks. */
  private static final int PAUSES = 16;

  private final int threads;
  private final ThreadPoolExecutor helpers;

  /**
   * @param threads that work at a time, the caller included
   */
  PatientThreads(int threads) {
    this.threads = threads;
    int most = Math.max(1, threads - 1);
    helpers =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new PatientQueue(),
            Thread.ofPlatform().daemon().name("fieldstone-cuda-", 0).factory());
    helpers.allowCoreThreadTimeOut(true);
  }

  /** Runs {@code work} on so many threads, of which this is one, and returns when all are done. */
  void run(long count, Runnable work) {
    List<Future<?>> others = new ArrayList<>();
    for (long i = 1; i < Math.min(count, threads); i++) {
      others.add(helpers.submit(work));
    }
    try {
      work.run();
    } finally {
      others.forEach(PatientThreads::await);
    }
  }

  /** Waits to the end: memory that is written is the caller's again afterwards. */
  private static void await(Future<?> task) {
    boolean interrupted = false;
    while (true) {
      try {
        task.get();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    helpers.shutdown();
  }

  /** Looks for a while before it sleeps. */
  private static final class PatientQueue extends LinkedBlockingQueue<Runnable> {
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Runnable poll(long timeout, TimeUnit unit) throws InterruptedException {
      long start = System.nanoTime();
      do {
        Runnable found = poll();
        if (found != null) {
          return found;
        }
        for (int i = 0; i < PAUSES; i++) {
          Thread.onSpinWait();
        }
      } while (System.nanoTime() - start < AWAKE_NS);
      return super.poll(timeout, unit);
    }
  }
}
