package io.fieldstone.rlnc;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.VectorScan;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Finds generations of a pipeline code whose frames, sorted by how far they reach, make a lower
 * triangle (HPDS, Fig. 1): those need no elimination.
 */
final class Triangles {

  private static final int NONE = -1;

  private final int n;
  private final boolean[] found;

  /** By generation and frame s: the row of a vector that ends with source block s. */
  private final int[] rows;

  /**
   * @param capacity generations it can tell of
   * @param n blocks of a generation
   */
  Triangles(int capacity, int n) {
    this.n = n;
    this.found = new boolean[capacity];
    this.rows = new int[Math.multiplyExact(capacity, n)];
  }

  /** Whether generation g is one of those found. */
  boolean isTriangle(int g) {
    return found[g];
  }

  /** Takes generation g for none. */
  void reject(int g) {
    found[g] = false;
  }

  /** Looks at the first {@code held} vectors of generation g. */
  void find(int g, ByteMatrices vectors, int held) {
    int from = g * n;
    Arrays.fill(rows, from, from + n, NONE);
    int frames = 0;
    for (int row = 0; row < held; row++) {
      int last = VectorScan.support(vectors.data(), vectors.offset(g, row), n) - 1;
      if (last >= 0 && rows[from + last] == NONE) {
        rows[from + last] = row;
        frames++;
      }
    }
    found[g] = frames == n;
  }

  /** The rows of generations {@code first} … {@code end − 1}, sorted. */
  int[] order(int first, int end) {
    return Arrays.copyOfRange(rows, first * n, end * n);
  }

  /** Copies their vectors, sorted, to {@code lower}, count × n×n bytes. */
  void gather(int first, int end, ByteMatrices vectors, ByteMatrices lower) {
    for (int g = first; g < end; g++) {
      for (int s = 0; s < n; s++) {
        MemorySegment.copy(
            vectors.data(),
            vectors.offset(g, rows[g * n + s]),
            lower.data(),
            lower.offset(g - first, s),
            n);
      }
    }
  }
}
