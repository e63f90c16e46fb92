package io.fieldstone.net.live;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes the bytes of packets to a stream, on a thread of its own. If the stream takes nothing for
 * so long that {@value #MAX_PACKETS} packets wait, further ones are dropped and counted.
 * Thread-safe. The caller owns the stream.
 */
public final class OutputSink implements StreamReceiver.Sink, AutoCloseable {

  /** The maximum number of packets that wait. */
  static final int MAX_PACKETS = 8192;

  private static final byte[] END = {};

  private final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(MAX_PACKETS);
  private final OutputStream out;
  private final LongAdder dropped = new LongAdder();
  private final AtomicReference<IOException> failure = new AtomicReference<>();
  private final Thread writer;

  /** Creates a sink. */
  public OutputSink(OutputStream out) {
    this.out = out;
    this.writer = Thread.ofPlatform().daemon().name("fieldstone-output").start(this::write);
  }

  private void write() {
    try {
      for (byte[] packet = queue.take(); packet.length > 0; packet = queue.take()) {
        if (failure.get() == null) {
          try {
            out.write(packet);
          } catch (IOException e) {
            failure.set(e);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void packet(MemorySegment packet) {
    if (!queue.offer(packet.toArray(ValueLayout.JAVA_BYTE))) {
      dropped.increment();
    }
  }

  /** Returns the packets that were dropped, because the stream took none for too long. */
  public long dropped() {
    return dropped.sum();
  }

  /**
   * Checks that all has been written so far.
   *
   * @throws IOException if the stream has failed
   */
  public void requireWritten() throws IOException {
    IOException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }

  /** Writes what waits, for some seconds at most, and ends. */
  @Override
  public void close() throws IOException {
    try {
      queue.put(END);
      writer.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    requireWritten();
  }
}
