package io.fieldstone.rlnc.wire;

import java.nio.charset.StandardCharsets;

/**
 * The two rules for names of files. Local files, and so shards, sets and publisher records, have
 * any name that a file on Linux can have and that is text. Names on offer to other machines are
 * printed on their terminals, and looked up on their file systems: they have no {@code \} and no
 * control character. Thread-safe.
 */
public final class Names {

  /** The maximum bytes of a name in UTF-8. */
  public static final int MAX_BYTES = 255;

  /** The maximum bytes of a path in UTF-8. */
  public static final int MAX_PATH_BYTES = 4096;

  private Names() {}

  /**
   * Returns the name of a local file, without folders, in UTF-8 after checking it.
   *
   * @throws IllegalArgumentException if it is empty, longer than {@link #MAX_BYTES}, "." or "..",
   *     or has a slash, NUL or an unpaired surrogate
   */
  public static byte[] utf8(String name) {
    int _ = requireName(name, 0, name.length());
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns one or more names of local files with {@code /} between them in UTF-8 after checking
   * them.
   *
   * @throws IllegalArgumentException if a name is wrong, or all are longer than {@link
   *     #MAX_PATH_BYTES}
   */
  public static byte[] pathUtf8(String path) {
    requirePath(path);
    return path.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Checks a path that is on offer to other machines.
   *
   * @throws IllegalArgumentException if {@link #pathUtf8} refuses it, or it has {@code \} or a
   *     control character
   */
  public static void requireOffered(String path) {
    requirePath(path);
    for (int at = 0; at < path.length(); at++) {
      char c = path.charAt(at);
      if (c == '\\' || Character.isISOControl(c)) {
        throw refused(c, at);
      }
    }
  }

  private static void requirePath(String path) {
    int bytes = 0;
    int from = 0;
    while (from <= path.length()) {
      int slash = path.indexOf('/', from);
      int to = slash < 0 ? path.length() : slash;
      bytes += requireName(path, from, to) + (from > 0 ? 1 : 0);
      from = to + 1;
    }
    if (bytes > MAX_PATH_BYTES) {
      throw new IllegalArgumentException(
          "path of %d bytes, more than %d".formatted(bytes, MAX_PATH_BYTES));
    }
  }

  /** Checks the name in a part of a text, and returns its bytes in UTF-8. */
  private static int requireName(String text, int from, int to) {
    if (from == to
        || text.charAt(from) == '.'
            && (to == from + 1 || to == from + 2 && text.charAt(from + 1) == '.')) {
      throw new IllegalArgumentException("'" + text.substring(from, to) + "' is not a file name");
    }
    int bytes = 0;
    int at = from;
    while (at < to) {
      int c = text.codePointAt(at);
      if (c == '/' || c == 0) {
        throw refused((char) c, at - from);
      }
      if (Character.MIN_SURROGATE <= c && c <= Character.MAX_SURROGATE) {
        throw new IllegalArgumentException("the file name has an unpaired surrogate");
      }
      bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
      at += Character.charCount(c);
    }
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "file name of %d bytes, more than %d".formatted(bytes, MAX_BYTES));
    }
    return bytes;
  }

  private static IllegalArgumentException refused(char c, int at) {
    return new IllegalArgumentException(
        "the file name has U+%04X at position %d".formatted((int) c, at));
  }
}
