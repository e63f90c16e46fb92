package io.fieldstone.cli.console;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** Writes file names as words of a command that a user can paste into a shell. */
public final class ShellWord {

  private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_./+@%:,-]+");

  private ShellWord() {}

  /** Returns a file name, in single quotes if a shell would change it. */
  public static String of(Path file) {
    String name = file.toString();
    return PLAIN.matcher(name).matches() ? name : "'" + name.replace("'", "'\\''") + "'";
  }
}
