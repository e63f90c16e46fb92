package io.fieldstone.weights.distance;

import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.CodeFamily;
import java.util.List;

/** Times cosets on one thread beside the oracle, in turns: names of codes are the arguments. */
final class CosetTimer {

  private static final int TURNS = 3;

  private CosetTimer() {}

  public static void main(String[] codes) {
    for (String code : codes) {
      WordSpace space = WordSpace.of(CodeFamily.parse(code));
      Gf2Matrix checks = space.parityCheck();
      long oracleNs = Long.MAX_VALUE;
      long blocksNs = Long.MAX_VALUE;
      for (int turn = 0; turn < TURNS; turn++) {
        long begunNs = System.nanoTime();
        List<Long> expected = ScalarCosets.counts(checks);
        long betweenNs = System.nanoTime();
        List<Long> counts = CosetWeights.of(space, 1).counts((_, _) -> {});
        blocksNs = Math.min(blocksNs, System.nanoTime() - betweenNs);
        oracleNs = Math.min(oracleNs, betweenNs - begunNs);
        if (!counts.equals(expected)) {
          throw new AssertionError(code + ": " + counts + " and " + expected);
        }
      }
      System.out.printf("%s: oracle %.2f s, blocks %.2f s%n", code, oracleNs / 1e9, blocksNs / 1e9);
    }
  }
}
