package io.fieldstone.bench.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A new folder that is deleted with its contents when it is closed.
 *
 * @param path where it is
 */
record WorkFolder(Path path) implements AutoCloseable {

  /** Creates a folder in another. */
  static WorkFolder in(Path parent, String name) throws IOException {
    return new WorkFolder(Files.createDirectory(parent.resolve(name)));
  }

  /** Creates a folder in the folder of temporary files. */
  static WorkFolder temporary() throws IOException {
    return new WorkFolder(Files.createTempDirectory("fieldstone-bench-net-"));
  }

  @Override
  public void close() throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> found = Files.walk(path)) {
      found.forEach(all::add);
    }
    for (Path each : all.reversed()) {
      Files.delete(each);
    }
  }
}
