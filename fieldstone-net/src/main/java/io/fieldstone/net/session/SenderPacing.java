package io.fieldstone.net.session;

import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.events.NetworkEvents;
import io.fieldstone.net.pacing.CubicController;
import io.fieldstone.net.pacing.Feedback;
import io.fieldstone.net.pacing.FieldstoneController;
import io.fieldstone.net.pacing.Pacer;
import io.fieldstone.net.pacing.RateController;
import io.fieldstone.net.pacing.TotalRate;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a {@link ServerSession} may send: a rate controller fed by the reports on all
 * objects of the connection, and a pacer. On the loop of the connection.
 */
public final class SenderPacing {

  /** The packets of the first round trip (RFC 9002, Sec. 7.2). */
  private static final int FIRST_PACKETS = 10;

  private static final long DEFAULT_RTT_NANOS = 100_000_000;
  private static final double MIN_BYTES_PER_SECOND = 50_000;

  /** Timers of a busy host are late by some milliseconds. */
  private static final long BURST_NANOS = 4_000_000;

  /** The packets of a burst at any rate (RFC 9002, Sec. 7.7). */
  private static final int BURST_PACKETS = 10;

  private static final double NANOS_PER_SECOND = 1e9;

  private final int packetBytes;
  private final TotalRate.Share total;

  /** The limit of this connection, and what its part of the limit of all is. */
  private long maxBytesPerSecond;

  private double totalBytesPerSecond = Double.POSITIVE_INFINITY;

  /** The bytes that were sent, and those of them at the last report and its time. */
  private long sentBytes;

  private long sentBefore;
  private long reportNanos;

  private boolean isCubic;
  private @Nullable RateController controller;
  private @Nullable Pacer pacer;
  private long rttNanos = DEFAULT_RTT_NANOS;
  private boolean isSaturated;
  private long reportedEnd;

  /** Packets of objects that are closed: arrived, and their number. */
  private long closedArrived;

  private long closedArrivedBytes;

  private long closedEnd;
  private long closedDecided;
  private long closedLost;
  private String peer = "";
  private long recordedArrived;

  /**
   * Creates the pacing of one connection.
   *
   * @param maxBytesPerSecond the maximum rate; {@link Long#MAX_VALUE} for none
   * @param isCubic true for CUBIC (RFC 9438) in place of the controller that tolerates random loss
   * @param packetBytes the bytes of a packet
   */
  public SenderPacing(long maxBytesPerSecond, boolean isCubic, int packetBytes) {
    this(maxBytesPerSecond, isCubic, packetBytes, new TotalRate(Long.MAX_VALUE).open());
  }

  /**
   * Creates the pacing of one of several connections.
   *
   * @param maxBytesPerSecond the maximum rate; {@link Long#MAX_VALUE} for none
   * @param isCubic true for CUBIC (RFC 9438) in place of the controller that tolerates random loss
   * @param packetBytes the bytes of a packet
   * @param total its share of the rate of all connections, closed with this
   */
  public SenderPacing(
      long maxBytesPerSecond, boolean isCubic, int packetBytes, TotalRate.Share total) {
    this.total = total;
    this.maxBytesPerSecond = maxBytesPerSecond;
    this.isCubic = isCubic;
    this.packetBytes = packetBytes;
  }

  /**
   * Takes the peer, and the round-trip time of the handshake, from which the first rate follows.
   */
  void opened(String remote, long handshakeRttNanos) {
    peer = remote;
    if (handshakeRttNanos > 0) {
      rttNanos = handshakeRttNanos;
    }
  }

  /** Takes the limits of the receiver, in addition to those of the server. */
  void limit(long bytesPerSecond, boolean wantsCubic, long serverBytesPerSecond) {
    maxBytesPerSecond = Math.min(serverBytesPerSecond, bytesPerSecond);
    if (wantsCubic && !isCubic) {
      isCubic = true;
      controller = null;
    }
    applyRate();
  }

  private RateController controller() {
    RateController known = controller;
    if (known == null) {
      double first =
          Math.max(
              MIN_BYTES_PER_SECOND,
              FIRST_PACKETS * packetBytes * NANOS_PER_SECOND / Math.max(1_000_000, rttNanos));
      known =
          isCubic
              ? new CubicController(first)
              : new FieldstoneController(first, MIN_BYTES_PER_SECOND);
      controller = known;
    }
    return known;
  }

  private Pacer pacer() {
    Pacer known = pacer;
    if (known == null) {
      takeShare(System.nanoTime());
      known = new Pacer(rateBytesPerSecond(), BURST_NANOS, BURST_PACKETS * packetBytes);
      pacer = known;
    }
    return known;
  }

  /** Returns the limit of this connection now. */
  private double limit() {
    return Math.min((double) maxBytesPerSecond, totalBytesPerSecond);
  }

  /**
   * Takes the share of the rate of all connections. One that sends less than it may wants twice
   * what it sends, so that others get the rest.
   */
  private void takeShare(long now) {
    double wanted = Math.min((double) maxBytesPerSecond, controller().rateBytesPerSecond());
    if (!isSaturated && reportNanos != 0 && now > reportNanos) {
      double sent = (sentBytes - sentBefore) * NANOS_PER_SECOND / (now - reportNanos);
      wanted = Math.min(wanted, Math.max(MIN_BYTES_PER_SECOND, 2 * sent));
    }
    sentBefore = sentBytes;
    reportNanos = now;
    totalBytesPerSecond = total.limit(wanted, now);
  }

  /** Ends the share of the rate of all connections. */
  void close() {
    total.close();
  }

  private void applyRate() {
    pacer().rate(rateBytesPerSecond());
    pacer().batch(batchBytes());
  }

  /**
   * Where a limit is below what the path carries, packets go in bursts, so that a server of many
   * slow receivers wakes up once for ten packets.
   */
  private int batchBytes() {
    boolean isLimited = controller().rateBytesPerSecond() > limit();
    return isLimited ? BURST_PACKETS * packetBytes : 0;
  }

  /** Returns the rate in bytes per second. */
  double rateBytesPerSecond() {
    return Math.min(controller().rateBytesPerSecond(), limit());
  }

  /** Returns the time until a packet may be sent; 0 if it may be sent now. */
  long delayNanos(long now) {
    long delay = pacer().delayNanos(now);
    isSaturated |= delay > 0;
    return delay;
  }

  /** Notes that the carrier holds as many packets as it should. */
  void blocked() {
    isSaturated = true;
  }

  void sent(int bytes, long now) {
    sentBytes += bytes;
    pacer().onSent(bytes, now);
  }

  /**
   * Takes a report.
   *
   * @param objects all objects of the connection
   * @param reported the object of the report
   */
  void reported(Collection<OutgoingObject> objects, OutgoingObject reported, long now) {
    reported.reported();
    long arrived = closedArrived;
    long arrivedBytes = closedArrivedBytes;
    long end = closedEnd;
    long next = closedEnd;
    long decided = closedDecided;
    long lost = closedLost;
    for (OutgoingObject each : objects) {
      arrived += each.sender.packetsArrived();
      arrivedBytes += each.arrivedBytes();
      end += each.sender.arrivedEnd();
      next += each.sender.packetsSent();
      decided += each.sender.decidedEnd();
      lost += each.sender.packetsLost();
    }
    long rtt = reported.rttNanos(now);
    long endBefore = reportedEnd;
    reportedEnd = end;
    boolean isLimited = isSaturated && controller().rateBytesPerSecond() <= limit();
    takeShare(now);
    isSaturated = false;
    controller()
        .onFeedback(
            new Feedback(
                now,
                now - reported.heldNanos(),
                arrived,
                arrivedBytes,
                end - 1,
                decided,
                lost,
                reported.sentNanos(now),
                next,
                rtt,
                isLimited));
    applyRate();
    NetworkEvents.rate(peer, rateBytesPerSecond(), end - endBefore, arrived - recordedArrived, rtt);
    recordedArrived = arrived;
  }

  /** Returns the share of packets that are lost; empty before any is known to have arrived. */
  Optional<Double> lossShare(Collection<OutgoingObject> objects) {
    long decided = closedDecided;
    long lost = closedLost;
    for (OutgoingObject each : objects) {
      decided += each.sender.decidedEnd();
      lost += each.sender.packetsLost();
    }
    return Snapshot.Peer.share(lost, decided);
  }

  /** Keeps the counts of an object that is closed. */
  void closed(OutgoingObject object) {
    closedArrived += object.sender.packetsArrived();
    closedArrivedBytes += object.arrivedBytes();
    closedEnd += object.sender.arrivedEnd();
    closedDecided += object.sender.decidedEnd();
    closedLost += object.sender.packetsLost();
  }
}
