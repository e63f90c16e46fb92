package io.fieldstone.cli.backup;

import io.fieldstone.cli.console.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The folder of the parity, and that of the files. */
public final class SetOptions {

  @Parameters(paramLabel = "DIR", description = "Folder of the parity.")
  private Path folder = Path.of("");

  @Option(
      names = "--base",
      paramLabel = "FOLDER",
      description =
          "Folder that the paths of the files start from (default: the folder that contains DIR).")
  private Optional<Path> base = Optional.empty();

  /** Returns the folder of the parity after checking it. */
  Path folder() throws IOException, Failure {
    return directory(folder);
  }

  /** Returns true if {@code --base} is given. */
  boolean hasBase() {
    return base.isPresent();
  }

  /** Returns the folder of the files after checking it. */
  Path base() throws IOException, Failure {
    return directory(base.isPresent() ? base.get() : SetText.defaultBase(folder));
  }

  private static Path directory(Path path) throws IOException, Failure {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    if (!Files.isDirectory(path)) {
      throw new Failure("not a directory", path);
    }
    return path.toRealPath();
  }
}
