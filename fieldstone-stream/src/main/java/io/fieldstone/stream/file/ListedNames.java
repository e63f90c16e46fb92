package io.fieldstone.stream.file;

import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the names of files that a folder lists. On Linux a name is bytes, which need not be text
 * in the encoding of the locale. Thread-safe.
 */
public final class ListedNames {

  private static final Pattern ESCAPE = Pattern.compile("%(\\p{XDigit}{2})");
  private static final int HEX = 16;
  private static final int MAX_ASCII = 0x7F;

  private ListedNames() {}

  /**
   * Checks that a path is text. The text of any other path is the name of another file.
   *
   * @throws FileSystemException if it is not; the path in it has {@code \xff} for a byte that is
   *     not ASCII
   */
  public static void requireText(Path path) throws FileSystemException {
    if (!isText(path)) {
      throw new FileSystemException(
          escaped(path),
          null,
          "name is not valid in the encoding of this locale, "
              + System.getProperty("sun.jnu.encoding"));
    }
  }

  private static boolean isText(Path path) {
    try {
      return path.getFileSystem().getPath(path.toString()).equals(path);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Returns the path with its bytes, which only its URI has. */
  private static String escaped(Path path) {
    // The URI is absolute, with a slash at its end if the path is a folder.
    String[] names = path.toUri().getRawPath().split("/");
    StringBuilder text = new StringBuilder();
    for (int i = names.length - path.getNameCount(); i < names.length; i++) {
      text.append(text.isEmpty() && !path.isAbsolute() ? "" : "/").append(names[i]);
    }
    return ESCAPE
        .matcher(text)
        .replaceAll(byteOf -> {
          int value = Integer.parseInt(byteOf.group(1), HEX);
          return value > MAX_ASCII
              ? "\\\\x%02x".formatted(value)
              : Matcher.quoteReplacement(Character.toString(value));
        });
  }
}
