package io.fieldstone.weights.codes;

import io.fieldstone.stream.file.NumpyArray;
import io.fieldstone.stream.file.NumpyFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The elements of an array in the format {@code .npy} of NumPy: numbers of 1, 2, 4 or 8 bytes, or
 * one text.
 */
final class NumpyItems {

  private static final Pattern NUMBERS = Pattern.compile("([<>|=]?)([biuf])([1248])");
  private static final Pattern TEXT = Pattern.compile("([<>|=]?)([SU])(\\d{1,4})");

  private final String source;
  private final NumpyArray array;
  private final ByteBuffer bytes;

  /**
   * Parses the header.
   *
   * @param source the name of the source in messages
   */
  NumpyItems(String source, byte[] file) throws MalformedMatrixException {
    this.source = source;
    try {
      this.array = NumpyArray.parse(file);
    } catch (NumpyFormatException e) {
      throw new MalformedMatrixException(
          source, "%s (at byte %d)".formatted(e.getMessage(), e.offset()));
    }
    this.bytes = ByteBuffer.wrap(file, array.headerBytes(), file.length - array.headerBytes());
    bytes.order(array.type().startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
  }

  List<Long> shape() {
    return array.shape();
  }

  boolean isByColumns() {
    return array.isByColumns();
  }

  /**
   * Returns all numbers, in the order of the file.
   *
   * @param count the number that the shape gives
   */
  double[] numbers(int count) throws MalformedMatrixException {
    Matcher type = NUMBERS.matcher(array.type());
    if (!type.matches()) {
      throw new MalformedMatrixException(
          source,
          "items of type '%s' are not numbers of 1, 2, 4 or 8 bytes".formatted(array.type()));
    }
    int itemBytes = Integer.parseInt(type.group(3));
    requireBytes((long) count * itemBytes);
    boolean isFloat = type.group(2).equals("f");
    double[] numbers = new double[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = number(array.headerBytes() + i * itemBytes, itemBytes, isFloat);
    }
    return numbers;
  }

  /** Returns the numbers of an array of one dimension. */
  double[] list(int maxCount) throws MalformedMatrixException {
    if (shape().size() != 1 || shape().getFirst() > maxCount) {
      throw new MalformedMatrixException(
          source, "shape %s is not a list of at most %d numbers".formatted(shape(), maxCount));
    }
    return numbers(shape().getFirst().intValue());
  }

  /** Returns the only element, which is a text of ASCII characters. */
  String text() throws MalformedMatrixException {
    Matcher type = TEXT.matcher(array.type());
    if (!type.matches() || !shape().isEmpty()) {
      throw new MalformedMatrixException(
          source, "shape %s of type '%s' is not a text".formatted(shape(), array.type()));
    }
    int unit = type.group(2).equals("U") ? Integer.BYTES : 1;
    int length = Integer.parseInt(type.group(3));
    requireBytes((long) length * unit);
    byte[] ascii = new byte[length];
    for (int i = 0; i < length; i++) {
      int at = array.headerBytes() + i * unit;
      ascii[i] = (byte) (unit == 1 ? bytes.get(at) : bytes.getInt(at));
    }
    return new String(ascii, StandardCharsets.ISO_8859_1).replace("\0", "");
  }

  private void requireBytes(long expected) throws MalformedMatrixException {
    if (bytes.remaining() != expected) {
      throw new MalformedMatrixException(
          source,
          "%d bytes of items, expected %d for shape %s"
              .formatted(bytes.remaining(), expected, shape()));
    }
  }

  private double number(int at, int itemBytes, boolean isFloat) {
    return switch (itemBytes) {
      case 1 -> bytes.get(at);
      case 2 -> isFloat ? Float.float16ToFloat(bytes.getShort(at)) : bytes.getShort(at);
      case 4 -> isFloat ? bytes.getFloat(at) : bytes.getInt(at);
      default -> isFloat ? bytes.getDouble(at) : bytes.getLong(at);
    };
  }
}
