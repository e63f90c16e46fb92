package io.fieldstone.cli.console;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** Names of files, as the command line has them. */
public final class FileNames implements ITypeConverter<Path> {

  /** The path of a name; a usage error of a command if no file can have it. */
  public static Path of(CommandSpec command, String text) {
    try {
      return new FileNames().convert(text);
    } catch (TypeConversionException e) {
      throw Converters.usage(command, String.valueOf(e.getMessage()));
    }
  }

  /**
   * The path of a name.
   *
   * @throws TypeConversionException if no file can have it: it is empty, or not in the character
   *     set of the locale
   */
  @Override
  public Path convert(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException("a file name is empty");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(
          "'%s' is not a file name in this locale (%s)"
              .formatted(text, System.getProperty("sun.jnu.encoding")));
    }
  }
}
