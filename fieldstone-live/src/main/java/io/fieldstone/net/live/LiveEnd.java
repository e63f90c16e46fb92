package io.fieldstone.net.live;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The end of a stream or a tunnel, with the problem that caused it, if any. Thread-safe. */
final class LiveEnd {

  private final CountDownLatch latch = new CountDownLatch(1);
  private final AtomicReference<String> problem = new AtomicReference<>("");

  /** Ends without a problem, unless it has ended. */
  void end() {
    latch.countDown();
  }

  /** Ends with a problem, unless it has ended. */
  synchronized void fail(String reason) {
    if (latch.getCount() > 0) {
      problem.set(reason);
      latch.countDown();
    }
  }

  /**
   * Waits for the end.
   *
   * @throws IOException if it has a problem, which is the message
   */
  void await() throws IOException, InterruptedException {
    latch.await();
    requireNoProblem();
  }

  /**
   * Waits for the end, for a time at most.
   *
   * @return whether it has come
   * @throws IOException if it has a problem, which is the message
   */
  boolean await(Duration most) throws IOException, InterruptedException {
    boolean hasEnded = latch.await(most.toNanos(), TimeUnit.NANOSECONDS);
    if (hasEnded) {
      requireNoProblem();
    }
    return hasEnded;
  }

  private void requireNoProblem() throws IOException {
    if (!problem.get().isEmpty()) {
      throw new IOException(problem.get());
    }
  }
}
