package io.fieldstone.cpu.weights;

import io.fieldstone.engine.weights.WordGroups;

/** A kernel that counts pairs of given words on one core. Thread-safe. */
interface PairKernel {

  /** Makes the kernel for two lists of words. */
  interface Factory {
    PairKernel of(WordGroups left, WordGroups right);
  }

  /**
   * Counts pairs of left words [firstLeft, endLeft), all of weight {@code leftWeight}, with right
   * words [firstRight, endRight), all of weight {@code rightWeight}. One of the weights is at most
   * 255.
   *
   * @param byCommonOnes length + 1 counts, which are increased
   */
  void count(
      long firstLeft,
      long endLeft,
      int leftWeight,
      long firstRight,
      long endRight,
      int rightWeight,
      long[] byCommonOnes);
}
