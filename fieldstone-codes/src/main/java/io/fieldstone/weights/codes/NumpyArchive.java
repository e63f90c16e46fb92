package io.fieldstone.weights.codes;

import io.fieldstone.field.Gf2Matrix;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Parses archives {@code .npz} of NumPy, in ZIP format: one array, as {@code numpy.savez} writes
 * it, or a sparse matrix, as {@code scipy.sparse.save_npz} writes it, by rows (csr), by columns
 * (csc) or by coordinates (coo).
 */
final class NumpyArchive {

  private static final byte[] MAGIC = {'P', 'K', 3, 4};
  private static final String ENDING = ".npy";
  private static final int MAX_ARRAYS = 64;

  /** The bytes of all arrays: the largest matrix, as numbers of 64 bits, and its places. */
  private static final long MAX_BYTES = 8 * MatrixFile.MAX_ENTRIES + (1 << 20);

  private final String source;
  private final int maxSize;
  private final Map<String, byte[]> arrays;

  private NumpyArchive(String source, int maxSize, Map<String, byte[]> arrays) {
    this.source = source;
    this.maxSize = maxSize;
    this.arrays = arrays;
  }

  static boolean isArchive(byte[] bytes) {
    return bytes.length >= MAGIC.length
        && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  static Gf2Matrix parse(String source, byte[] bytes, int maxSize) throws MalformedMatrixException {
    Map<String, byte[]> arrays = new TreeMap<>();
    long left = MAX_BYTES;
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        byte[] content = zip.readNBytes((int) left);
        left -= content.length;
        if (left <= 0 || arrays.size() == MAX_ARRAYS) {
          throw new MalformedMatrixException(
              source, "more than %d arrays or %d bytes".formatted(MAX_ARRAYS, MAX_BYTES));
        }
        if (entry.getName().endsWith(ENDING)) {
          String name = entry.getName();
          arrays.put(name.substring(0, name.length() - ENDING.length()), content);
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new MalformedMatrixException(source, "a damaged archive: " + e.getMessage());
    }
    return new NumpyArchive(source, maxSize, arrays).matrix();
  }

  private Gf2Matrix matrix() throws MalformedMatrixException {
    if (!arrays.containsKey("format")) {
      if (arrays.size() != 1) {
        throw new MalformedMatrixException(
            source,
            "arrays %s; expected one, or those of a sparse matrix".formatted(arrays.keySet()));
      }
      Map.Entry<String, byte[]> only = arrays.entrySet().iterator().next();
      return NumpyMatrix.parse(source + ", " + only.getKey(), only.getValue(), maxSize);
    }
    double[] shape = array("shape").list(2);
    if (shape.length != 2) {
      throw new MalformedMatrixException(source, "a shape that has not two dimensions");
    }
    MatrixFile.requireSize(source, (long) shape[0], (long) shape[1], maxSize);
    int rows = (int) shape[0];
    int columns = (int) shape[1];
    String format = array("format").text();
    return switch (format) {
      case "csr" -> matrix(rows, columns, compressed(rows), places("indices"));
      case "csc" -> matrix(rows, columns, places("indices"), compressed(columns));
      case "coo" -> matrix(rows, columns, places("row"), places("col"));
      default ->
          throw new MalformedMatrixException(
              source, "a sparse matrix of format '%s'; read are csr, csc, coo".formatted(format));
    };
  }

  private NumpyItems array(String name) throws MalformedMatrixException {
    byte @Nullable [] bytes = arrays.get(name);
    if (bytes == null) {
      throw new MalformedMatrixException(
          source, "a sparse matrix without '%s'; there are %s".formatted(name, arrays.keySet()));
    }
    return new NumpyItems(source + ", " + name, bytes);
  }

  private double[] places(String name) throws MalformedMatrixException {
    return array(name).list((int) MatrixFile.MAX_ENTRIES);
  }

  /** Returns the row, or the column, of each entry of a matrix by rows, or by columns. */
  private double[] compressed(int count) throws MalformedMatrixException {
    double[] ends = places("indptr");
    int entries = places("indices").length;
    if (ends.length != count + 1 || ends[0] != 0 || ends[count] != entries) {
      throw new MalformedMatrixException(
          source,
          "'indptr' has not %d numbers from 0 to the %d of 'indices'"
              .formatted(count + 1, entries));
    }
    double[] places = new double[entries];
    for (int place = 0; place < count; place++) {
      if (ends[place] > ends[place + 1]) {
        throw new MalformedMatrixException(source, "'indptr' descends after " + place);
      }
      for (int entry = (int) ends[place]; entry < ends[place + 1]; entry++) {
        places[entry] = place;
      }
    }
    return places;
  }

  private Gf2Matrix matrix(int rows, int columns, double[] rowOf, double[] columnOf)
      throws MalformedMatrixException {
    double[] data = places("data");
    if (rowOf.length != data.length || columnOf.length != data.length) {
      throw new MalformedMatrixException(
          source,
          "%d entries in %d rows and %d columns"
              .formatted(data.length, rowOf.length, columnOf.length));
    }
    long[][] bits = new long[rows][Math.ceilDiv(columns, Long.SIZE)];
    for (int entry = 0; entry < data.length; entry++) {
      int row = place(rowOf[entry], rows, "row");
      int column = place(columnOf[entry], columns, "column");
      if (data[entry] != 0 && data[entry] != 1) {
        throw new MalformedMatrixException(
            source,
            "row %d, column %d (from 1): %s is not 0 or 1"
                .formatted(row + 1, column + 1, data[entry]));
      }
      if (data[entry] == 1) {
        if ((bits[row][column / Long.SIZE] >>> column & 1) == 1) {
          throw new MalformedMatrixException(
              source, "row %d, column %d (from 1) is given twice".formatted(row + 1, column + 1));
        }
        bits[row][column / Long.SIZE] |= 1L << column;
      }
    }
    return Gf2Matrix.ofPacked(columns, bits);
  }

  private int place(double place, int count, String what) throws MalformedMatrixException {
    if (!(place >= 0 && place < count)) {
      throw new MalformedMatrixException(
          source, "%s %s is not in 0…%d".formatted(what, place, count - 1));
    }
    return (int) place;
  }
}
