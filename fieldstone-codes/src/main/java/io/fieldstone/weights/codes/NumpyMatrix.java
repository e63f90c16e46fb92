package io.fieldstone.weights.codes;

import io.fieldstone.field.Gf2Matrix;

/**
 * Parses the format {@code .npy} of NumPy: arrays of two dimensions whose items are booleans,
 * integers or floating-point numbers, all 0 or 1.
 */
final class NumpyMatrix {

  private NumpyMatrix() {}

  static Gf2Matrix parse(String source, byte[] bytes, int maxSize) throws MalformedMatrixException {
    NumpyItems items = new NumpyItems(source, bytes);
    if (items.shape().size() != 2) {
      throw new MalformedMatrixException(
          source, "shape %s has not two dimensions".formatted(items.shape()));
    }
    MatrixFile.requireSize(source, items.shape().getFirst(), items.shape().getLast(), maxSize);
    int rows = items.shape().getFirst().intValue();
    int columns = items.shape().getLast().intValue();
    double[] entries = items.numbers(rows * columns);
    for (int i = 0; i < entries.length; i++) {
      if (entries[i] != 0 && entries[i] != 1) {
        int row = items.isByColumns() ? i % rows : i / columns;
        int column = items.isByColumns() ? i / rows : i % columns;
        throw new MalformedMatrixException(
            source,
            "row %d, column %d (from 1): %s is not 0 or 1"
                .formatted(row + 1, column + 1, entries[i]));
      }
    }
    return Gf2Matrix.generate(
        rows,
        columns,
        (row, column) ->
            (int) entries[items.isByColumns() ? column * rows + row : row * columns + column]);
  }
}
