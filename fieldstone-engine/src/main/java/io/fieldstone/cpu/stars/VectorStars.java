package io.fieldstone.cpu.stars;

import io.fieldstone.engine.stars.StarField;

/**
 * Chooses the vector kernel of the 3-star search for a field, with or without waiting for the
 * compiler.
 */
final class VectorStars implements AutoCloseable {

  /** Factor that makes coordinates non-integers. */
  private static final double NOT_WHOLE = 0.1;

  private final TieredStars floats = new TieredStars(FloatStarPairs::in, 1);
  private final TieredStars doubles =
      new TieredStars(field -> () -> new DoubleStarPairs(field), NOT_WHOLE);

  /** Makes vector kernels, compiled or not. */
  static StarPairs.Factory kernels(StarField field) {
    return FloatStarPairs.suits(field)
        ? FloatStarPairs.in(field)
        : () -> new DoubleStarPairs(field);
  }

  /** Makes vector kernels once they have been compiled; until then, scalar ones. */
  StarPairs.Factory warmKernels(StarField field) {
    return FloatStarPairs.suits(field) ? floats.kernels(field) : doubles.kernels(field);
  }

  @Override
  public void close() {
    floats.close();
    doubles.close();
  }
}
