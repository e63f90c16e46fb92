package io.fieldstone.weights.codes;

import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.stream.file.NumpyArray;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Parses binary matrices from the bytes of a file: rows of 0s and 1s and alist ({@link
 * MatrixText}), MatrixMarket ({@code .mtx}), and NumPy ({@code .npy} and {@code .npz}), which their
 * first bytes distinguish. Makes matrices of lists of supports.
 */
public final class MatrixFile {

  /** The maximum number of entries of a matrix whose file has less than a byte for each. */
  public static final long MAX_ENTRIES = 1 << 25;

  private MatrixFile() {}

  /**
   * Parses a matrix.
   *
   * @param source the name of the source in messages, such as the file
   * @param maxSize the maximum number of columns, and of rows where their number is given
   * @throws MalformedMatrixException if the bytes are none of these formats
   */
  public static Gf2Matrix parse(String source, byte[] bytes, int maxSize)
      throws MalformedMatrixException {
    if (NumpyArray.isNumpy(bytes)) {
      return NumpyMatrix.parse(source, bytes, maxSize);
    }
    if (NumpyArchive.isArchive(bytes)) {
      return NumpyArchive.parse(source, bytes, maxSize);
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedMatrixException(source, "neither text in UTF-8 nor a file of NumPy");
    }
    return text.startsWith(MatrixMarket.BANNER)
        ? MatrixMarket.parse(source, text, maxSize)
        : MatrixText.parse(source, text, maxSize);
  }

  /**
   * Returns a matrix by the positions of the ones of each row, from 0.
   *
   * @param source the name of the source in messages, such as the file
   * @param minColumns the number of columns, unless there is a greater position
   * @param maxColumns the maximum number of columns
   * @throws MalformedMatrixException if a position is repeated or out of range, no row has one, or
   *     there are more than {@value #MAX_ENTRIES} entries
   */
  public static Gf2Matrix ofSupports(
      String source, List<List<Integer>> supports, int minColumns, int maxColumns)
      throws MalformedMatrixException {
    BitSet all = new BitSet();
    List<BitSet> rows = new ArrayList<>();
    for (List<Integer> support : supports) {
      BitSet row = new BitSet();
      for (int position : support) {
        if (position < 0 || position >= maxColumns || row.get(position)) {
          throw new MalformedMatrixException(
              source,
              "item %d: %d is %s"
                  .formatted(
                      rows.size() + 1,
                      position,
                      position < 0 || position >= maxColumns
                          ? "not a position in 0…" + (maxColumns - 1)
                          : "given twice"));
        }
        row.set(position);
      }
      rows.add(row);
      all.or(row);
    }
    if (all.isEmpty()) {
      throw new MalformedMatrixException(source, "no row with a position");
    }
    int columns = Math.max(minColumns, all.length());
    if ((long) rows.size() * columns > MAX_ENTRIES) {
      throw new MalformedMatrixException(
          source,
          "%d rows and %d columns are more than %d entries"
              .formatted(rows.size(), columns, MAX_ENTRIES));
    }
    int parts = Math.ceilDiv(columns, Long.SIZE);
    return Gf2Matrix.ofPacked(
        columns,
        rows.stream().map(row -> Arrays.copyOf(row.toLongArray(), parts)).toArray(long[][]::new));
  }

  static void requireSize(String source, long rows, long columns, int maxSize)
      throws MalformedMatrixException {
    if (columns < 1 || columns > maxSize || rows < 1 || rows > maxSize) {
      throw new MalformedMatrixException(
          source, "%d rows and %d columns are not both in 1…%d".formatted(rows, columns, maxSize));
    }
    if (rows * columns > MAX_ENTRIES) {
      throw new MalformedMatrixException(
          source,
          "%d rows and %d columns are more than %d entries".formatted(rows, columns, MAX_ENTRIES));
    }
  }
}
