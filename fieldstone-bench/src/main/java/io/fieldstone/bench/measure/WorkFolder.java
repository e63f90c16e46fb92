package io.fieldstone.bench.measure;

import io.fieldstone.stream.file.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A new folder that is deleted with its contents when it is closed. */
public final class WorkFolder implements AutoCloseable {

  /** The time in which the owner of a temporary folder closes it when the JVM ends. */
  private static final long CLEAN_UP_SECONDS = 2;

  private final Path path;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = new Thread(this::deleteAtExit, "fieldstone-bench-folder");

  private WorkFolder(Path path) {
    this.path = path;
  }

  /** Creates a folder in another. */
  public static WorkFolder in(Path parent, String name) throws IOException {
    return new WorkFolder(Files.createDirectory(parent.resolve(name)));
  }

  /**
   * Creates a folder in the folder of temporary files. It is also deleted when the JVM ends.
   *
   * @throws CancellationException if the JVM ends
   */
  public static WorkFolder temporary() throws IOException {
    return temporaryIn(Path.of(System.getProperty("java.io.tmpdir")));
  }

  /**
   * Creates a folder of a new name in another. It is also deleted when the JVM ends.
   *
   * @throws CancellationException if the JVM ends
   */
  public static WorkFolder temporaryIn(Path parent) throws IOException {
    WorkFolder folder = new WorkFolder(Files.createTempDirectory(parent, "fieldstone-bench-"));
    try {
      Runtime.getRuntime().addShutdownHook(folder.hook);
    } catch (IllegalStateException ending) {
      Folders.delete(folder.path);
      throw new CancellationException("the process is ending");
    }
    return folder;
  }

  /** Returns the path of the folder. */
  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    Folders.delete(path);
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // the hook runs
    }
  }

  /** Deletes the folder unless its owner closes it in time. */
  private void deleteAtExit() {
    try {
      if (!closed.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS)) {
        Folders.delete(path);
      }
    } catch (IOException e) {
      System.err.println("fieldstone: cannot delete %s: %s".formatted(path, e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
