package io.fieldstone.cli.console;

import io.fieldstone.stream.file.FileProblem;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Checks files before a job starts, so that mistakes are reported at once. */
public final class InputFiles {

  /** The name of standard input or standard output. */
  static final String STANDARD_STREAM = "-";

  public static final String SVG = ".svg";

  public static final String PNG = ".png";

  private InputFiles() {}

  /** Tests whether a path is {@code -}. */
  public static boolean isStandardStream(Path path) {
    return path.toString().equals(STANDARD_STREAM);
  }

  /**
   * Checks that a path is a readable regular file.
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
      throw new Failure(FileProblem.DENIED, file);
    }
    return Files.size(file);
  }

  /**
   * Tests whether an output is {@code -} or a name of standard output such as {@code /dev/stdout}.
   */
  public static boolean isStandardOutput(Path output) {
    return isStandardStream(output) || Temporaries.isStandardOutput(output);
  }

  /** Returns the file of an output; {@code -} becomes {@code /dev/stdout}. */
  public static Path target(Path output) {
    return isStandardStream(output) ? Path.of("/dev/stdout") : output;
  }

  /** Checks that an output can be created or written to. */
  public static void requireWritable(Path output) throws IOException {
    Temporaries.requireWritable(output);
  }

  /** Checks that an output can be a folder: it is neither {@code -} nor a file. */
  public static void requireFolder(CommandSpec command, Path output) throws Failure {
    if (isStandardStream(output)) {
      throw Converters.usage(
          command, "the output must be a folder, not standard output; for a folder '-', write ./-");
    }
    if (Files.exists(output) && !Files.isDirectory(output)) {
      throw new Failure(FileProblem.NO_FOLDER, output);
    }
  }

  /**
   * Checks that outputs can be created or written to, are distinct, and are not inputs.
   *
   * @param outputs the output files of a command; null entries are skipped
   */
  public static void requireOutputs(
      CommandSpec command, List<Path> inputs, @Nullable Path... outputs)
      throws IOException, Failure {
    Map<Path, Path> places = new HashMap<>();
    for (Path output : outputs) {
      if (output != null) {
        if (isStandardStream(output)) {
          throw Converters.usage(
              command, "the output must be a file, not standard output; for a file '-', write ./-");
        }
        requireWritable(output);
        requireOther(command, inputs, output);
        Path other = places.putIfAbsent(realPath(output), output);
        if (other != null) {
          throw Converters.usage(command, "%s and %s are the same file".formatted(other, output));
        }
      }
    }
  }

  /**
   * Returns the real path of a file, which need not exist yet, or the name of a device. A link to a
   * pipe, such as {@code /dev/stdout}, leads to no path.
   */
  private static Path realPath(Path output) throws IOException {
    if (Temporaries.isStream(output)) {
      return output.toAbsolutePath();
    }
    if (Files.exists(output)) {
      return output.toRealPath();
    }
    Path absolute = output.toAbsolutePath();
    Path parent = absolute.getParent();
    return parent == null ? absolute : parent.toRealPath().resolve(output.getFileName());
  }

  /** Tests whether a file name has an ending, ignoring case. */
  public static boolean hasEnding(Path file, String ending) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(ending);
  }

  /**
   * Checks that a file name has one of some endings; otherwise throws a usage error. A device, a
   * FIFO or an open descriptor needs none, except standard output.
   */
  public static void requireEnding(
      CommandSpec command, String option, Path file, String... endings) {
    boolean isDevice = Temporaries.isStream(file) && !isStandardOutput(file);
    if (!isDevice && Stream.of(endings).noneMatch(ending -> hasEnding(file, ending))) {
      throw Converters.usage(
          command,
          "%s %s ends neither in %s".formatted(option, file, String.join(" nor in ", endings)));
    }
  }

  /** Restores files that a killed command was replacing, in the directories of these files. */
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

  /** Checks that an output is not an input; otherwise throws a usage error. */
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
