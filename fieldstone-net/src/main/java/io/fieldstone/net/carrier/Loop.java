package io.fieldstone.net.carrier;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A thread of a {@link Carrier}, which serves some of its connections. All that happens on one of
 * them happens on this thread. Thread-safe.
 */
public interface Loop {
  /**
   * Runs a task on the loop after a delay. A closed loop drops the task.
   *
   * @param delayNanos the delay in nanoseconds; at most 0 means as soon as possible
   */
  Cancellable schedule(Runnable task, long delayNanos);

  /**
   * Runs a task on the loop and returns its result; not to be called on the loop.
   *
   * @param ifClosed the result if the loop does not run the task within a second, as a closed one
   */
  default <T> T call(Supplier<T> task, T ifClosed) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Cancellable _ =
        schedule(
            () -> {
              try {
                result.complete(task.get());
              } catch (RuntimeException e) {
                result.completeExceptionally(e);
              }
            },
            0);
    return result.completeOnTimeout(ifClosed, 1, TimeUnit.SECONDS).join();
  }
}
