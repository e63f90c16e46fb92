package io.fieldstone.weights.distance;

import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.Subsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows of a systematic generator matrix (I, A) of a space, and sums of them. Only the columns of A
 * are counted.
 *
 * @param table the reduced table of the rows
 * @param sums the rows of the table that each row of A is the sum of
 * @param redundancy the rows of A with their labels; a column of zeros if A has none
 * @param identity the columns of I; of the matrix of a space, by row
 * @param columns the columns of A
 */
record SystematicRows(
    RowTable table,
    List<int[]> sums,
    LabelledWords redundancy,
    List<Integer> identity,
    List<Integer> columns) {

  /**
   * Returns sums of rows of a reduced table.
   *
   * @param identity the columns of I
   */
  static SystematicRows of(
      WordSpace space, RowTable table, List<Integer> identity, List<int[]> sums) {
    int n = space.length();
    boolean[] isIdentity = new boolean[n];
    identity.forEach(column -> isIdentity[column] = true);
    int[] columns = new int[n - identity.size()];
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
        table,
        sums,
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
    return of(
        space,
        table,
        Arrays.stream(table.pivots()).boxed().toList(),
        IntStream.range(0, table.rows()).mapToObj(row -> new int[] {row}).toList());
  }

  /** Returns the sum of rows with a number. */
  LightWord word(int size, long number) {
    long[] word = new long[table.counted()];
    for (int row : Subsets.subset(redundancy.count(), size, number)) {
      for (int each : sums.get(row)) {
        for (int part = 0; part < word.length; part++) {
          word[part] ^= table.parts()[part][each];
        }
      }
    }
    return LightWord.of(word);
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
