package io.fieldstone.stream;

import java.util.concurrent.ForkJoinPool;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Runs independent tasks on several threads. */
public final class Tasks {

  private Tasks() {}

  /**
   * Calls a body for 0 … count − 1, and returns when all calls have ended. A failure is thrown.
   *
   * @param threads the maximum number of threads; with one, the caller runs all tasks in order
   */
  public static void forEach(int threads, int count, IntConsumer body) {
    if (threads <= 1 || count <= 1) {
      IntStream.range(0, count).forEach(body);
      return;
    }
    // A parallel stream runs on the pool of the thread that starts it.
    try (ForkJoinPool pool = new ForkJoinPool(Math.min(threads, count))) {
      pool.submit(() -> IntStream.range(0, count).parallel().forEach(body)).join();
    }
  }
}
