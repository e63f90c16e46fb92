package io.fieldstone.cpu.weights;

/** The oracle of {@link SumKernel}: one row after the other. */
final class ScalarSums implements SumKernel {

  @Override
  public int least(long[][] parts, int counted, int first, int end, long[] base) {
    int least = Integer.MAX_VALUE;
    for (int row = first; row < end; row++) {
      int weight = 0;
      for (int part = 0; part < counted; part++) {
        weight += Long.bitCount(parts[part][row] ^ base[part]);
      }
      least = Math.min(least, weight);
    }
    return least;
  }
}
