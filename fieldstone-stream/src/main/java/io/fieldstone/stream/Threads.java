package io.fieldstone.stream;

import java.util.List;

/** Starts threads, and waits for them, also if the calling thread is interrupted. Thread-safe. */
public final class Threads {

  private Threads() {}

  /**
   * Starts threads until the system refuses one.
   *
   * @throws OutOfMemoryError if it refuses the first, so that none runs
   */
  static void start(List<Thread> threads) {
    threads.getFirst().start();
    try {
      threads.subList(1, threads.size()).forEach(Thread::start);
    } catch (OutOfMemoryError _) {
      // Those that run do the work.
    }
  }

  /** Returns true if an error says that the system refuses a thread, not that memory is short. */
  public static boolean isRefusal(OutOfMemoryError e) {
    return e.getMessage() != null && e.getMessage().contains("native thread");
  }

  /**
   * Waits until all threads have ended. A thread that was not started counts as ended.
   *
   * @param onInterruption runs each time the calling thread is interrupted
   * @return true if it was interrupted; its status is then clear
   */
  static boolean join(List<Thread> threads, Runnable onInterruption) {
    boolean isInterrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          isInterrupted = true;
          onInterruption.run();
        }
      }
    }
    // A thread that ends may wake this one just before another thread interrupts it.
    return Thread.interrupted() || isInterrupted;
  }

  /** Waits until a thread has ended, and keeps the status of an interruption. */
  public static void join(Thread thread) {
    if (join(List.of(thread), () -> {})) {
      Thread.currentThread().interrupt();
    }
  }
}
