package io.fieldstone.concurrent;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for a condition that another thread makes true: spins for about as long as a wake-up takes,
 * then parks. A short wait costs no wake-up, and a long one at most twice the cost of parking.
 */
public final class SpinThenPark {

  /** Pauses between two checks of a condition, which relieve the memory bus. */
  private static final int PAUSES = 16;

  private SpinThenPark() {}

  /**
   * Waits until a condition holds. Interrupts do not end the wait; the interrupt status is kept.
   *
   * @param condition becomes true by the action of another thread, which then unparks this one
   * @param spinNs nanoseconds to spin before parking
   * @param timeoutNs nanoseconds after which to give up
   * @return whether the condition holds
   */
  public static boolean until(BooleanSupplier condition, long spinNs, long timeoutNs) {
    if (condition.getAsBoolean()) {
      return true;
    }
    long begin = System.nanoTime();
    return spin(condition, Math.min(spinNs, timeoutNs)) || parkUntil(condition, begin, timeoutNs);
  }

  /**
   * Spins until a condition holds or the time has elapsed.
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

  /** Pauses a spinning thread between two checks of its condition. */
  public static void pause() {
    for (int i = 0; i < PAUSES; i++) {
      Thread.onSpinWait();
    }
  }
}
