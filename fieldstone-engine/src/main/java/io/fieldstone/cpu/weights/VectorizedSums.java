package io.fieldstone.cpu.weights;

import java.util.Arrays;

/**
 * Loops that the JVM compiles to vectors, one for each width. Where the CPU counts ones in vectors,
 * they are several times as fast as {@link ScalarSums}. A loop over the parts inside that over the
 * rows is not compiled to vectors, nor is one that stores weights.
 */
final class VectorizedSums implements SumKernel {

  private static final int GROUP = 4;

  /** Rows of a block of long words, whose weights are added in a buffer. */
  private static final int BLOCK_ROWS = 1024;

  @Override
  public int least(long[][] parts, int counted, int first, int end, long[] base) {
    return switch (counted) {
      case 1 -> least1(parts, first, end, base);
      case 2 -> least2(parts, first, end, base);
      case 3 -> least3(parts, first, end, base);
      case 4 -> least4(parts, first, end, base);
      default -> leastOfBlocks(parts, counted, first, end, base);
    };
  }

  private static int least1(long[][] parts, int first, int end, long[] base) {
    long[] p0 = parts[0];
    long b0 = base[0];
    int least = Integer.MAX_VALUE;
    for (int row = first; row < end; row++) {
      int weight = Long.bitCount(p0[row] ^ b0);
      least = Math.min(least, weight);
    }
    return least;
  }

  private static int least2(long[][] parts, int first, int end, long[] base) {
    long[] p0 = parts[0];
    long[] p1 = parts[1];
    long b0 = base[0];
    long b1 = base[1];
    int least = Integer.MAX_VALUE;
    for (int row = first; row < end; row++) {
      int weight = Long.bitCount(p0[row] ^ b0) + Long.bitCount(p1[row] ^ b1);
      least = Math.min(least, weight);
    }
    return least;
  }

  private static int least3(long[][] parts, int first, int end, long[] base) {
    long[] p0 = parts[0];
    long[] p1 = parts[1];
    long[] p2 = parts[2];
    long b0 = base[0];
    long b1 = base[1];
    long b2 = base[2];
    int least = Integer.MAX_VALUE;
    for (int row = first; row < end; row++) {
      int weight =
          Long.bitCount(p0[row] ^ b0) + Long.bitCount(p1[row] ^ b1) + Long.bitCount(p2[row] ^ b2);
      least = Math.min(least, weight);
    }
    return least;
  }

  private static int least4(long[][] parts, int first, int end, long[] base) {
    long[] p0 = parts[0];
    long[] p1 = parts[1];
    long[] p2 = parts[2];
    long[] p3 = parts[3];
    long b0 = base[0];
    long b1 = base[1];
    long b2 = base[2];
    long b3 = base[3];
    int least = Integer.MAX_VALUE;
    for (int row = first; row < end; row++) {
      int weight =
          Long.bitCount(p0[row] ^ b0)
              + Long.bitCount(p1[row] ^ b1)
              + Long.bitCount(p2[row] ^ b2)
              + Long.bitCount(p3[row] ^ b3);
      least = Math.min(least, weight);
    }
    return least;
  }

  private static int leastOfBlocks(long[][] parts, int counted, int first, int end, long[] base) {
    int[] weights = new int[Math.min(BLOCK_ROWS, Math.max(0, end - first))];
    int least = Integer.MAX_VALUE;
    for (int block = first; block < end; block += BLOCK_ROWS) {
      int rows = Math.min(BLOCK_ROWS, end - block);
      Arrays.fill(weights, 0, rows, 0);
      int part = 0;
      for (; part + GROUP <= counted; part += GROUP) {
        add4(parts, part, base, block, rows, weights);
      }
      for (; part < counted; part++) {
        add1(parts[part], base[part], block, rows, weights);
      }
      for (int row = 0; row < rows; row++) {
        least = Math.min(least, weights[row]);
      }
    }
    return least;
  }

  private static void add4(
      long[][] parts, int group, long[] base, int first, int rows, int[] weights) {
    long[] p0 = parts[group];
    long[] p1 = parts[group + 1];
    long[] p2 = parts[group + 2];
    long[] p3 = parts[group + 3];
    long b0 = base[group];
    long b1 = base[group + 1];
    long b2 = base[group + 2];
    long b3 = base[group + 3];
    for (int row = 0; row < rows; row++) {
      weights[row] +=
          Long.bitCount(p0[first + row] ^ b0)
              + Long.bitCount(p1[first + row] ^ b1)
              + Long.bitCount(p2[first + row] ^ b2)
              + Long.bitCount(p3[first + row] ^ b3);
    }
  }

  private static void add1(long[] part, long base, int first, int rows, int[] weights) {
    for (int row = 0; row < rows; row++) {
      weights[row] += Long.bitCount(part[first + row] ^ base);
    }
  }
}
