package io.fieldstone.engine.weights;

import java.util.Optional;

/**
 * The port that tries sums of few rows of random systematic generator matrices, to find words of
 * small weight (Lee and Brickell, "An observation on the security of McEliece's public-key
 * cryptosystem", 1988). Thread-safe. {@link InformationSetWalk} defines the matrices.
 */
public interface InformationSetTrials {

  /** The maximum number of rows of a sum. */
  int MAX_DEPTH = 3;

  /**
   * The lightest word of some trials.
   *
   * @param weight the number of ones
   * @param trial the number of the trial, from 0
   */
  record Trial(int weight, long trial) implements Comparable<Trial> {

    /** Orders by weight, then by number. */
    @Override
    public int compareTo(Trial other) {
      int order = Integer.compare(weight, other.weight);
      return order == 0 ? Long.compare(trial, other.trial) : order;
    }
  }

  /**
   * Tries, in each trial of walks {@code first} … {@code first + count − 1}, all sums of 1 … {@code
   * depth} rows. Returns the lightest word, of the first trial that has one, if its weight is at
   * most {@code maxWeight}. {@link InformationSetWalk#word} gives the word.
   *
   * @param redundancy the columns of a systematic generator matrix that are not the identity; words
   *     with label zero are left out if there are labels
   * @param depth 1 … {@value #MAX_DEPTH}
   * @param first 0 … 2^40
   * @param count 0 … 2^40
   * @throws IllegalArgumentException if a number is out of its range
   */
  Optional<Trial> lightest(
      LabelledWords redundancy, int depth, long seed, long first, long count, int maxWeight);
}
