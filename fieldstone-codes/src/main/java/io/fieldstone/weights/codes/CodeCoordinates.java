package io.fieldstone.weights.codes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Computes the coordinates of words in a basis. Immutable and thread-safe. */
public final class CodeCoordinates {

  /**
   * A sum of basis rows in echelon form.
   *
   * @param pivot the position of its first one, which differs from those of all other sums
   */
  @SuppressWarnings("ArrayRecordComponent") // Private, and only read.
  private record Reduced(long[] word, int pivot, BitSet rows) {}

  private final List<Reduced> reduced = new ArrayList<>();

  private CodeCoordinates() {}

  /**
   * Returns the coordinates of a basis.
   *
   * @param basis independent packed words
   * @throws IllegalArgumentException if the words are dependent
   */
  public static CodeCoordinates of(List<long[]> basis) {
    CodeCoordinates coordinates = new CodeCoordinates();
    for (int row = 0; row < basis.size(); row++) {
      long[] rest = basis.get(row).clone();
      BitSet rows = coordinates.reduce(rest);
      if (isZero(rest)) {
        throw new IllegalArgumentException("row " + row + " is a sum of earlier rows");
      }
      rows.set(row);
      coordinates.reduced.add(new Reduced(rest, firstOne(rest), rows));
    }
    return coordinates;
  }

  /** Returns the rows whose sum is a word; empty if the word is not in the span. */
  public Optional<BitSet> of(long[] word) {
    long[] rest = word.clone();
    BitSet rows = reduce(rest);
    return isZero(rest) ? Optional.of(rows) : Optional.empty();
  }

  /** Reduces a word by the basis; returns the rows that were subtracted. */
  private BitSet reduce(long[] word) {
    BitSet rows = new BitSet();
    for (Reduced step : reduced) {
      if ((word[step.pivot() / Long.SIZE] >>> step.pivot() % Long.SIZE & 1) == 1) {
        for (int part = 0; part < word.length; part++) {
          word[part] ^= step.word()[part];
        }
        rows.xor(step.rows());
      }
    }
    return rows;
  }

  private static boolean isZero(long[] word) {
    for (long part : word) {
      if (part != 0) {
        return false;
      }
    }
    return true;
  }

  private static int firstOne(long[] word) {
    return BitSet.valueOf(word).nextSetBit(0);
  }
}
