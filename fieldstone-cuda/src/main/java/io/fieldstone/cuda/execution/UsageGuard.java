package io.fieldstone.cuda.execution;

import java.util.Optional;

/**
 * A read-write guard that can be closed: users share it, exclusive operations and closing wait for
 * them. Thread-safe. Waits ignore interrupts and last as long as a call to the GPU.
 */
public final class UsageGuard {

  private int users;
  private boolean isExclusive;
  private Optional<String> closedReason = Optional.empty();

  /**
   * Registers a user; waits for an exclusive operation.
   *
   * @throws IllegalStateException if the guard is closed, with the reason
   */
  public synchronized void enter() {
    awaitUninterruptibly(() -> isExclusive);
    closedReason.ifPresent(why -> {
      throw new IllegalStateException(why);
    });
    users++;
  }

  /** Unregisters a user and returns whether the guard is closed and unused. */
  public synchronized boolean leave() {
    users--;
    notifyAll();
    return closedReason.isPresent() && users == 0;
  }

  /**
   * Runs an operation while there are no users.
   *
   * @throws IllegalStateException if the guard is closed
   */
  public void runExclusively(Runnable body) {
    synchronized (this) {
      // New users may still enter: a present user may wait for one of them.
      awaitUninterruptibly(() -> isExclusive || users > 0);
      closedReason.ifPresent(why -> {
        throw new IllegalStateException(why);
      });
      isExclusive = true;
    }
    try {
      body.run();
    } finally {
      synchronized (this) {
        isExclusive = false;
        notifyAll();
      }
    }
  }

  /**
   * Rejects new users. The first reason is kept.
   *
   * @return whether this was the first call
   */
  public synchronized boolean close(String why) {
    boolean first = closedReason.isEmpty();
    if (first) {
      closedReason = Optional.of(why);
    }
    return first;
  }

  /** Waits until there are no users. */
  public synchronized void awaitUnused() {
    awaitUninterruptibly(() -> isExclusive || users > 0);
  }

  /** A condition whose end is awaited. */
  private interface Condition {
    boolean holds();
  }

  private synchronized void awaitUninterruptibly(Condition condition) {
    boolean interrupted = false;
    while (condition.holds()) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
