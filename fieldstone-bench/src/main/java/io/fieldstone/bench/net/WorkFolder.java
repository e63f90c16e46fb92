package io.fieldstone.bench.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A new folder that is deleted with its contents when it is closed. */
final class WorkFolder implements AutoCloseable {

  /** The time in which the owner of a temporary folder closes it when the JVM ends. */
  private static final long CLEAN_UP_SECONDS = 2;

  private final Path path;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = new Thread(this::deleteAtExit, "fieldstone-bench-folder");

  private WorkFolder(Path path) {
    this.path = path;
  }

  /** Creates a folder in another. */
  static WorkFolder in(Path parent, String name) throws IOException {
    return new WorkFolder(Files.createDirectory(parent.resolve(name)));
  }

  /**
   * Creates a folder in the folder of temporary files. It is also deleted when the JVM ends.
   *
   * @throws CancellationException if the JVM ends
   */
  static WorkFolder temporary() throws IOException {
    WorkFolder folder = new WorkFolder(Files.createTempDirectory("fieldstone-bench-net-"));
    try {
      Runtime.getRuntime().addShutdownHook(folder.hook);
    } catch (IllegalStateException ending) {
      folder.delete();
      throw new CancellationException("the process is ending");
    }
    return folder;
  }

  /** Returns the path of the folder. */
  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    delete();
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // the hook runs
    }
  }

  private void delete() throws IOException {
    try (Stream<Path> found = Files.walk(path)) {
      for (Path each : found.toList().reversed()) {
        Files.deleteIfExists(each);
      }
    }
  }

  /** Deletes the folder unless its owner closes it in time. */
  private void deleteAtExit() {
    try {
      if (!closed.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS)) {
        delete();
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("fieldstone: cannot delete %s: %s".formatted(path, e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
