package io.fieldstone.cpu.weights;

import io.fieldstone.engine.weights.WordGroups;

/**
 * The oracle, and the paper's loop for CPUs (JWD, Sec. 3). For each pair it computes x = popcount(u
 * ∧ v), y = popcount(u) − x, z = popcount(v) − x, and increments the bin (x, y, z). As a C compiler
 * does, it computes popcount(u) once for all v.
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
      long[] uBits = left.copy(u);
      int uOnes = PlainWords.weight(uBits);
      for (int v = (int) firstRight; v < endRight; v++) {
        int x = 0;
        int vOnes = 0;
        for (int part = 0; part < longs; part += 2) { // words have 2 or 4 longs
          long low = right.get(v, part);
          long high = right.get(v, part + 1);
          x += Long.bitCount(uBits[part] & low) + Long.bitCount(uBits[part + 1] & high);
          vOnes += Long.bitCount(low) + Long.bitCount(high);
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
