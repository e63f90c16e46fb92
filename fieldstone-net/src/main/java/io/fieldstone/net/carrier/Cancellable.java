package io.fieldstone.net.carrier;

/** A scheduled task. Thread-safe. */
@FunctionalInterface
public interface Cancellable {
  /** Prevents the task from starting, if it has not. */
  void cancel();
}
