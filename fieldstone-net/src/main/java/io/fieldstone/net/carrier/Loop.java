package io.fieldstone.net.carrier;

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
}
