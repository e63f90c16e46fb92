package io.fieldstone.cli.console;

import io.fieldstone.stream.file.Printable;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Writes file names as words of a command that a user can paste into a shell. */
public final class ShellWord {

  private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_./+@%:,-]+");

  private ShellWord() {}

  /**
   * Returns a file name, in quotes if a shell would change it. Control characters are escaped, in
   * quotes that begin with {@code $}.
   */
  public static String of(Path file) {
    String name = file.toString();
    if (PLAIN.matcher(name).matches()) {
      return name;
    }
    return Printable.line(name).equals(name)
        ? "'" + name.replace("'", "'\\''") + "'"
        : "$'" + Printable.line(name.replace("\\", "\\\\").replace("'", "\\'")) + "'";
  }
}
