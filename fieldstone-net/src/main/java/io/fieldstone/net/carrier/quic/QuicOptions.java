package io.fieldstone.net.carrier.quic;

import java.time.Duration;

/**
 * How a {@link QuicCarrier} behaves. Immutable.
 *
 * @param sockets how packets reach the kernel
 * @param congestionControl the congestion control of the transport
 * @param windowPackets the congestion window at first, in packets, 1 to 10,000. BBR never makes it
 *     smaller, so a large one leaves the rate to the pacer of the sender
 * @param maxUdpBytes the largest UDP payload that is sent, if the path proves to carry it, 1200 to
 *     65,000; 9216 are received in any case
 * @param maxBacklogDatagrams the most datagrams per connection that wait for the transport, 1 to
 *     512
 * @param idleTimeout a connection that receives nothing for this time is closed, or for the peer's
 *     idle timeout if that is shorter
 * @param connectTimeout an attempt to connect fails after this time
 * @param loops the number of threads that serve connections, 1 to 64. With {@link Sockets#NIO} it
 *     is one, because its sockets cannot share an address
 * @param protocol the name of the protocol above (ALPN)
 */
public record QuicOptions(
    Sockets sockets,
    CongestionControl congestionControl,
    int windowPackets,
    int maxUdpBytes,
    int maxBacklogDatagrams,
    Duration idleTimeout,
    Duration connectTimeout,
    int loops,
    String protocol) {
  /** The initial congestion window (RFC 9002, Section 7.2) of a sender that does not pace. */
  public static final int STANDARD_WINDOW_PACKETS = 10;

  private static final int MAX_WINDOW_PACKETS = 10_000;

  /**
   * The usual options for a sender that paces: Ethernet's packets, no window of the transport, 10 s
   * to notice that a peer vanished.
   */
  public static final QuicOptions DEFAULT =
      new QuicOptions(
          Sockets.best(),
          CongestionControl.BBR,
          MAX_WINDOW_PACKETS,
          1472,
          64,
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          1,
          "fst/1");

  /** The smallest UDP payload that every QUIC path carries. */
  static final int MIN_UDP_BYTES = 1200;

  private static final int MAX_UDP_BYTES = 65_000;
  private static final int MAX_BACKLOG = 512;
  private static final int MAX_LOOPS = 64;

  /** Checks the ranges. */
  public QuicOptions {
    requireRange("windowPackets", windowPackets, 1, MAX_WINDOW_PACKETS);
    requireRange("maxUdpBytes", maxUdpBytes, MIN_UDP_BYTES, MAX_UDP_BYTES);
    requireRange("maxBacklogDatagrams", maxBacklogDatagrams, 1, MAX_BACKLOG);
    requireRange("loops", loops, 1, MAX_LOOPS);
    requireMillis("idleTimeout", idleTimeout);
    requireMillis("connectTimeout", connectTimeout);
  }

  /** Gives the same options with other sockets. */
  public QuicOptions withSockets(Sockets value) {
    return new QuicOptions(
        value,
        congestionControl,
        windowPackets,
        maxUdpBytes,
        maxBacklogDatagrams,
        idleTimeout,
        connectTimeout,
        loops,
        protocol);
  }

  /** Gives the same options with another congestion control. */
  public QuicOptions withCongestionControl(CongestionControl value) {
    return new QuicOptions(
        sockets,
        value,
        windowPackets,
        maxUdpBytes,
        maxBacklogDatagrams,
        idleTimeout,
        connectTimeout,
        loops,
        protocol);
  }

  /** Gives the same options with another congestion window at first, in packets. */
  public QuicOptions withWindowPackets(int value) {
    return new QuicOptions(
        sockets,
        congestionControl,
        value,
        maxUdpBytes,
        maxBacklogDatagrams,
        idleTimeout,
        connectTimeout,
        loops,
        protocol);
  }

  /** Gives the same options with another bound of UDP payloads, in bytes. */
  public QuicOptions withMaxUdpBytes(int value) {
    return new QuicOptions(
        sockets,
        congestionControl,
        windowPackets,
        value,
        maxBacklogDatagrams,
        idleTimeout,
        connectTimeout,
        loops,
        protocol);
  }

  /** Gives the same options with other timeouts. */
  public QuicOptions withTimeouts(Duration idle, Duration connect) {
    return new QuicOptions(
        sockets,
        congestionControl,
        windowPackets,
        maxUdpBytes,
        maxBacklogDatagrams,
        idle,
        connect,
        loops,
        protocol);
  }

  /** Gives the same options with another name of the protocol. */
  public QuicOptions withProtocol(String value) {
    return new QuicOptions(
        sockets,
        congestionControl,
        windowPackets,
        maxUdpBytes,
        maxBacklogDatagrams,
        idleTimeout,
        connectTimeout,
        loops,
        value);
  }

  /** Gives the same options with another number of loops. */
  public QuicOptions withLoops(int value) {
    return new QuicOptions(
        sockets,
        congestionControl,
        windowPackets,
        maxUdpBytes,
        maxBacklogDatagrams,
        idleTimeout,
        connectTimeout,
        value,
        protocol);
  }

  private static void requireRange(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(name + " " + value + ": want " + min + " to " + max);
    }
  }

  private static void requireMillis(String name, Duration value) {
    if (value.toMillis() < 1 || value.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(name + " " + value + ": want 1 ms to 1 h");
    }
  }
}
