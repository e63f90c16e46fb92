package io.fieldstone.cpu.weights;

import io.fieldstone.engine.weights.WordGroups;

/** One way to count pairs of words on one core. Thread-safe; knows its words. */
interface PairKernel {

  /** Lays words out. */
  interface Factory {
    PairKernel of(WordGroups left, WordGroups right);
  }

  /**
   * Counts pairs of left words [firstLeft, endLeft), all of weight {@code leftWeight}, with right
   * words [firstRight, endRight), all of weight {@code rightWeight}.
   *
   * @param byCommonOnes length + 1 counts, added to
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
