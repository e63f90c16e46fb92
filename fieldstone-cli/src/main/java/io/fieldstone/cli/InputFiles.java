package io.fieldstone.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What is looked at before a job starts, so that a mistake costs no time. */
final class InputFiles {

  /** What stands for standard input or output. */
  static final String STANDARD_STREAM = "-";

  /** Where Linux has the open files of a process. */
  private static final Path PROC = Path.of("/proc");

  static final String SVG = ".svg";
  static final String PNG = ".png";

  private InputFiles() {}

  /** Whether a path is {@code -}. */
  static boolean isStandardStream(Path path) {
    return path.toString().equals(STANDARD_STREAM);
  }

  /**
   * Refuses what cannot be read as a file.
   *
   * @return its length in bytes
   */
  static long requireReadable(Path file) throws IOException, Failure {
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

  /**
   * Refuses outputs that cannot become files, that are inputs, or that are one file.
   *
   * @param outputs of a command; those that are null are not asked for
   */
  static void requireOutputs(CommandSpec command, List<Path> inputs, @Nullable Path... outputs)
      throws IOException, Failure {
    Map<Path, Path> places = new HashMap<>();
    for (Path output : outputs) {
      if (output != null) {
        requireWritable(output);
        requireOther(command, inputs, output);
        Path before = places.putIfAbsent(place(output), output);
        if (before != null) {
          throw Quantities.usage(command, "%s and %s are one file".formatted(before, output));
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

  /** Refuses an output that cannot become a file. */
  static void requireWritable(Path output) throws Failure {
    if (isStandardStream(output)) {
      throw new Failure("this goes to a file, not to standard output", output);
    }
    if (isDescriptor(output)) {
      throw new Failure("a descriptor of this process, not a file", output);
    }
    if (Files.isDirectory(output)) {
      throw new Failure("is a directory", output);
    }
    if (Files.exists(output) && !Files.isRegularFile(output)) {
      throw new Failure("not a regular file", output);
    }
    Path parent = output.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new Failure("no such directory", parent == null ? output : parent);
    }
    if (!Files.isWritable(parent)) {
      throw new Failure("permission denied", parent);
    }
  }

  /** Whether it is /dev/stdout or the like: a new file in its place would replace the link. */
  private static boolean isDescriptor(Path output) {
    try {
      Path absolute = output.toAbsolutePath();
      Path parent = absolute.getParent();
      if (parent == null || !Files.isSymbolicLink(absolute)) {
        return false;
      }
      Path target = parent.resolve(Files.readSymbolicLink(absolute)).getParent();
      return parent.toRealPath().startsWith(PROC)
          || target != null && target.toRealPath().startsWith(PROC);
    } catch (IOException e) {
      return false; // what is wrong with it is said elsewhere
    }
  }

  /** Whether the name of a file ends so, in whatever case. */
  static boolean hasEnding(Path file, String ending) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(ending);
  }

  /** Refuses, as a usage error, a file whose name ends otherwise. */
  static void requireEnding(
      CommandSpec command, String option, Path file, String one, String other) {
    if (!hasEnding(file, one) && !hasEnding(file, other)) {
      throw Quantities.usage(
          command, "%s %s is neither %s nor %s".formatted(option, file, one, other));
    }
  }

  /** Refuses, as a usage error, an output that is one of the inputs. */
  static void requireOther(CommandSpec command, List<Path> inputs, Path output) throws IOException {
    if (Files.exists(output)) {
      for (Path input : inputs) {
        if (Files.exists(input) && Files.isSameFile(input, output)) {
          throw Quantities.usage(command, output + " is also an input");
        }
      }
    }
  }
}
