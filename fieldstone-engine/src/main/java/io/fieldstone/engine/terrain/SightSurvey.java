package io.fieldstone.engine.terrain;

/** Computes margins of paths over one grid of heights. For one thread at a time. */
public interface SightSurvey extends AutoCloseable {

  /**
   * Returns the margin of each path, as {@link SightPaths#margin} defines it. Every engine returns
   * the same numbers.
   *
   * @throws IllegalArgumentException if an end of a path is outside the grid; the message names it
   */
  float[] margins(SightPaths paths);

  /** Frees the engine memory of the survey. Idempotent. */
  @Override
  void close();
}
