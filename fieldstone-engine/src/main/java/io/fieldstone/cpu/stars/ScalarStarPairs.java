package io.fieldstone.cpu.stars;

import io.fieldstone.engine.stars.StarBatch.PairBits;
import io.fieldstone.engine.stars.StarField;
import java.util.Arrays;

/** Tests one pair at a time. */
final class ScalarStarPairs implements StarPairs {

  private final StarTest test;
  private final CandidateLists lists;
  private int lowest;
  private int count;

  ScalarStarPairs(StarField field) {
    this.test = new StarTest(field);
    this.lists = new CandidateLists(field);
  }

  @Override
  public int moveTo(int lowest) {
    this.lowest = lowest;
    this.count = lists.list(lowest);
    return count;
  }

  @Override
  public int[] candidates() {
    return lists.candidates();
  }

  @Override
  public long count() {
    int[] candidates = lists.candidates();
    long stars = 0;
    for (int b = 1; b < count; b++) {
      for (int a = 0; a < b; a++) {
        if (test.isStar(lowest, candidates[a], candidates[b])) {
          stars++;
        }
      }
    }
    return stars;
  }

  @Override
  public void bits(int[] words, int from) {
    int[] candidates = lists.candidates();
    int row = from;
    for (int b = 1; b < count; b++) {
      int end = row + PairBits.rowWords(b);
      Arrays.fill(words, row, end, 0);
      for (int a = 0; a < b; a++) {
        if (test.isStar(lowest, candidates[a], candidates[b])) {
          words[row + a / PairBits.WORD_BITS] |= 1 << a;
        }
      }
      row = end;
    }
  }
}
