package io.fieldstone.engine.stars;

/** Is told of stars one by one. */
@FunctionalInterface
public interface StarVisitor {

  /**
   * A star.
   *
   * @param lowest index of its lowest point
   * @param second index of another
   * @param third index of the last, greater than {@code second}
   */
  void star(int lowest, int second, int third);
}
