package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.rlnc.repair.DeliveryTime;
import io.fieldstone.rlnc.window.Delivery;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

/**
 * One connection of a tunnel: a flow in each direction. Packets that would wait for long before
 * they are sent are dropped, as a router does: repairs are for loss, and not for a path that is too
 * slow. On the loop of the connection.
 */
final class TunnelLink {

  /** The time for which receivers wait for a repair: some round trips of any path. */
  static final Duration DEADLINE = Duration.ofMillis(400);

  private static final int WINDOW = 3072;

  /** The time for which packets may wait before they are sent. */
  static final long MAX_WAIT_NANOS = 50_000_000;

  private final Connection connection;
  private final TunnelPort port;
  private final OriginWindow window;
  private final LiveSender sender;
  private final LiveReceiver receiver;
  private final LiveLink link;
  private long dropped;

  /** The maximum that the port was given last. */
  private int passedSourceBytes;

  /** Returns the flow that an end of a tunnel sends. */
  static FlowShape shape() {
    return new FlowShape(0, StreamServer.SOURCE_BYTES, WINDOW, DEADLINE.toNanos());
  }

  /**
   * Opens a link.
   *
   * @param in the flow of the peer
   * @param maxBytesPerSecond the maximum rate of this end; {@link Long#MAX_VALUE} for none
   */
  TunnelLink(
      Engine engine,
      Connection connection,
      FlowShape in,
      TunnelPort port,
      long maxBytesPerSecond,
      boolean isCubic) {
    this.connection = connection;
    this.port = port;
    this.window = new OriginWindow(engine, shape());
    SenderRate rate =
        SenderRate.ofTunnel(maxBytesPerSecond, isCubic, connection.stats().rttNanos());
    this.sender =
        new LiveSender(window, shape(), DeliveryTime.AT_ONCE, LivePath.of(connection), rate);
    this.receiver =
        new LiveReceiver(engine, in, Delivery.AS_DECODED, new Output(), Optional.empty());
    this.link = new LiveLink(connection, Optional.of(sender), Optional.of(receiver));
  }

  LiveLink link() {
    return link;
  }

  /** Sends packets of applications. */
  void send(Collection<byte[]> packets) {
    if (link.isClosed()) {
      return;
    }
    long now = System.nanoTime();
    int maxSourceBytes = sender.maxSourceBytes(now);
    if (maxSourceBytes != passedSourceBytes) {
      passedSourceBytes = maxSourceBytes;
      port.mtu(Math.min(maxSourceBytes, StreamServer.SOURCE_BYTES) - 1);
    }
    for (byte[] packet : packets) {
      if (sender.waitNanos(now) > MAX_WAIT_NANOS) {
        dropped++;
      } else {
        PartSplitter.split(window, MemorySegment.ofArray(packet), maxSourceBytes, now);
      }
    }
    link.pump();
    window.release(sender.firstWanted());
  }

  /** Returns the numbers of both flows. */
  TunnelStatistics statistics() {
    return statistics(LiveReceiver::statistics);
  }

  /** Returns the numbers of both flows, and leaves the delays for {@link #statistics}. */
  TunnelStatistics glance() {
    return statistics(LiveReceiver::glance);
  }

  private TunnelStatistics statistics(Function<LiveReceiver, ReceiverStatistics> received) {
    return new TunnelStatistics(
        link.isClosed() ? SenderStatistics.NONE : sender.statistics(),
        link.isClosed() ? ReceiverStatistics.NONE : received.apply(receiver),
        dropped,
        port.dropped());
  }

  /** Frees the memory. Idempotent; the link is closed before. */
  void close() {
    link.close();
    window.close();
  }

  /** Passes packets of the peer to applications. */
  private final class Output implements LiveOutput {
    @Override
    public void packet(MemorySegment packet, long addedNanos) {
      port.packet(packet);
    }

    @Override
    public void gap(long sources) {}

    @Override
    public void report(MemorySegment report) {
      LivePath.sendReport(connection, report);
    }
  }
}
