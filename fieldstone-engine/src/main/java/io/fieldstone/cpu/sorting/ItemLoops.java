package io.fieldstone.cpu.sorting;

import io.fieldstone.concurrent.Deferred;
import io.fieldstone.natives.NativeLibrary;
import java.util.Optional;
import java.util.function.DoubleFunction;

/** Chooses between the loops in Java and in C. Thread-safe. */
public final class ItemLoops {

  /** Items that the loops in Java sort in the time that loading the C kernels takes. */
  private static final double LOAD_THRESHOLD = 1 << 17;

  /** Returns the C kernels for a sort of a number of items, or empty for the loops in Java. */
  private final DoubleFunction<Optional<NativeSortKernels>> kernels;

  private ItemLoops(DoubleFunction<Optional<NativeSortKernels>> kernels) {
    this.kernels = kernels;
  }

  /** Returns loops in Java. */
  static ItemLoops inJava() {
    return new ItemLoops(_ -> Optional.empty());
  }

  /** Returns loops in C, if they are present, after enough items to pay for loading them. */
  static ItemLoops fastest() {
    Deferred<Optional<NativeSortKernels>> deferred =
        new Deferred<>(
            Optional.empty(), () -> NativeSortKernels.of(NativeLibrary.get()), LOAD_THRESHOLD);
    return new ItemLoops(deferred::current);
  }

  /**
   * Returns the loops for a sort.
   *
   * @param inJava the loops in Java
   * @param number number of items of the sort
   */
  ItemOps choose(ItemOps inJava, long number) {
    return kernels
        .apply((double) number)
        .map(present -> (ItemOps) NativeOps.of(inJava, present))
        .orElse(inJava);
  }
}
