package io.fieldstone.engine.coding;

import io.fieldstone.field.Gf256;

/** The port for blocks that stay on an engine, which has it beside {@link Products}. */
public interface BlockMemory {

  /**
   * Allocates zeroed engine memory for {@code count} matrices of {@code rows}×{@code columns}
   * bytes, in the layout that this engine multiplies fastest.
   *
   * @throws IllegalArgumentException if a dimension is negative
   */
  ResidentBlocks allocate(Gf256 field, long count, int rows, int columns);
}
