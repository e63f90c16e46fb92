package io.fieldstone.bench.measure;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes the resources of a measurement, the latest first. Not thread-safe. */
public final class Closer implements AutoCloseable {

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** Registers a resource to be closed, and returns it. */
  public <T extends AutoCloseable> T register(T resource) {
    opened.push(resource);
    return resource;
  }

  /**
   * Closes every resource, even if one fails.
   *
   * @throws RuntimeException the first failure, with later ones suppressed
   */
  @Override
  public void close() {
    RuntimeException failed = null;
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        if (failed != null) {
          failed.addSuppressed(e);
        } else if (e instanceof RuntimeException unchecked) {
          failed = unchecked;
        } else {
          failed = new IllegalStateException("a resource of a measurement does not close", e);
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
