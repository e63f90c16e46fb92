package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.execution.StreamSlot;
import java.util.List;

/** Counts pairs of words on a GPU by one method. */
interface PairMethod {

  /**
   * Returns the maximum number of pairs of a launch, which a large GPU counts in about 0.2 s. GPUs
   * that drive a display abort launches of some seconds.
   */
  long maxPairs();

  /**
   * Enqueues the addition of pairs to the counts. The caller waits for the slot before the next
   * call.
   *
   * @param base address of the memory
   */
  void count(
      StreamSlot slot, PairMemory memory, long base, List<WordRun> left, List<WordRun> right);
}
