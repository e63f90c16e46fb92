package io.fieldstone.net.browser;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The frames that wait for the thread that writes them, bounded in bytes. Thread-safe. */
final class FrameQueue {

  /**
   * The bytes that may wait before packets are refused, so that little waits in front of a report.
   */
  static final int MAX_PACKET_BYTES = 128 << 10;

  /** The bytes that may wait before control messages are refused. */
  static final int MAX_BYTES = 1 << 20;

  private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
  private long bytes;
  private boolean closed;

  /** Adds a frame, unless more bytes than allowed wait already; returns true if it was added. */
  synchronized boolean offer(byte[] frame, int maxBytes) {
    if (closed || bytes >= maxBytes) {
      return false;
    }
    frames.add(frame);
    bytes += frame.length;
    notifyAll();
    return true;
  }

  /** Adds the last frame. */
  synchronized void finish(byte[] frame) {
    if (!closed) {
      frames.add(frame);
      bytes += frame.length;
      close();
    }
  }

  /** Refuses further frames. Those that wait can be taken. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Waits for frames and takes all; none are left and none will come if the list is empty. */
  synchronized List<byte[]> take() throws InterruptedException {
    while (frames.isEmpty() && !closed) {
      wait();
    }
    List<byte[]> taken = new ArrayList<>(frames);
    frames.clear();
    bytes = 0;
    return taken;
  }

  synchronized int size() {
    return frames.size();
  }
}
