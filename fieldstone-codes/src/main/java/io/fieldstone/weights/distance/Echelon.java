package io.fieldstone.weights.distance;

import java.util.ArrayList;
import java.util.List;

/** Independent words in echelon form, each with a label that is added along. */
final class Echelon {

  private final List<long[]> words = new ArrayList<>();
  private final List<long[]> labels = new ArrayList<>();
  private final List<Integer> pivots = new ArrayList<>();

  /** Adds a word; returns false if it is a sum of earlier words. */
  boolean add(long[] word, long[] label) {
    long[] rest = word.clone();
    long[] sum = label.clone();
    reduce(rest, sum);
    int pivot = firstOne(rest);
    if (pivot < 0) {
      return false;
    }
    words.add(rest);
    labels.add(sum);
    pivots.add(pivot);
    return true;
  }

  /**
   * Returns true if a word is in the span, and adds the labels of the words that it is a sum of.
   */
  boolean contains(long[] word, long[] label) {
    long[] rest = word.clone();
    reduce(rest, label);
    return firstOne(rest) < 0;
  }

  private void reduce(long[] word, long[] label) {
    for (int row = 0; row < words.size(); row++) {
      int pivot = pivots.get(row);
      if ((word[pivot / Long.SIZE] >>> pivot & 1) == 1) {
        addTo(word, words.get(row));
        addTo(label, labels.get(row));
      }
    }
  }

  private static void addTo(long[] sum, long[] word) {
    for (int part = 0; part < word.length; part++) {
      sum[part] ^= word[part];
    }
  }

  private static int firstOne(long[] word) {
    for (int part = 0; part < word.length; part++) {
      if (word[part] != 0) {
        return part * Long.SIZE + Long.numberOfTrailingZeros(word[part]);
      }
    }
    return -1;
  }
}
