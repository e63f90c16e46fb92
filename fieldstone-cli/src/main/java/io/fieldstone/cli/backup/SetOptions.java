package io.fieldstone.cli.backup;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.rlnc.backup.SetPlaces;
import io.fieldstone.stream.file.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The folder of the parity, and that of the files. */
public final class SetOptions {

  @Mixin private ParityOption parity = new ParityOption();

  @Option(
      names = "--base",
      paramLabel = "FOLDER",
      description =
          "Folder that the paths of the files start from (default: the folder that contains DIR).")
  private Optional<Path> base = Optional.empty();

  @Option(
      names = "--also",
      paramLabel = "FOLDER",
      description =
          "Search FOLDER, too, for missing files and bytes: for files that were moved, split or"
              + " joined. It is only read. May be repeated.")
  private List<Path> also = List.of();

  /** Returns the folder of the parity after checking it. */
  Path folder() throws IOException, Failure {
    return parity.folder();
  }

  /** Returns the folders of the files after checking them. */
  SetPlaces places() throws IOException, Failure {
    List<Path> further = new ArrayList<>();
    for (Path one : also) {
      further.add(directory(one));
    }
    Path start = directory(base.isPresent() ? base.get() : SetText.defaultBase(parity.given()));
    return new SetPlaces(start, further, base.isPresent());
  }

  static Path directory(Path path) throws IOException, Failure {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    if (!Files.isDirectory(path)) {
      throw new Failure(FileProblem.NO_FOLDER, path);
    }
    return path.toRealPath();
  }
}
