package io.fieldstone.net.fecframe;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.fecframe.AduSink;
import io.fieldstone.rlnc.fecframe.FecConfiguration;
import io.fieldstone.rlnc.fecframe.FecReceiver;
import io.fieldstone.rlnc.fecframe.FecReceiverSettings;
import io.fieldstone.rlnc.fecframe.FecStatistics;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Receives FEC source packets and FEC repair packets by UDP, and delivers ADUs.
 *
 * {@snippet :
 * FecframeAddresses at = new FecframeAddresses(Map.of(0, sourceAddress), repairAddress);
 * Duration latency = Duration.ofMillis(200);
 * try (FecframeReceiver receiver =
 *     FecframeReceiver.open(engine, configuration, settings, at, latency)) {
 *   while (playing) {
 *     receiver.receive(Duration.ofMillis(100), adus);
 *   }
 * }
 * }
 *
 * <p>In {@link io.fieldstone.rlnc.window.Delivery#IN_ORDER}, an ADU waits for an earlier one for
 * the latency budget at most. The budget ends only once the sockets are empty, so that a thread
 * which was suspended loses no ADU that has arrived. For one thread at a time. The caller owns the
 * engine.
 */
public final class FecframeReceiver implements AutoCloseable {

  private static final int MAX_PACKET_BYTES = 65_535;
  private static final int SOCKET_BUFFER_BYTES = 4 << 20;
  private static final int REPAIR_FLOW = -1;

  /** Datagrams of one socket in a row, so that flows stay in step. */
  private static final int PACKETS_PER_TURN = 8;

  /** How exactly the latency budget is kept: to a part of it. */
  private static final int MARKS_PER_LATENCY = 32;

  private final FecReceiver receiver;
  private final Selector selector;
  private final Map<Integer, DatagramChannel> channels;
  private final long latencyNanos;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_PACKET_BYTES);
  private final ArrayDeque<Mark> marks = new ArrayDeque<>();

  /** The position of the stream at a time. */
  private record Mark(long nanos, long position) {}

  private FecframeReceiver(
      FecReceiver receiver,
      Selector selector,
      Map<Integer, DatagramChannel> channels,
      Duration latency) {
    this.receiver = receiver;
    this.selector = selector;
    this.channels = channels;
    this.latencyNanos = latency.toNanos();
  }

  /**
   * Binds the sockets.
   *
   * @param engine solves lost symbols
   * @param configuration what sender and receiver share
   * @param settings windows, sizes and order
   * @param addresses where the packets of each source flow and the repair packets arrive; with port
   *     0, {@link #address} and {@link #repairAddress} have the ports
   * @param latency max_lat: how long an ADU may wait for an earlier one, &gt; 0
   * @throws IllegalArgumentException if a flow of the configuration has no address, the latency is
   *     not positive, or the settings do not fit the configuration
   * @throws IOException if an address cannot be bound
   */
  public static FecframeReceiver open(
      Engine engine,
      FecConfiguration configuration,
      FecReceiverSettings settings,
      FecframeAddresses addresses,
      Duration latency)
      throws IOException {
    engine.requireOpen();
    addresses.requireFlows(configuration);
    if (!latency.isPositive()) {
      throw new IllegalArgumentException("latency " + latency + " is not positive");
    }
    FecReceiver receiver = FecReceiver.open(engine, configuration, settings);
    Map<Integer, DatagramChannel> channels = new HashMap<>();
    try {
      Selector selector = Selector.open();
      try {
        for (int flow : configuration.flows()) {
          bind(flow, addresses.source(flow), selector, channels);
        }
        bind(REPAIR_FLOW, addresses.repair(), selector, channels);
        return new FecframeReceiver(receiver, selector, channels, latency);
      } catch (IOException e) {
        close(selector, channels);
        throw e;
      }
    } catch (IOException e) {
      receiver.close();
      throw e;
    }
  }

  private static void bind(
      int flow,
      InetSocketAddress address,
      Selector selector,
      Map<Integer, DatagramChannel> channels)
      throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    channels.put(flow, channel);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
    channel.bind(address);
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, flow);
  }

  private static void close(Selector selector, Map<Integer, DatagramChannel> channels)
      throws IOException {
    for (DatagramChannel channel : channels.values()) {
      channel.close();
    }
    selector.close();
  }

  /**
   * Waits for datagrams, and takes those that have arrived.
   *
   * @param timeout how long to wait for the first datagram, at least 1 ms
   * @param adus receives the ADUs that are now deliverable
   * @return the number of datagrams taken; 0 after the timeout, or when only a latency budget ended
   * @throws InterruptedIOException if the thread is interrupted, which stays so
   * @throws IOException if a socket fails
   */
  public int receive(Duration timeout, AduSink adus) throws IOException {
    long millis = Math.max(1, timeout.toMillis());
    if (receiver.waiting() > 0) {
      millis = Math.min(millis, Math.max(1, latencyNanos / MARKS_PER_LATENCY / 1_000_000));
    }
    selector.select(millis);
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted"); // select() no longer waits
    }
    int taken = 0;
    boolean isEmpty = true;
    for (SelectionKey key : selector.selectedKeys()) {
      int ofFlow = take(key, adus);
      isEmpty &= ofFlow < PACKETS_PER_TURN;
      taken += ofFlow;
    }
    selector.selectedKeys().clear();
    if (isEmpty) {
      expire(adus);
    }
    return taken;
  }

  private int take(SelectionKey key, AduSink adus) throws IOException {
    DatagramChannel channel = (DatagramChannel) key.channel();
    int flow = (Integer) key.attachment();
    int taken = 0;
    while (taken < PACKETS_PER_TURN && channel.receive(buffer.clear()) != null) {
      MemorySegment packet = MemorySegment.ofBuffer(buffer.flip());
      if (flow == REPAIR_FLOW) {
        receiver.repair(packet, adus);
      } else {
        receiver.source(flow, packet, adus);
      }
      taken++;
    }
    return taken;
  }

  /** Ends the wait for symbols older than the latency budget. */
  private void expire(AduSink adus) {
    if (receiver.waiting() == 0) {
      marks.clear();
      return;
    }
    long now = System.nanoTime();
    long position = receiver.position();
    if (marks.isEmpty()
        || (now - marks.getLast().nanos >= latencyNanos / MARKS_PER_LATENCY
            && position > marks.getLast().position)) {
      marks.add(new Mark(now, position));
    }
    while (!marks.isEmpty() && now - marks.getFirst().nanos >= latencyNanos) {
      long younger = position - marks.removeFirst().position;
      receiver.expire((int) Math.min(younger, Integer.MAX_VALUE), adus);
    }
  }

  /**
   * Returns the address that a source flow is bound to.
   *
   * @throws IllegalArgumentException if the flow is unknown
   * @throws IOException if the socket is closed
   */
  public InetSocketAddress address(int flow) throws IOException {
    if (flow == REPAIR_FLOW) {
      throw new IllegalArgumentException("flow " + flow + " has no address");
    }
    return boundTo(flow);
  }

  /**
   * Returns the address that the repair flow is bound to.
   *
   * @throws IOException if the socket is closed
   */
  public InetSocketAddress repairAddress() throws IOException {
    return boundTo(REPAIR_FLOW);
  }

  private InetSocketAddress boundTo(int flow) throws IOException {
    DatagramChannel channel = channels.get(flow);
    if (channel == null) {
      throw new IllegalArgumentException("flow " + flow + " has no address");
    }
    return (InetSocketAddress) channel.getLocalAddress();
  }

  /** Returns the counts so far. */
  public FecStatistics statistics() {
    return receiver.statistics();
  }

  /** Closes the sockets. */
  @Override
  public void close() throws IOException {
    receiver.close();
    close(selector, channels);
  }
}
