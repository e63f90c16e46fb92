package io.fieldstone.cli.console;

import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What is looked at before a job starts, so that a mistake costs no time. */
public final class InputFiles {

  /** What stands for standard input or output. */
  static final String STANDARD_STREAM = "-";

  /** Where Linux has the open files of a process. */
  public static final String SVG = ".svg";

  public static final String PNG = ".png";

  private InputFiles() {}

  /** Whether a path is {@code -}. */
  public static boolean isStandardStream(Path path) {
    return path.toString().equals(STANDARD_STREAM);
  }

  /**
   * Refuses what cannot be read as a file.
   *
   * @return its length in bytes
   */
  public static long requireReadable(Path file) throws IOException, Failure {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    if (Files.isDirectory(file)) {
      throw new Failure("is a directory", file);
    }
    if (!Files.isRegularFile(file)) {
      throw new Failure("not a regular file", file);
    }
    if (!Files.isReadable(file)) {
      throw new Failure("permission denied", file);
    }
    return Files.size(file);
  }

  /** Whether an output is {@code -}, or a name of standard output such as {@code /dev/stdout}. */
  public static boolean isStandardOutput(Path output) {
    return isStandardStream(output) || Temporaries.isStandardOutput(output);
  }

  /** The file that an output is: standard output has a name as well. */
  public static Path target(Path output) {
    return isStandardStream(output) ? Path.of("/dev/stdout") : output;
  }

  /** Refuses an output that can neither become a file nor be written to. */
  public static void requireWritable(Path output) throws IOException {
    Temporaries.requireWritable(output);
  }

  /**
   * Refuses outputs that can neither become files nor be written to, that are inputs, or that are
   * one file.
   *
   * @param outputs of a command; those that are null are not asked for
   */
  public static void requireOutputs(
      CommandSpec command, List<Path> inputs, @Nullable Path... outputs)
      throws IOException, Failure {
    Map<Path, Path> places = new HashMap<>();
    for (Path output : outputs) {
      if (output != null) {
        if (isStandardStream(output)) {
          throw new Failure("this goes to a file, not to standard output", output);
        }
        requireWritable(output);
        requireOther(command, inputs, output);
        Path before = places.putIfAbsent(place(output), output);
        if (before != null) {
          throw Converters.usage(command, "%s and %s are one file".formatted(before, output));
        }
      }
    }
  }

  /** Where a file is or will be, by whatever name of its directory. */
  private static Path place(Path output) throws IOException {
    if (Files.exists(output)) {
      return output.toRealPath();
    }
    Path absolute = output.toAbsolutePath();
    Path parent = absolute.getParent();
    return parent == null ? absolute : parent.toRealPath().resolve(output.getFileName());
  }

  /** Whether the name of a file ends so, in whatever case. */
  public static boolean hasEnding(Path file, String ending) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(ending);
  }

  /** Refuses, as a usage error, a file whose name ends otherwise. */
  public static void requireEnding(
      CommandSpec command, String option, Path file, String one, String other) {
    if (!hasEnding(file, one) && !hasEnding(file, other)) {
      throw Converters.usage(
          command, "%s %s is neither %s nor %s".formatted(option, file, one, other));
    }
  }

  /** Puts back files that a killed command was replacing in the directories of these files. */
  public static void recover(List<Path> files) throws IOException {
    Set<Path> directories = new LinkedHashSet<>();
    for (Path file : files) {
      Path parent = file.toAbsolutePath().getParent();
      if (parent != null && Files.isDirectory(parent)) {
        directories.add(parent.toRealPath());
      }
    }
    directories.forEach(Temporaries::recover);
  }

  /** Refuses, as a usage error, an output that is one of the inputs. */
  public static void requireOther(CommandSpec command, List<Path> inputs, Path output)
      throws IOException {
    if (Files.exists(output)) {
      for (Path input : inputs) {
        if (Files.exists(input) && Files.isSameFile(input, output)) {
          throw Converters.usage(command, output + " is also an input");
        }
      }
    }
  }
}
