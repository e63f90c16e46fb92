package io.fieldstone.engine.weights;

import java.util.List;

/**
 * The port that counts pairs of words by their joint weight: JWD's loop over all pairs of
 * codewords. Thread-safe.
 */
public interface PairCounts {

  /** Names of the ways this engine has to count, the one it prefers first. */
  List<String> methods();

  /**
   * Puts words where they are counted from; the memory may be freed afterwards.
   *
   * @param left the words u; of the same length as the right ones
   * @param right the words v; may be the same object
   * @param method one of {@link #methods()}
   * @return to be closed before the engine
   * @throws IllegalArgumentException if the lengths differ or there is no such method; the message
   *     lists those there are
   */
  PairCounting begin(WordGroups left, WordGroups right, String method);
}
