package io.fieldstone.concurrent;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for a condition that another thread makes true: spins for about as long as a wake-up takes,
 * then parks. A short wait so costs no wake-up, and a long one at most twice what parking costs.
 */
public final class SpinThenPark {

  /** Pauses between two looks at a condition, which leave the memory bus to other threads. */
  private static final int PAUSES = 16;

  private SpinThenPark() {}

  /**
   * Waits until a condition holds, whether or not the thread is interrupted; it stays interrupted.
   *
   * @param condition made true by another thread, which then unparks this one
   * @param spinNs nanoseconds to spin before parking
   * @param timeoutNs nanoseconds after which to give up
   * @return whether the condition holds
   */
  public static boolean until(BooleanSupplier condition, long spinNs, long timeoutNs) {
    long begin = System.nanoTime();
    return spin(condition, Math.min(spinNs, timeoutNs)) || parkUntil(condition, begin, timeoutNs);
  }

  /**
   * Spins until a condition holds, or for a time.
   *
   * @return whether the condition holds
   */
  public static boolean spin(BooleanSupplier condition, long spinNs) {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < spinNs) {
      if (condition.getAsBoolean()) {
        return true;
      }
      pause();
    }
    return false;
  }

  private static boolean parkUntil(BooleanSupplier condition, long begin, long timeoutNs) {
    boolean interrupted = false;
    boolean holds = condition.getAsBoolean();
    for (long left = timeoutNs; !holds && left > 0; ) {
      LockSupport.parkNanos(condition, left);
      interrupted |= Thread.interrupted();
      holds = condition.getAsBoolean();
      left = timeoutNs - (System.nanoTime() - begin);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return holds;
  }

  /** What a spinning thread does between two looks at its condition. */
  public static void pause() {
    for (int i = 0; i < PAUSES; i++) {
      Thread.onSpinWait();
    }
  }
}
