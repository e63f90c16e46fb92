package io.fieldstone.hybrid;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Coefficients;
import io.fieldstone.engine.ResidentBlocks;
import java.util.Objects;

/**
 * Refuses jobs whose shapes do not agree. Parts check their slices, but a slice of a wrong job may
 * be right, and nothing may be written then.
 */
final class Agreement {

  private Agreement() {}

  static void requireProduct(
      Coefficients coefficients, ByteMatrices sources, ByteMatrices products) {
    if (sources.count() != coefficients.count()
        || sources.rows() != coefficients.columns()
        || sources.columns() != products.columns()
        || !isOneRowEach(coefficients, products)) {
      throw new IllegalArgumentException(
          "%s coefficients times %s sources do not make %s products"
              .formatted(shape(coefficients), shape(sources), shape(products)));
    }
  }

  static void requireInversion(ByteMatrices matrices, ByteMatrices inverses) {
    if (matrices.rows() != matrices.columns()
        || inverses.columns() != matrices.columns()
        || !isOneRowEach(matrices, inverses)) {
      throw new IllegalArgumentException(
          "%s matrices do not have %s inverses".formatted(shape(matrices), shape(inverses)));
    }
  }

  /** Coefficients for the first rows of the matrices from {@code first} on. */
  static void requireSources(ResidentBlocks blocks, long first, Coefficients coefficients) {
    Objects.checkFromIndexSize(first, coefficients.count(), blocks.count());
    if (coefficients.columns() > blocks.rows()) {
      throw new IllegalArgumentException(
          "coefficients for %d blocks, %d are resident"
              .formatted(coefficients.columns(), blocks.rows()));
    }
  }

  static void requireSquare(Coefficients coefficients) {
    if (coefficients.rows() != coefficients.columns()) {
      throw new IllegalArgumentException(
          "a system of %s coefficients is not square".formatted(shape(coefficients)));
    }
  }

  /** Results in memory, one row for each row of coefficients. */
  static void requireResults(
      ResidentBlocks blocks, Coefficients coefficients, ByteMatrices results) {
    if (results.columns() != blocks.columns() || !isOneRowEach(coefficients, results)) {
      throw new IllegalArgumentException(
          "%s coefficients times blocks of %d bytes do not make %s"
              .formatted(shape(coefficients), blocks.columns(), shape(results)));
    }
  }

  /** Results that stay on the engine, in the matrices from {@code firstResult} on. */
  static void requireResults(
      ResidentBlocks blocks,
      long first,
      Coefficients coefficients,
      ResidentBlocks results,
      long firstResult) {
    long count = coefficients.count();
    if (!results.field().equals(blocks.field())) {
      throw new IllegalArgumentException(
          "products over %s of blocks over %s".formatted(results.field(), blocks.field()));
    }
    Objects.checkFromIndexSize(firstResult, count, results.count());
    if (results.columns() != blocks.columns() || results.rows() != coefficients.rows()) {
      throw new IllegalArgumentException(
          "%s coefficients times blocks of %d bytes do not make resident %d×%d"
              .formatted(shape(coefficients), blocks.columns(), results.rows(), results.columns()));
    }
    if (results.equals(blocks) && count > 0 && Math.abs(first - firstResult) < count) {
      throw new IllegalArgumentException(
          "matrices %d…%d are to be both sources and products"
              .formatted(Math.max(first, firstResult), Math.min(first, firstResult) + count - 1));
    }
  }

  private static boolean isOneRowEach(Coefficients coefficients, ByteMatrices results) {
    return results.count() == coefficients.count() && results.rows() == coefficients.rows();
  }

  private static String shape(Coefficients matrices) {
    return "%d of %d×%d".formatted(matrices.count(), matrices.rows(), matrices.columns());
  }
}
