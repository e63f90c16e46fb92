package io.fieldstone.sort;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The dictionary in the header of a {@code .npy} file, a literal of Python such as {@code {'descr':
 * '<f8', 'fortran_order': False, 'shape': (3,), }}.
 *
 * @param type the type of the elements; of a structure, a list
 * @param shape the lengths of the dimensions
 */
record NpyText(String type, List<Long> shape) {

  NpyText {
    shape = List.copyOf(shape);
  }

  private static final int MAX_DIMENSIONS = 32;

  /**
   * Parses the dictionary.
   *
   * @param file the name in messages
   * @param offset the place of the text in the file
   */
  static NpyText parse(Path file, int offset, String text) throws MalformedNpyException {
    return new Parser(file, offset, text).dictionary();
  }

  private record Shape(List<Long> lengths) {}

  private static final class Parser {
    private final Path file;
    private final int offset;
    private final String text;
    private int at;

    Parser(Path file, int offset, String text) {
      this.file = file;
      this.offset = offset;
      this.text = text;
    }

    NpyText dictionary() throws MalformedNpyException {
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
          && values.containsKey("fortran_order")) {
        return new NpyText(type, shape);
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

    private void require(char expected) throws MalformedNpyException {
      if (!take(expected)) {
        throw failed("'%c' expected in the .npy header".formatted(expected));
      }
    }

    private String string() throws MalformedNpyException {
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
    private String structure() throws MalformedNpyException {
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

    private boolean bool() throws MalformedNpyException {
      boolean value = peek() == 'T';
      String word = value ? "True" : "False";
      if (!text.startsWith(word, at)) {
        throw failed("True or False expected in the .npy header");
      }
      at += word.length();
      return value;
    }

    private Shape shape() throws MalformedNpyException {
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

    private long number() throws MalformedNpyException {
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
        MalformedNpyException failure = failed("a length expected in the .npy header");
        failure.initCause(e);
        throw failure;
      }
    }

    private MalformedNpyException failed(String problem) {
      return new MalformedNpyException(file, offset + at, problem);
    }
  }
}
