package io.fieldstone.cpu;

import io.fieldstone.engine.ByteMatrices;
import java.lang.foreign.MemorySegment;

/**
 * Where the rows of one matrix are: row r starts at byte {@code offset + r·stride} of {@code data}.
 * Unchecked; the ports check shapes before they make one.
 */
record Rows(MemorySegment data, long offset, long stride) {

  static Rows of(ByteMatrices matrices, long matrix) {
    return new Rows(matrices.data(), matrix * matrices.pitch(), matrices.stride());
  }

  long at(int row) {
    return offset + row * stride;
  }

  /** The same rows from {@code row} and {@code column} on. */
  Rows from(int row, long column) {
    return new Rows(data, offset + row * stride + column, stride);
  }
}
