package io.fieldstone.cuda.execution;

import java.util.Optional;

/**
 * Who is inside something that must not be closed, or changed as a whole, under anybody. Anyone may
 * enter until it is shut; one at a time may have it alone. Thread-safe; waits are not interrupted,
 * and are as long as a call to the GPU.
 */
public final class UsageGuard {

  private int users;
  private boolean isExclusive;
  private Optional<String> closedReason = Optional.empty();

  /**
   * Enters; any number of threads may be inside.
   *
   * @throws IllegalStateException if it is shut, with what {@link #closedReason} was told
   */
  public synchronized void enter() {
    awaitUninterruptibly(() -> isExclusive);
    closedReason.ifPresent(why -> {
      throw new IllegalStateException(why);
    });
    users++;
  }

  /** Leaves; returns whether it is shut and nobody is inside any more. */
  public synchronized boolean leave() {
    users--;
    notifyAll();
    return closedReason.isPresent() && users == 0;
  }

  /**
   * Runs something while nobody is inside and nobody enters.
   *
   * @throws IllegalStateException if it is shut
   */
  public void runExclusively(Runnable body) {
    synchronized (this) {
      // Those who come meanwhile may enter: one of them may be who the others inside wait for.
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
   * Lets nobody in any more; the first to say why counts.
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

  /** Waits until nobody is inside. */
  public synchronized void awaitUnused() {
    awaitUninterruptibly(() -> isExclusive || users > 0);
  }

  /** Something that is waited out. */
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
