package io.fieldstone.weights.distance;

import java.util.Arrays;

/**
 * Loops that the JVM compiles to vectors, one for each width. Where the CPU counts ones in vectors,
 * they are several times as fast as {@link ScalarSums}. A loop over the parts inside that over the
 * rows is not compiled to vectors, nor is one that stores weights.
 */
final class VectorizedSums implements SumKernel {

  private static final int GROUP = 8;

  /** Rows of a block of long words, whose weights are added in a buffer. */
  private static final int BLOCK_ROWS = 1024;

  /** Returns the parts, at least as many as given, for which there is a loop. */
  static int width(int parts) {
    return parts <= 4 ? parts : parts <= 12 ? Math.ceilDiv(parts, 4) * 4 : groups(parts) * GROUP;
  }

  private static int groups(int parts) {
    return Math.ceilDiv(parts, GROUP);
  }

  @Override
  public int least(long[][] parts, int counted, int first, int end, long[] base) {
    return switch (counted) {
      case 1 -> least1(parts, first, end, base);
      case 2 -> least2(parts, first, end, base);
      case 3 -> least3(parts, first, end, base);
      case 4 -> least4(parts, first, end, base);
      case 8 -> least8(parts, first, end, base);
      case 12 -> least12(parts, first, end, base);
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

  private static int least8(long[][] parts, int first, int end, long[] base) {
    long[] p0 = parts[0];
    long[] p1 = parts[1];
    long[] p2 = parts[2];
    long[] p3 = parts[3];
    long[] p4 = parts[4];
    long[] p5 = parts[5];
    long[] p6 = parts[6];
    long[] p7 = parts[7];
    long b0 = base[0];
    long b1 = base[1];
    long b2 = base[2];
    long b3 = base[3];
    long b4 = base[4];
    long b5 = base[5];
    long b6 = base[6];
    long b7 = base[7];
    int least = Integer.MAX_VALUE;
    for (int row = first; row < end; row++) {
      int weight =
          Long.bitCount(p0[row] ^ b0)
              + Long.bitCount(p1[row] ^ b1)
              + Long.bitCount(p2[row] ^ b2)
              + Long.bitCount(p3[row] ^ b3)
              + Long.bitCount(p4[row] ^ b4)
              + Long.bitCount(p5[row] ^ b5)
              + Long.bitCount(p6[row] ^ b6)
              + Long.bitCount(p7[row] ^ b7);
      least = Math.min(least, weight);
    }
    return least;
  }

  private static int least12(long[][] parts, int first, int end, long[] base) {
    long[] p0 = parts[0];
    long[] p1 = parts[1];
    long[] p2 = parts[2];
    long[] p3 = parts[3];
    long[] p4 = parts[4];
    long[] p5 = parts[5];
    long[] p6 = parts[6];
    long[] p7 = parts[7];
    long[] p8 = parts[8];
    long[] p9 = parts[9];
    long[] p10 = parts[10];
    long[] p11 = parts[11];
    long b0 = base[0];
    long b1 = base[1];
    long b2 = base[2];
    long b3 = base[3];
    long b4 = base[4];
    long b5 = base[5];
    long b6 = base[6];
    long b7 = base[7];
    long b8 = base[8];
    long b9 = base[9];
    long b10 = base[10];
    long b11 = base[11];
    int least = Integer.MAX_VALUE;
    for (int row = first; row < end; row++) {
      int weight =
          Long.bitCount(p0[row] ^ b0)
              + Long.bitCount(p1[row] ^ b1)
              + Long.bitCount(p2[row] ^ b2)
              + Long.bitCount(p3[row] ^ b3)
              + Long.bitCount(p4[row] ^ b4)
              + Long.bitCount(p5[row] ^ b5)
              + Long.bitCount(p6[row] ^ b6)
              + Long.bitCount(p7[row] ^ b7)
              + Long.bitCount(p8[row] ^ b8)
              + Long.bitCount(p9[row] ^ b9)
              + Long.bitCount(p10[row] ^ b10)
              + Long.bitCount(p11[row] ^ b11);
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
      for (int group = 0; group < counted; group += GROUP) {
        add8(parts, group, base, block, rows, weights);
      }
      for (int row = 0; row < rows; row++) {
        least = Math.min(least, weights[row]);
      }
    }
    return least;
  }

  private static void add8(
      long[][] parts, int group, long[] base, int first, int rows, int[] weights) {
    long[] p0 = parts[group + 0];
    long[] p1 = parts[group + 1];
    long[] p2 = parts[group + 2];
    long[] p3 = parts[group + 3];
    long[] p4 = parts[group + 4];
    long[] p5 = parts[group + 5];
    long[] p6 = parts[group + 6];
    long[] p7 = parts[group + 7];
    long b0 = base[group + 0];
    long b1 = base[group + 1];
    long b2 = base[group + 2];
    long b3 = base[group + 3];
    long b4 = base[group + 4];
    long b5 = base[group + 5];
    long b6 = base[group + 6];
    long b7 = base[group + 7];
    for (int row = 0; row < rows; row++) {
      weights[row] +=
          Long.bitCount(p0[first + row] ^ b0)
              + Long.bitCount(p1[first + row] ^ b1)
              + Long.bitCount(p2[first + row] ^ b2)
              + Long.bitCount(p3[first + row] ^ b3)
              + Long.bitCount(p4[first + row] ^ b4)
              + Long.bitCount(p5[first + row] ^ b5)
              + Long.bitCount(p6[first + row] ^ b6)
              + Long.bitCount(p7[first + row] ^ b7);
    }
  }
}
