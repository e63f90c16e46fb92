package io.fieldstone.hybrid;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which parts work while the caller works on one of them. As many as are needed at
 * once, so that no caller waits for another's parts; they end when idle, or with the engine.
 */
final class PartThreads implements AutoCloseable {

  private static final long IDLE_SECONDS = 60;

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("fieldstone-hybrid-", 0).factory());

  /**
   * Runs all tasks at once, the last on the calling thread, and returns when every one has ended.
   * The first failure is thrown, with those that came after it suppressed.
   */
  void runAll(List<Runnable> tasks) {
    requireOpen();
    if (tasks.isEmpty()) {
      return;
    }
    List<Runnable> elsewhere = tasks.subList(0, tasks.size() - 1);
    Failures failures = new Failures();
    CountDownLatch running = new CountDownLatch(elsewhere.size());
    for (Runnable task : elsewhere) {
      try {
        threads.execute(() -> {
          try {
            failures.collect(task);
          } finally {
            running.countDown();
          }
        });
      } catch (RuntimeException | Error e) {
        failures.add(e); // no thread to be had, or closed meanwhile
        running.countDown();
      }
    }
    failures.collect(tasks.getLast());
    awaitDespiteInterrupts(running);
    failures.rethrow();
  }

  /**
   * Checks that the engine is open.
   *
   * @throws IllegalStateException if it has been closed
   */
  void requireOpen() {
    if (threads.isShutdown()) {
      throw new IllegalStateException("the engine is closed");
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }

  /** Waits even if interrupted: the memory that the parts write belongs to the caller. */
  private static void awaitDespiteInterrupts(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
