package io.fieldstone.cpu.weights;

import io.fieldstone.engine.weights.WordGroups;

/**
 * The oracle, and the paper's loop for CPUs (JWD, Sec. 3). For each pair it computes x = popcount(u
 * ∧ v), y = popcount(u) − x, z = popcount(v) − x, and increments the bin (x, y, z).
 */
final class NaivePairs implements PairKernel {

  private final PlainWords left;
  private final PlainWords right;

  NaivePairs(WordGroups left, WordGroups right) {
    this.left = PlainWords.of(left.words());
    this.right = PlainWords.of(right.words());
  }

  @Override
  public void count(
      long firstLeft,
      long endLeft,
      int leftWeight,
      long firstRight,
      long endRight,
      int rightWeight,
      long[] byCommonOnes) {
    int yBins = leftWeight + 1;
    int zBins = rightWeight + 1;
    int[] bins = new int[(Math.min(leftWeight, rightWeight) + 1) * yBins * zBins];
    int longs = left.longs();
    for (int u = (int) firstLeft; u < endLeft; u++) {
      for (int v = (int) firstRight; v < endRight; v++) {
        int x = 0;
        int uOnes = 0;
        int vOnes = 0;
        for (int part = 0; part < longs; part++) {
          long uBits = left.get(u, part);
          long vBits = right.get(v, part);
          x += Long.bitCount(uBits & vBits);
          uOnes += Long.bitCount(uBits);
          vOnes += Long.bitCount(vBits);
        }
        int y = uOnes - x;
        int z = vOnes - x;
        bins[(x * yBins + y) * zBins + z]++;
      }
    }
    for (int x = 0; x <= Math.min(leftWeight, rightWeight); x++) {
      byCommonOnes[x] += bins[(x * yBins + leftWeight - x) * zBins + rightWeight - x];
    }
  }
}
