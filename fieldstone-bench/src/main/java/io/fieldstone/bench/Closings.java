package io.fieldstone.bench;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** What has to be closed after a measurement, the latest first. */
final class Closings implements AutoCloseable {

  private final Deque<Runnable> closings = new ArrayDeque<>();

  /** Takes over something, and gives it back. */
  <T> T with(T opened, Consumer<T> close) {
    closings.push(() -> close.accept(opened));
    return opened;
  }

  @Override
  public void close() {
    while (!closings.isEmpty()) {
      closings.pop().run();
    }
  }
}
