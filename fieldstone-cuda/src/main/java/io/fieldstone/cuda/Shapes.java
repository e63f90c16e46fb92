package io.fieldstone.cuda;

import io.fieldstone.engine.Coefficients;

/** Shapes in messages. */
final class Shapes {

  private Shapes() {}

  static String of(Coefficients matrices) {
    return "%d of %d×%d".formatted(matrices.count(), matrices.rows(), matrices.columns());
  }
}
