package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.server.EndpointSettings;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.Optional;

/**
 * What the receivers of one loop share: a window of the stream, and their senders. Each loop has
 * all packets, so that no two threads share a window. Window and senders are used on the loop.
 */
final class LoopStream implements AutoCloseable {

  private final Loop loop;
  private final OriginWindow window;
  private final LiveSenders senders;
  private final PacketQueue queue;

  LoopStream(
      Engine engine,
      FlowShape shape,
      EndpointSettings settings,
      Optional<LiveMessage.Encryption> encryption,
      Loop loop) {
    this.loop = loop;
    this.window = new OriginWindow(engine, shape);
    this.senders = new LiveSenders(window, settings, encryption);
    this.queue = new PacketQueue(loop, this::split);
  }

  /** Sends packets to the receivers, on the loop. */
  private void split(Collection<byte[]> packets) {
    long now = System.nanoTime();
    int maxSourceBytes = senders.maxSourceBytes(now);
    for (byte[] packet : packets) {
      PartSplitter.split(window, MemorySegment.ofArray(packet), maxSourceBytes, now);
    }
    senders.added();
  }

  /** Sends a packet, or drops it if too many wait. Any thread may call it. */
  void add(byte[] packet) {
    queue.add(packet);
  }

  /** Returns the packets that were dropped. Any thread may ask. */
  long dropped() {
    return queue.dropped();
  }

  Loop loop() {
    return loop;
  }

  LiveSenders senders() {
    return senders;
  }

  /** Tells the receivers that the stream ends with what has been added. */
  void end() {
    queue.drain();
    senders.end(window.end());
  }

  /** Frees the window, once the loop has ended. */
  @Override
  public void close() {
    window.close();
  }
}
