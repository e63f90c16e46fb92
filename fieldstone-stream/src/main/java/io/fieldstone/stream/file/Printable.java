package io.fieldstone.stream.file;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Escapes text for terminals, logs and reports. Names of files may have line breaks, and control
 * characters that a terminal obeys. Thread-safe.
 */
public final class Printable {

  private static final String CLASSES = "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}";
  private static final Pattern REFUSED = Pattern.compile("[" + CLASSES + "]");
  private static final Pattern REFUSED_IN_LINES =
      Pattern.compile("[" + CLASSES + "&&[^\\r\\n]]|\\r(?!\\n)");

  private static final int DELETE = 0x7F;

  private Printable() {}

  /**
   * Returns a name or another text on one line. Control and format characters, line breaks and
   * unpaired surrogates become {@code \u001b} and the like, with four digits for each unit of
   * UTF-16.
   */
  public static String line(Object text) {
    String plain = String.valueOf(text);
    return isPlain(plain, false) ? plain : replaced(REFUSED, plain);
  }

  /**
   * Returns a text with its line ends, in which all other characters are as in {@link #line}. JSON
   * stays the same JSON.
   */
  public static String lines(String text) {
    return isPlain(text, true) ? text : replaced(REFUSED_IN_LINES, text);
  }

  /** A plain loop: a stream costs a short command more than its whole output. */
  private static boolean isPlain(String text, boolean hasLines) {
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if ((c < ' ' || c >= DELETE) && !(hasLines && c == '\n')) {
        return false;
      }
    }
    return true;
  }

  private static String replaced(Pattern refused, String text) {
    return refused
        .matcher(text)
        .replaceAll(match ->
            match.group().chars().mapToObj("\\\\u%04x"::formatted).collect(Collectors.joining()));
  }
}
