package io.fieldstone.cpu.sorting;

import io.fieldstone.natives.NativeLibrary;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Chooses between the loops in Java and in C. Thread-safe. */
public final class ItemLoops {

  /** Items that the loops in Java sort in the time that loading the C kernels takes. */
  private static final long LOAD_THRESHOLD = 1 << 17;

  private final boolean areNative;
  private final AtomicLong sorted = new AtomicLong();

  private ItemLoops(boolean areNative) {
    this.areNative = areNative;
  }

  /** Returns loops in Java. */
  static ItemLoops inJava() {
    return new ItemLoops(false);
  }

  /** Returns loops in C, if they are present, after enough items to pay for loading them. */
  static ItemLoops fastest() {
    return new ItemLoops(true);
  }

  /**
   * Returns the loops for a sort.
   *
   * @param inJava the loops in Java
   * @param number number of items of the sort
   */
  ItemOps choose(ItemOps inJava, long number) {
    if (!areNative || sorted.get() < LOAD_THRESHOLD && sorted.addAndGet(number) < LOAD_THRESHOLD) {
      return inJava;
    }
    return Kernels.PRESENT.map(kernels -> (ItemOps) NativeOps.of(inJava, kernels)).orElse(inJava);
  }

  /** The kernels of this process. */
  private static final class Kernels {
    static final Optional<NativeSortKernels> PRESENT = NativeSortKernels.of(NativeLibrary.get());
  }
}
