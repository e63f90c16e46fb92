package io.fieldstone.engine.coding;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Checks the shapes of products, inverses, systems and resident blocks. Every engine calls these
 * methods before it writes anything. Each throws {@link IllegalArgumentException} if its arguments
 * do not agree, and {@link IndexOutOfBoundsException} for indices that do not exist.
 */
public final class CodingPreconditions {

  private CodingPreconditions() {}

  /** Checks that coefficients times sources have the shape of the products. */
  public static void requireProduct(
      Coefficients coefficients, ByteMatrices sources, ByteMatrices products) {
    if (sources.count() != coefficients.count()
        || sources.rows() != coefficients.columns()
        || sources.columns() != products.columns()
        || !isOneRowEach(coefficients, products)) {
      throw new IllegalArgumentException(
          "%s coefficients times %s sources do not make %s products"
              .formatted(coefficients.shape(), sources.shape(), products.shape()));
    }
  }

  /** Checks that matrices are square, and that the inverses have their shape. */
  public static void requireInversion(ByteMatrices matrices, ByteMatrices inverses) {
    if (matrices.rows() != matrices.columns()
        || inverses.columns() != matrices.columns()
        || !isOneRowEach(matrices, inverses)) {
      throw new IllegalArgumentException(
          "%s matrices do not have %s inverses".formatted(matrices.shape(), inverses.shape()));
    }
  }

  /** Checks that the matrices from {@code first} on exist and have a row for each coefficient. */
  public static void requireSources(ResidentBlocks blocks, long first, Coefficients coefficients) {
    Objects.checkFromIndexSize(first, coefficients.count(), blocks.count());
    if (coefficients.columns() > blocks.rows()) {
      throw new IllegalArgumentException(
          "coefficients for %d blocks, %d are resident"
              .formatted(coefficients.columns(), blocks.rows()));
    }
  }

  /** Checks that the numbers of equations and unknowns are equal. */
  public static void requireSquare(Coefficients coefficients) {
    if (coefficients.rows() != coefficients.columns()) {
      throw new IllegalArgumentException(
          "a system of %s coefficients is not square".formatted(coefficients.shape()));
    }
  }

  /** Checks that systems are square, and that right sides and solutions have matching shapes. */
  public static void requireSystems(
      Coefficients coefficients, ByteMatrices rights, ByteMatrices solutions) {
    requireSquare(coefficients);
    if (rights.count() != coefficients.count()
        || rights.rows() != coefficients.rows()
        || rights.columns() < 1
        || solutions.columns() != rights.columns()
        || !isOneRowEach(coefficients, solutions)) {
      throw new IllegalArgumentException(
          "%s coefficients and %s right sides do not give %s solutions"
              .formatted(coefficients.shape(), rights.shape(), solutions.shape()));
    }
  }

  /** Checks that results in memory have a row for each row of coefficients. */
  public static void requireResults(
      ResidentBlocks blocks, Coefficients coefficients, ByteMatrices results) {
    if (results.columns() != blocks.columns() || !isOneRowEach(coefficients, results)) {
      throw new IllegalArgumentException(
          "%s coefficients times blocks of %d bytes do not make %s"
              .formatted(coefficients.shape(), blocks.columns(), results.shape()));
    }
  }

  /** Checks resident results, which are written to the matrices from {@code firstResult} on. */
  public static void requireResults(
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
              .formatted(
                  coefficients.shape(), blocks.columns(), results.rows(), results.columns()));
    }
    if (results.equals(blocks) && count > 0 && Math.abs(first - firstResult) < count) {
      throw new IllegalArgumentException(
          "matrices %d…%d are both sources and products"
              .formatted(Math.max(first, firstResult), Math.min(first, firstResult) + count - 1));
    }
  }

  private static boolean isOneRowEach(Coefficients coefficients, ByteMatrices results) {
    return results.count() == coefficients.count() && results.rows() == coefficients.rows();
  }

  /** Checks the length of a vector of a progressive elimination. */
  public static void requireVector(ProgressiveElimination system, MemorySegment vector) {
    if (vector.byteSize() > system.blocks()) {
      throw new IllegalArgumentException(
          "vector of %d coefficients, expected at most %d"
              .formatted(vector.byteSize(), system.blocks()));
    }
  }

  /** Checks the size of a payload of a progressive elimination. */
  public static void requirePayload(ProgressiveElimination system, MemorySegment payload) {
    if (payload.byteSize() != system.blockSize()) {
      throw new IllegalArgumentException(
          "a payload of %d bytes, expected %d".formatted(payload.byteSize(), system.blockSize()));
    }
  }

  /**
   * Checks that source blocks from {@code first} on are solved, and that the destination fits.
   *
   * @throws IllegalStateException if a block is not solved
   */
  public static void requireSolved(
      ProgressiveElimination system, int first, ByteMatrices destination) {
    if (destination.count() != 1 || destination.columns() != system.blockSize()) {
      throw new IllegalArgumentException(
          "%d matrices of %d-byte rows, expected one of %d-byte rows"
              .formatted(destination.count(), destination.columns(), system.blockSize()));
    }
    Objects.checkFromIndexSize(first, destination.rows(), system.blocks());
    for (int source = first; source < first + destination.rows(); source++) {
      if (!system.isSolved(source)) {
        throw new IllegalStateException("source block " + source + " is not solved yet");
      }
    }
  }

  /** Checks that a system has at least one block of at least one byte. */
  public static void requireAtLeastOne(int n, int k) {
    if (n < 1 || k < 1) {
      throw new IllegalArgumentException(n + " blocks of " + k + " bytes: at least 1 of each");
    }
  }
}
