package io.fieldstone.cli.console;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** Converts file names on the command line. */
public final class FileNames implements ITypeConverter<Path> {

  /** Converts a name to a path; an invalid name is a usage error of the command. */
  public static Path of(CommandSpec command, String text) {
    try {
      return new FileNames().convert(text);
    } catch (TypeConversionException e) {
      throw Converters.usage(command, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Converts a name to a path.
   *
   * @throws TypeConversionException if it is empty or cannot be encoded in the locale
   */
  @Override
  public Path convert(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException("empty file name");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(
          "'%s' is not a valid file name in this locale (%s)"
              .formatted(text, System.getProperty("sun.jnu.encoding")));
    }
  }
}
