package io.fieldstone.rlnc.wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
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
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException("'" + name + "' is not a file name");
    }
    for (int at = 0; at < name.length(); at++) {
      char c = name.charAt(at);
      if (c == '/' || c == 0) {
        throw refused(c, at);
      }
    }
    try {
      ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
      if (utf8.remaining() > MAX_BYTES) {
        throw new IllegalArgumentException(
            "file name of %d bytes, more than %d".formatted(utf8.remaining(), MAX_BYTES));
      }
      byte[] bytes = new byte[utf8.remaining()];
      utf8.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("the file name has an unpaired surrogate", e);
    }
  }

  /**
   * Returns one or more names of local files with {@code /} between them in UTF-8 after checking
   * them.
   *
   * @throws IllegalArgumentException if a name is wrong, or all are longer than {@link
   *     #MAX_PATH_BYTES}
   */
  public static byte[] pathUtf8(String path) {
    for (String name : path.split("/", -1)) {
      byte[] _ = utf8(name);
    }
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_PATH_BYTES) {
      throw new IllegalArgumentException(
          "path of %d bytes, more than %d".formatted(bytes.length, MAX_PATH_BYTES));
    }
    return bytes;
  }

  /**
   * Checks a path that is on offer to other machines.
   *
   * @throws IllegalArgumentException if {@link #pathUtf8} refuses it, or it has {@code \} or a
   *     control character
   */
  public static void requireOffered(String path) {
    byte[] _ = pathUtf8(path);
    for (int at = 0; at < path.length(); at++) {
      char c = path.charAt(at);
      if (c == '\\' || Character.isISOControl(c)) {
        throw refused(c, at);
      }
    }
  }

  private static IllegalArgumentException refused(char c, int at) {
    return new IllegalArgumentException(
        "the file name has U+%04X at position %d".formatted((int) c, at));
  }
}
