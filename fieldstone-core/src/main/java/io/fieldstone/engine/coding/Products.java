package io.fieldstone.engine.coding;

import io.fieldstone.field.Gf256;

/**
 * The matrix-product port: coefficients by blocks over GF(2^8), the loop that encodes, recodes and
 * decodes. Thread-safe.
 */
public interface Products {

  /**
   * For each generation g: {@code products[g] = coefficients[g] · sources[g]}, m×n by n×k bytes.
   *
   * <p>With n = 0 the products are zero. Nothing outside the m×k bytes of each product is written.
   *
   * @param field the field to multiply in
   * @param coefficients count × m×n, given or drawn by the engine
   * @param sources count × n×k bytes
   * @param products count × m×k bytes, overwritten; must not overlap the inputs
   * @throws IllegalArgumentException if the shapes do not agree; the message names both
   */
  void multiply(
      Gf256 field, Coefficients coefficients, ByteMatrices sources, ByteMatrices products);
}
