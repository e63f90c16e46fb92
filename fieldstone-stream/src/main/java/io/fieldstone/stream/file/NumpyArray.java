package io.fieldstone.stream.file;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The header of a {@code .npy} file of NumPy, which describes an array: versions 1.0 to 3.0 of the
 * <a href="https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html">format</a>, with
 * a literal of Python such as {@code {'descr': '<f8', 'fortran_order': False, 'shape': (3,), }}.
 * Immutable and thread-safe.
 *
 * @param type the type of the elements; of a structure, a list
 * @param isByColumns whether the first index changes fastest
 * @param shape the lengths of the dimensions; none for a single element
 * @param headerBytes the bytes before the first element
 */
public record NumpyArray(String type, boolean isByColumns, List<Long> shape, int headerBytes) {

  /** The maximum bytes of a header that is read, more than that of any array needs. */
  public static final int MAX_HEADER_BYTES = 1 << 16;

  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /** The bytes of the magic number and of the version. */
  private static final int PREFIX_BYTES = MAGIC.length + 2;

  private static final int MAX_VERSION = 3;
  private static final int MAX_DIMENSIONS = 32;

  /** Copies the shape. */
  public NumpyArray {
    shape = List.copyOf(shape);
  }

  /** Returns true if bytes begin as a {@code .npy} file does. */
  public static boolean isNumpy(byte[] start) {
    return start.length >= MAGIC.length
        && Arrays.equals(start, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /**
   * Parses a header.
   *
   * @param start the first bytes of a file, {@value #MAX_HEADER_BYTES} or all of them
   * @throws NumpyFormatException if they are no such header
   */
  public static NumpyArray parse(byte[] start) throws NumpyFormatException {
    if (!isNumpy(start)) {
      throw new NumpyFormatException(0, "not a .npy file: it does not begin with \\x93NUMPY");
    }
    if (start.length <= PREFIX_BYTES) {
      throw truncated(start.length);
    }
    int version = start[MAGIC.length];
    if (version < 1 || version > MAX_VERSION || start[MAGIC.length + 1] != 0) {
      throw new NumpyFormatException(
          MAGIC.length,
          ".npy version %d.%d is not one of 1.0, 2.0, 3.0"
              .formatted(version & 0xFF, start[MAGIC.length + 1] & 0xFF));
    }
    int lengthBytes = version == 1 ? Short.BYTES : Integer.BYTES;
    int textAt = PREFIX_BYTES + lengthBytes;
    if (start.length < textAt) {
      throw truncated(start.length);
    }
    long length = 0;
    for (int i = lengthBytes - 1; i >= 0; i--) {
      length = length << Byte.SIZE | start[PREFIX_BYTES + i] & 0xFF;
    }
    if (length > MAX_HEADER_BYTES - textAt) {
      throw new NumpyFormatException(
          PREFIX_BYTES, "a header of %d bytes is longer than 64 KiB".formatted(length));
    }
    if (start.length < textAt + length) {
      throw truncated(start.length);
    }
    String text = new String(start, textAt, (int) length, StandardCharsets.UTF_8);
    return new Parser(textAt, text).dictionary();
  }

  private static NumpyFormatException truncated(int at) {
    return new NumpyFormatException(at, "ends within its .npy header");
  }

  private record Shape(List<Long> lengths) {}

  private static final class Parser {
    private final int offset;
    private final String text;
    private int at;

    Parser(int offset, String text) {
      this.offset = offset;
      this.text = text;
    }

    NumpyArray dictionary() throws NumpyFormatException {
      Map<String, Object> values = new HashMap<>();
      require('{');
      while (!take('}')) {
        String key = string();
        require(':');
        values.put(
            key,
            switch (key) {
              case "descr" -> peek() == '[' ? structure() : string();
              case "fortran_order" -> bool();
              case "shape" -> shape();
              default -> throw failed("'%s' is no field of a .npy header".formatted(key));
            });
        if (!take(',')) {
          require('}');
          break;
        }
      }
      peek();
      if (at < text.length()) {
        throw failed("more text after the .npy header");
      }
      if (values.get("descr") instanceof String type
          && values.get("shape") instanceof Shape(List<Long> shape)
          && values.get("fortran_order") instanceof Boolean isByColumns) {
        return new NumpyArray(type, isByColumns, shape, offset + text.length());
      }
      throw failed("a .npy header has descr, fortran_order and shape");
    }

    /** Returns the next character that is not blank, which is not taken; 0 at the end. */
    private char peek() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean take(char expected) {
      boolean isNext = peek() == expected;
      at += isNext ? 1 : 0;
      return isNext;
    }

    private void require(char expected) throws NumpyFormatException {
      if (!take(expected)) {
        throw failed("'%c' expected in the .npy header".formatted(expected));
      }
    }

    private String string() throws NumpyFormatException {
      char quote = peek();
      int end = quote == '\'' || quote == '"' ? text.indexOf(quote, at + 1) : -1;
      if (end < 0) {
        throw failed("a string expected in the .npy header");
      }
      String value = text.substring(at + 1, end);
      at = end + 1;
      return value;
    }

    /** Returns the text of a list up to its end, which strings in it may not contain. */
    private String structure() throws NumpyFormatException {
      int depth = 0;
      for (int i = at; i < text.length(); i++) {
        depth += text.charAt(i) == '[' ? 1 : text.charAt(i) == ']' ? -1 : 0;
        if (depth == 0) {
          String value = text.substring(at, i + 1);
          at = i + 1;
          return value;
        }
      }
      throw failed("']' expected in the .npy header");
    }

    private boolean bool() throws NumpyFormatException {
      boolean value = peek() == 'T';
      String word = value ? "True" : "False";
      if (!text.startsWith(word, at)) {
        throw failed("True or False expected in the .npy header");
      }
      at += word.length();
      return value;
    }

    private Shape shape() throws NumpyFormatException {
      List<Long> lengths = new ArrayList<>();
      require('(');
      while (!take(')')) {
        lengths.add(number());
        if (lengths.size() > MAX_DIMENSIONS) {
          throw failed("more than %d dimensions".formatted(MAX_DIMENSIONS));
        }
        if (!take(',')) {
          require(')');
          break;
        }
      }
      return new Shape(lengths);
    }

    private long number() throws NumpyFormatException {
      peek();
      int from = at;
      while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
        at++;
      }
      try {
        long value = Long.parseLong(text.substring(from, at));
        take('L'); // as Python 2 wrote it
        return value;
      } catch (NumberFormatException e) {
        NumpyFormatException failure = failed("a length expected in the .npy header");
        failure.initCause(e);
        throw failure;
      }
    }

    private NumpyFormatException failed(String problem) {
      return new NumpyFormatException(offset + at, problem);
    }
  }
}
