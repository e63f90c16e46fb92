package io.fieldstone.weights.distance;

import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.Subsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * A systematic generator matrix (I, A) of a space. A sum of s rows has weight s in I.
 *
 * @param redundancy the rows of A with their labels; a column of zeros if A has none
 * @param columns the columns of the space: first those of I, by row, then those of A
 */
record SystematicRows(LabelledWords redundancy, List<Integer> columns) {

  /** Returns the matrix of a reduced table. */
  static SystematicRows of(WordSpace space, RowTable table) {
    int n = space.length();
    int[] pivots = table.pivots();
    boolean[] isPivot = new boolean[n];
    for (int pivot : pivots) {
      isPivot[pivot] = true;
    }
    int[] columns = Arrays.copyOf(pivots, n);
    int next = pivots.length;
    for (int column = 0; column < n; column++) {
      if (!isPivot[column]) {
        columns[next++] = column;
      }
    }
    int length = Math.max(1, n - pivots.length);
    int longs = WordSpace.parts(length);
    int labelParts = table.parts().length - table.counted();
    long[][] rows = new long[pivots.length][longs + labelParts];
    for (int row = 0; row < rows.length; row++) {
      for (int i = 0; i < n - pivots.length; i++) {
        int column = columns[pivots.length + i];
        long bit = table.parts()[column / Long.SIZE][row] >>> column & 1;
        rows[row][i / Long.SIZE] |= bit << i;
      }
      for (int part = 0; part < labelParts; part++) {
        rows[row][longs + part] = table.parts()[table.counted() + part][row];
      }
    }
    int labelBits = space.isQuotient() ? space.logicalDimension() : 0;
    return new SystematicRows(
        LabelledWords.of(rows, length, labelBits), Arrays.stream(columns).boxed().toList());
  }

  /** Returns a matrix of a space whose first independent columns are those of I. */
  static SystematicRows of(WordSpace space) {
    int[] order = new int[space.length()];
    Arrays.setAll(order, column -> column);
    RowTable table = space.table();
    table.reduce(order, order);
    return of(space, table);
  }

  int rows() {
    return redundancy.count();
  }

  /** Returns the sum of rows with a number. */
  LightWord word(int size, long number) {
    long[][] parts = redundancy.parts();
    BitSet bits = new BitSet(columns.size());
    for (int row : Subsets.subset(rows(), size, number)) {
      bits.set(row);
      for (int i = 0; i < redundancy.length(); i++) {
        if ((parts[i / Long.SIZE][row] >>> i & 1) == 1) {
          bits.flip(rows() + i);
        }
      }
    }
    return word(bits);
  }

  /** Returns a word whose columns are in the order of this matrix. */
  LightWord word(BitSet bits) {
    return new LightWord(bits.stream().mapToObj(columns::get).sorted().toList());
  }

  /** Returns the weights of the rows; {@link Integer#MAX_VALUE} if the label is zero. */
  int[] weights() {
    int[] weights = new int[rows()];
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
