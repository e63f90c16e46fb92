package io.fieldstone.engine.weights;

import java.util.List;

/**
 * The port that counts pairs of words by joint weight: the loop of the JWD paper over all pairs of
 * codewords. Thread-safe.
 */
public interface PairCounts {

  /** Returns the names of the methods, the preferred one first. */
  List<String> methods();

  /**
   * Loads words to the engine for counting; their memory may be freed afterwards.
   *
   * @param left the words u, of the same length as the right words
   * @param right the words v; may be the same object
   * @param method one of {@link #methods()}
   * @return the counting, to be closed before the engine
   * @throws IllegalArgumentException if the lengths differ or the method does not exist; the
   *     message lists the methods
   */
  PairCounting open(WordGroups left, WordGroups right, String method);
}
