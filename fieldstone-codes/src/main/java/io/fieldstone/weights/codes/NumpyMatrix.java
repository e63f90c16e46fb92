package io.fieldstone.weights.codes;

import io.fieldstone.field.Gf2Matrix;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the format {@code .npy} of NumPy ("NEP 1: A simple file format for NumPy arrays"): arrays
 * of two dimensions whose items are booleans, integers or floating-point numbers, all 0 or 1.
 */
final class NumpyMatrix {

  private static final byte[] MAGIC = "\u0093NUMPY".getBytes(StandardCharsets.ISO_8859_1);
  private static final int VERSION_BYTES = 2;
  private static final Pattern TYPE = Pattern.compile("'descr'\\s*:\\s*'([<>|=])([biuf])([1248])'");
  private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
  private static final Pattern SHAPE =
      Pattern.compile("'shape'\\s*:\\s*\\((\\d{1,9})L?,\\s*(\\d{1,9})L?,?\\s*\\)");

  private NumpyMatrix() {}

  static boolean isNumpy(byte[] bytes) {
    return bytes.length >= MAGIC.length && Arrays.equals(Arrays.copyOf(bytes, MAGIC.length), MAGIC);
  }

  static Gf2Matrix parse(String source, byte[] bytes, int maxSize) throws MalformedMatrixException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    String header = header(source, buffer);
    Matcher type = find(source, TYPE, header, "items that are numbers of 1, 2, 4 or 8 bytes");
    boolean isByColumns = find(source, ORDER, header, "fortran_order").group(1).equals("True");
    Matcher shape = find(source, SHAPE, header, "a shape of two dimensions");
    int rows = Integer.parseInt(shape.group(1));
    int columns = Integer.parseInt(shape.group(2));
    MatrixFile.requireSize(source, rows, columns, maxSize);
    int itemBytes = Integer.parseInt(type.group(3));
    long expected = (long) rows * columns * itemBytes;
    if (buffer.remaining() != expected) {
      throw new MalformedMatrixException(
          source,
          "%d bytes of items, expected %d for %d×%d"
              .formatted(buffer.remaining(), expected, rows, columns));
    }
    ByteBuffer items =
        buffer
            .slice()
            .order(type.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    boolean isFloat = type.group(2).equals("f");
    int[][] entries = new int[rows][columns];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        int index = isByColumns ? column * rows + row : row * columns + column;
        double item = item(items, index, itemBytes, isFloat);
        if (item != 0 && item != 1) {
          throw new MalformedMatrixException(
              source,
              "row %d, column %d (from 1): %s is not 0 or 1".formatted(row + 1, column + 1, item));
        }
        entries[row][column] = (int) item;
      }
    }
    return Gf2Matrix.generate(rows, columns, (row, column) -> entries[row][column]);
  }

  private static String header(String source, ByteBuffer buffer) throws MalformedMatrixException {
    buffer.position(MAGIC.length);
    if (buffer.remaining() >= VERSION_BYTES + Integer.BYTES) {
      byte major = buffer.get();
      buffer.get();
      long length =
          major == 1
              ? Short.toUnsignedInt(buffer.getShort())
              : Integer.toUnsignedLong(buffer.getInt());
      if (length <= buffer.remaining()) {
        byte[] header = new byte[(int) length];
        buffer.get(header);
        return new String(header, StandardCharsets.ISO_8859_1);
      }
    }
    throw new MalformedMatrixException(source, "a .npy file that ends in its header");
  }

  private static Matcher find(String source, Pattern pattern, String header, String what)
      throws MalformedMatrixException {
    Matcher matcher = pattern.matcher(header);
    if (!matcher.find()) {
      throw new MalformedMatrixException(
          source, "a .npy file without %s: %s".formatted(what, header.strip()));
    }
    return matcher;
  }

  private static double item(ByteBuffer items, int index, int bytes, boolean isFloat) {
    int at = index * bytes;
    return switch (bytes) {
      case 1 -> items.get(at);
      case 2 -> isFloat ? Float.float16ToFloat(items.getShort(at)) : items.getShort(at);
      case 4 -> isFloat ? items.getFloat(at) : items.getInt(at);
      default -> isFloat ? items.getDouble(at) : items.getLong(at);
    };
  }
}
