package io.fieldstone.hybrid;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for other threads: awake for about as long as a wake-up costs, then asleep. So whoever
 * waits briefly loses nothing, and whoever waits long pays at most twice what sleeping would cost.
 */
final class Waiting {

  /**
   * A thread that sleeps is awake again after tens of microseconds, and after a millisecond where
   * processors are virtual: longer than many a slice of a GPU takes.
   */
  private static final long LONGEST_AWAKE_NS = 1_000_000;

  /** On fewer processors, whoever waits awake keeps somebody from working. */
  private static final int MANY_PROCESSORS = 4;

  private static final long AWAKE_NS =
      Runtime.getRuntime().availableProcessors() < MANY_PROCESSORS ? 0 : LONGEST_AWAKE_NS;

  private Waiting() {}

  /**
   * Waits until something is so, whether or not the thread is interrupted; it stays interrupted.
   *
   * @param sought becomes true by another thread, which then unparks this one
   * @param nanoseconds after which to give up
   * @return whether it is so
   */
  static boolean until(BooleanSupplier sought, long nanoseconds) {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < Math.min(AWAKE_NS, nanoseconds)) {
      if (sought.getAsBoolean()) {
        return true;
      }
      Thread.onSpinWait();
    }
    return sleepUntil(sought, begin, nanoseconds);
  }

  private static boolean sleepUntil(BooleanSupplier sought, long begin, long nanoseconds) {
    boolean interrupted = false;
    boolean found = sought.getAsBoolean();
    for (long left = nanoseconds; !found && left > 0; ) {
      LockSupport.parkNanos(sought, left);
      interrupted |= Thread.interrupted();
      found = sought.getAsBoolean();
      left = nanoseconds - (System.nanoTime() - begin);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return found;
  }
}
