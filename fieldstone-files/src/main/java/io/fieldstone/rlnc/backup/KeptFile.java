package io.fieldstone.rlnc.backup;

import io.fieldstone.stream.file.OpenFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Keeps the file open that was used last. For one thread at a time. */
final class KeptFile implements Closeable {

  /** Opens a file. */
  @FunctionalInterface
  interface Opener {
    OpenFile open(Path path) throws IOException;
  }

  private final Opener opener;
  private Optional<OpenFile> open = Optional.empty();
  private Optional<Path> openPath = Optional.empty();

  KeptFile(Opener opener) {
    this.opener = opener;
  }

  /** Returns a file, and closes the one before if it is another. */
  OpenFile of(Path path) throws IOException {
    if (!openPath.equals(Optional.of(path))) {
      close();
      open = Optional.of(opener.open(path));
      openPath = Optional.of(path);
    }
    return open.orElseThrow();
  }

  @Override
  public void close() throws IOException {
    openPath = Optional.empty();
    if (open.isPresent()) {
      OpenFile closing = open.get();
      open = Optional.empty();
      closing.close();
    }
  }
}
