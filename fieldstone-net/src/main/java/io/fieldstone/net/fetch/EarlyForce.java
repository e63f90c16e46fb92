package io.fieldstone.net.fetch;

import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Forces what was written to a file to the disk while more is fetched, so that little is left to
 * force in the end. For one thread at a time; a thread of its own waits for the disk.
 */
final class EarlyForce {

  /** The bytes after which the file is forced again. */
  private static final long BYTES = 4 << 20;

  private final Callable<Void> force;
  private Optional<FutureTask<Void>> running = Optional.empty();
  private long bytes;

  EarlyForce(OpenFile file) {
    this.force =
        () -> {
          file.force();
          return null;
        };
  }

  /**
   * Notes that bytes were written.
   *
   * @throws IOException if an earlier part could not be forced
   */
  void written(long count) throws IOException {
    bytes += count;
    if (bytes >= BYTES && running.stream().allMatch(FutureTask::isDone)) {
      await();
      bytes = 0;
      FutureTask<Void> task = new FutureTask<>(force);
      running = Optional.of(task);
      Thread.ofPlatform().daemon().name("fieldstone-force").start(task);
    }
  }

  /**
   * Waits until the disk has what it was given. An interruption stays, and ends nothing.
   *
   * @throws IOException if that failed; the kernel reports a failure only once
   */
  void await() throws IOException {
    boolean isInterrupted = false;
    try {
      while (running.isPresent()) {
        try {
          running.get().get();
          running = Optional.empty();
        } catch (InterruptedException _) {
          isInterrupted = true;
        } catch (ExecutionException e) {
          throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
