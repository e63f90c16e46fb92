package io.fieldstone.rlnc.backup;

import io.fieldstone.stream.file.OpenFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Keeps the file open that was read last. For one thread at a time. */
final class KeptFile implements Closeable {

  private Optional<OpenFile> open = Optional.empty();
  private Optional<Path> openPath = Optional.empty();

  /** Returns a file for reading, and closes the one before if it is another. */
  OpenFile read(Path path) throws IOException {
    if (!openPath.equals(Optional.of(path))) {
      close();
      open = Optional.of(OpenFile.read(path));
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
