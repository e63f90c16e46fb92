package io.fieldstone.engine.memory;

import java.util.function.Supplier;

/** Makes several allocations that belong together. */
public final class Allocations {

  private Allocations() {}

  /**
   * Makes an allocation that follows others; if it fails, frees those and rethrows.
   *
   * @param frees free the allocations before it
   */
  public static <T> T next(Supplier<T> allocation, Runnable... frees) {
    try {
      return allocation.get();
    } catch (RuntimeException | Error e) {
      for (Runnable free : frees) {
        try {
          free.run();
        } catch (RuntimeException | Error other) {
          e.addSuppressed(other);
        }
      }
      throw e;
    }
  }
}
