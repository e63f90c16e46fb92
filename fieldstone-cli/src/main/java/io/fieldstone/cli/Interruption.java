package io.fieldstone.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Handles SIGINT and SIGTERM: interrupts the command's thread and gives it {@value
 * #CLEAN_UP_SECONDS} seconds to remove temporary files before the JVM exits with status 130 or 143.
 */
final class Interruption {

  private static final long CLEAN_UP_SECONDS = 2;

  private Interruption() {}

  /** Runs a command and returns its exit status. Call once per process, on the main thread. */
  static int guard(IntSupplier command) {
    Thread worker = Thread.currentThread();
    CountDownLatch finished = new CountDownLatch(1);
    Thread hook =
        new Thread(
            () -> {
              if (finished.getCount() > 0) {
                worker.interrupt();
                awaitQuietly(finished);
              }
            },
            "interruption");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return command.getAsInt();
    } finally {
      finished.countDown();
    }
  }

  private static void awaitQuietly(CountDownLatch finished) {
    try {
      // Bounded, because a thread that reads standard input cannot be interrupted. The file jobs
      // remove their temporary files in their own shutdown hooks.
      boolean isFinished = finished.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS);
      if (!isFinished) {
        System.err.println("fieldstone: interrupted");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
