package io.fieldstone.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Ctrl-C: the command's thread is interrupted and gets a moment to remove its temporary files
 * before the JVM halts with status 130 (143 for SIGTERM).
 */
final class Interruption {

  private static final long CLEAN_UP_SECONDS = 2;

  private Interruption() {}

  /** Runs a command; returns what it returns. Call once in a process, on the main thread. */
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
      // Not for ever: a thread that waits for standard input cannot be interrupted. What the file
      // jobs have begun they remove themselves, in hooks of their own.
      boolean isClean = finished.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS);
      if (!isClean) {
        System.err.println("fieldstone: interrupted");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
