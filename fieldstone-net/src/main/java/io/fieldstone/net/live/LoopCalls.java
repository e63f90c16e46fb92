package io.fieldstone.net.live;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Loop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Asks a loop for what only it may read. */
final class LoopCalls {

  private LoopCalls() {}

  /**
   * Runs a task on a loop and returns its result; not to be called on the loop.
   *
   * @param ifClosed the result if the loop does not run the task within a second, as a closed one
   */
  static <T> T call(Loop loop, Supplier<T> task, T ifClosed) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Cancellable _ = loop.schedule(() -> result.complete(task.get()), 0);
    return result.completeOnTimeout(ifClosed, 1, TimeUnit.SECONDS).join();
  }
}
