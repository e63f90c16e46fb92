package io.fieldstone.weights.distance;

import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.Subsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * A systematic generator matrix (I, A) of a space, or of a part of it: rows of I may be zero. A sum
 * of s other rows has weight s in I.
 *
 * @param redundancy the rows of A with their labels; a column of zeros if A has none
 * @param identity the columns of I, by row
 * @param columns the columns of A
 */
record SystematicRows(LabelledWords redundancy, List<Integer> identity, List<Integer> columns) {

  /** Returns the matrix of a reduced table. */
  static SystematicRows of(WordSpace space, RowTable table) {
    PartialSet whole = PartialSet.whole(space, table);
    return of(
        space,
        table,
        whole.kept(),
        Arrays.stream(whole.kept()).mapToObj(row -> new int[] {row}).toList());
  }

  /**
   * Returns rows that are sums of those of a reduced table.
   *
   * @param kept the rows of the table whose columns are those of I
   * @param sums the rows of the table that each row is the sum of: first the kept ones, then those
   *     that are zero in I
   */
  static SystematicRows of(WordSpace space, RowTable table, int[] kept, List<int[]> sums) {
    int n = space.length();
    int[] pivots = table.pivots();
    boolean[] isIdentity = new boolean[n];
    List<Integer> identity = Arrays.stream(kept).mapToObj(row -> pivots[row]).toList();
    identity.forEach(column -> isIdentity[column] = true);
    int[] columns = new int[n - kept.length];
    int next = 0;
    for (int column = 0; column < n; column++) {
      if (!isIdentity[column]) {
        columns[next++] = column;
      }
    }
    int length = Math.max(1, columns.length);
    int longs = WordSpace.parts(length);
    int labelParts = table.parts().length - table.counted();
    long[][] rows = new long[sums.size()][longs + labelParts];
    for (int row = 0; row < rows.length; row++) {
      for (int each : sums.get(row)) {
        for (int i = 0; i < columns.length; i++) {
          long bit = table.parts()[columns[i] / Long.SIZE][each] >>> columns[i] & 1;
          rows[row][i / Long.SIZE] ^= bit << i;
        }
        for (int part = 0; part < labelParts; part++) {
          rows[row][longs + part] ^= table.parts()[table.counted() + part][each];
        }
      }
    }
    int labelBits = space.isQuotient() ? space.logicalDimension() : 0;
    return new SystematicRows(
        LabelledWords.of(rows, length, labelBits),
        identity,
        Arrays.stream(columns).boxed().toList());
  }

  /** Returns a matrix of a space whose first independent columns are those of I. */
  static SystematicRows of(WordSpace space) {
    int[] order = new int[space.length()];
    Arrays.setAll(order, column -> column);
    RowTable table = space.table();
    table.reduce(order, order);
    return of(space, table);
  }

  /** Returns the sum of rows with a number. */
  LightWord word(int size, long number) {
    long[][] parts = redundancy.parts();
    int rows = identity.size();
    BitSet bits = new BitSet();
    for (int row : Subsets.subset(redundancy.count(), size, number)) {
      if (row < rows) {
        bits.set(row); // others have no column of their own, and bit `rows` is that of the first
      }
      for (int i = 0; i < columns.size(); i++) {
        if ((parts[i / Long.SIZE][row] >>> i & 1) == 1) {
          bits.flip(rows + i);
        }
      }
    }
    return word(bits);
  }

  /** Returns a word whose bits are in the order of this matrix: those of I first. */
  LightWord word(BitSet bits) {
    int rows = identity.size();
    return new LightWord(
        bits.stream()
            .mapToObj(bit -> bit < rows ? identity.get(bit) : columns.get(bit - rows))
            .sorted()
            .toList());
  }

  /** Returns the weights of the rows; {@link Integer#MAX_VALUE} if the label is zero. */
  int[] weights() {
    int[] weights = new int[redundancy.count()];
    long[][] parts = redundancy.parts();
    for (int row = 0; row < weights.length; row++) {
      long label = redundancy.labelBits() == 0 ? 1 : 0;
      int weight = 1;
      for (int part = 0; part < parts.length; part++) {
        boolean isWord = part < redundancy.wordLongs();
        weight += isWord ? Long.bitCount(parts[part][row]) : 0;
        label |= isWord ? 0 : parts[part][row];
      }
      weights[row] = label == 0 ? Integer.MAX_VALUE : weight;
    }
    return weights;
  }
}
