package io.fieldstone.hybrid;

import java.util.ArrayList;
import java.util.List;

/** What went wrong in several tasks, in the order of time. Thread-safe. */
final class Failures {

  private final List<Throwable> thrown = new ArrayList<>();

  /** Runs a task and keeps what it throws. */
  void collect(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      add(e);
    }
  }

  /** Keeps a failure. */
  synchronized void add(Throwable failure) {
    thrown.add(failure);
  }

  /** Throws the first, if there is one, with the others suppressed in it. */
  synchronized void rethrow() {
    if (thrown.isEmpty()) {
      return;
    }
    Throwable first = thrown.getFirst();
    thrown.stream().skip(1).filter(later -> !later.equals(first)).forEach(first::addSuppressed);
    if (first instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) first;
  }
}
