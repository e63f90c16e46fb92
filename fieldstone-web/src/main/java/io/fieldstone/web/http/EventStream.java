package io.fieldstone.web.http;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends listeners a server-sent event a second, the same one to all. It is made only while someone
 * listens. A listener that reads slowly misses events; one that does not read at all is dropped.
 * Thread-safe.
 */
public final class EventStream implements AutoCloseable {

  /** The maximum number of listeners. */
  public static final int MAX_LISTENERS = 24;

  private static final long PERIOD_MILLIS = 1000;

  private static final Logger LOGGER = System.getLogger(EventStream.class.getName());

  private final Supplier<String> data;
  private final ScheduledExecutorService timer;
  private int listeners;
  private boolean isClosed;
  private @Nullable ScheduledFuture<?> making;

  /** The latest event, and its number; 0 before the first since someone listens. */
  private byte[] event = {};

  private long number;

  /**
   * Creates a stream without listeners.
   *
   * @param data makes the data of an event, one line
   * @param timer makes events
   */
  public EventStream(Supplier<String> data, ScheduledExecutorService timer) {
    this.data = data;
    this.timer = timer;
  }

  /** Writes an event; fails if it takes too long. */
  @FunctionalInterface
  public interface Writer {
    /** Writes. */
    void write(byte[] event) throws IOException;
  }

  /** Adds a listener; returns false if there are enough. */
  public synchronized boolean join() {
    if (isClosed || listeners == MAX_LISTENERS) {
      return false;
    }
    listeners++;
    if (making == null) {
      making = timer.scheduleAtFixedRate(this::make, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }
    return true;
  }

  /** Removes a listener that has joined. */
  public synchronized void leave() {
    listeners--;
    if (listeners == 0 && making != null) {
      making.cancel(false);
      making = null;
      number = 0;
    }
  }

  /** Returns the number of listeners. */
  public synchronized int listeners() {
    return listeners;
  }

  private void make() {
    try {
      byte[] made = ("data: " + data.get() + "\n\n").getBytes(StandardCharsets.UTF_8);
      synchronized (this) {
        event = made;
        number++;
        notifyAll();
      }
    } catch (RuntimeException e) {
      LOGGER.log(Level.WARNING, "a page misses an event", e);
    }
  }

  /**
   * Writes events until the listener leaves or the stream is closed.
   *
   * @throws IOException if the listener has left
   */
  public void send(Writer writer) throws IOException, InterruptedException {
    long written = 0;
    while (true) {
      byte[] next;
      synchronized (this) {
        while (number == written && !isClosed) {
          wait();
        }
        if (isClosed) {
          return;
        }
        next = event;
        written = number;
      }
      writer.write(next);
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    notifyAll();
  }
}
