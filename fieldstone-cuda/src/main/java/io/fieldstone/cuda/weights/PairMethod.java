package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.execution.StreamSlot;
import java.util.List;

/** A way to count pairs on the GPU. */
interface PairMethod {

  /**
   * About as many pairs as a large GPU counts in 0.2 s: a launch of more would be long to wait for,
   * and too long where a GPU that also draws the screen stops what takes seconds.
   */
  long mostPairs();

  /**
   * Asks for the pairs of some words to be added to the counts; the lane is waited for before it is
   * given more.
   *
   * @param base address of the memory
   */
  void count(
      StreamSlot slot, PairMemory memory, long base, List<WordRun> left, List<WordRun> right);
}
