package io.fieldstone.engine.stars;

/** Receives stars one by one. */
@FunctionalInterface
public interface StarVisitor {

  /**
   * Receives a star.
   *
   * @param lowest the index of its lowest point
   * @param second the index of another point
   * @param third the index of the last point, greater than {@code second}
   */
  void star(int lowest, int second, int third);
}
