package io.fieldstone.net.server;

import io.fieldstone.stream.ProgressListener;
import java.util.Optional;

/** How far a server is that has just started, for clients that come too early. Thread-safe. */
final class StartProgress implements ProgressListener {

  private volatile String problem = "the server starts: it searches for files";

  private int percent = -1;

  @Override
  public synchronized void progress(long doneBytes, long totalBytes) {
    int now = totalBytes == 0 ? 100 : (int) (100.0 * doneBytes / totalBytes);
    if (now != percent) {
      percent = now;
      problem = "the server starts: it has hashed %d %% of its bytes".formatted(now);
    }
  }

  /** The catalogue is complete. */
  synchronized void end() {
    problem = "";
  }

  /** Returns the progress that clients get; empty after the start. */
  Optional<String> problem() {
    return Optional.of(problem).filter(text -> !text.isEmpty());
  }
}
