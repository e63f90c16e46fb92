package io.fieldstone.cli.backup;

import io.fieldstone.cli.console.Failure;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** The folder of the parity. */
public final class ParityOption {

  @Parameters(paramLabel = "DIR", description = "Folder of the parity.")
  private Path folder = Path.of("");

  /** Returns the folder of the parity after checking it. */
  Path folder() throws IOException, Failure {
    return SetOptions.directory(folder);
  }

  /** Returns the folder as it was given. */
  Path given() {
    return folder;
  }
}
