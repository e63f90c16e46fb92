package io.fieldstone.cpu.stars;

import io.fieldstone.engine.stars.StarField;

/**
 * The vector kernels of the 3-star search: the one that suits a field, at once or when it is fast.
 */
final class VectorStars implements AutoCloseable {

  /** Makes coordinates that are not integers. */
  private static final double NOT_WHOLE = 0.1;

  private final TieredStars floats = new TieredStars(FloatStarPairs::in, 1);
  private final TieredStars doubles =
      new TieredStars(field -> () -> new DoubleStarPairs(field), NOT_WHOLE);

  /** Vector kernels, compiled or not. */
  static StarPairs.Factory kernels(StarField field) {
    return FloatStarPairs.suits(field)
        ? FloatStarPairs.in(field)
        : () -> new DoubleStarPairs(field);
  }

  /** Vector kernels once they have been compiled; until then, others. */
  StarPairs.Factory warmKernels(StarField field) {
    return FloatStarPairs.suits(field) ? floats.kernels(field) : doubles.kernels(field);
  }

  @Override
  public void close() {
    floats.close();
    doubles.close();
  }
}
