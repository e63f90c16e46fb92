package io.fieldstone.net.session;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.PathStats;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends the packets that reports ask for, one of each object in turn, as fast as the pacer and the
 * carrier allow. On the loop of the connection.
 */
final class PacketPump {

  /** The time for which the carrier may hold packets: a longer queue would add delay. */
  private static final long MAX_BACKLOG_NANOS = 1_000_000;

  /** The number of packets that the carrier may hold at any rate, so that it can send batches. */
  private static final int MIN_BACKLOG = 16;

  /** The maximum number of packets in one turn of the loop, so that all connections get turns. */
  private static final int MAX_BURST = 64;

  /** The time between two polls of a carrier that holds too many packets. */
  private static final long BACKLOG_POLL_NANOS = 500_000;

  /** The time between two polls of the MTU of a path that carries no packet of an object. */
  private static final long MTU_POLL_NANOS = 2_000_000;

  /** The time within which the MTU of a path must be discovered; then the object ends. */
  private static final long MAX_MTU_DISCOVERY_NANOS = 8_000_000_000L;

  private final ClientConnection client;
  private final OutgoingObjects objects;
  private final SenderPacing pacing;
  private final SessionCounters counters;

  /** The objects that have packets to send, in the order of their turns. */
  private final Deque<OutgoingObject> turns = new ArrayDeque<>();

  private MemorySegment packet = MemorySegment.NULL;

  /** The bytes of a packet that the carrier has not accepted yet; 0 if there is none. */
  private int unsentBytes;

  /** The object of that packet. */
  private @Nullable OutgoingObject unsent;

  private @Nullable Cancellable wakeUp;
  private long sentBytes;

  PacketPump(
      ClientConnection client,
      OutgoingObjects objects,
      SenderPacing pacing,
      SessionCounters counters) {
    this.client = client;
    this.objects = objects;
    this.pacing = pacing;
    this.counters = counters;
  }

  /** Returns the bytes of all packets that were sent. */
  long sentBytes() {
    return sentBytes;
  }

  /** Sends an object for which a report has arrived, or a generation was read. */
  void resume(OutgoingObject outgoing) {
    if (outgoing.isClosed()) {
      return;
    }
    if (outgoing.heldBytes() == 0 && outgoing.sender.hasNext() && !turns.contains(outgoing)) {
      turns.addLast(outgoing);
    }
    pump();
  }

  /** Sends the packets that may be sent now, and schedules the next ones. */
  void pump() {
    if (client.isClosed()) {
      return;
    }
    cancelWakeUp();
    Connection carrier = client.carrier();
    long now = System.nanoTime();
    long waitNanos = -1;
    int sent = 0;
    // The carrier sends nothing before the flush, so that it is asked only once.
    long backlog = carrier.backlogDatagrams();
    while (hasPacket()) {
      long delayNanos = pacing.delayNanos(now);
      if (delayNanos > 0) {
        waitNanos = delayNanos;
        break;
      }
      if (sent == MAX_BURST) {
        waitNanos = 0;
        break;
      }
      if (backlog > maxBacklog()) {
        pacing.blocked();
        waitNanos = BACKLOG_POLL_NANOS;
        break;
      }
      if (unsentBytes == 0 && !writeNext()) {
        continue;
      }
      if (!fitsPath(unsentBytes)) {
        holdUnsent(now);
        continue;
      }
      if (!carrier.sendDatagram(packet.asSlice(0, unsentBytes))) {
        break; // the carrier calls back when it is writable
      }
      countUnsent(now);
      sent++;
      backlog++;
    }
    if (sent > 0) {
      carrier.flush();
    }
    if (waitNanos >= 0) {
      wakeUp = carrier.schedule(this::pump, waitNanos);
    }
  }

  private boolean hasPacket() {
    while (!turns.isEmpty() && turns.getFirst().isClosed()) {
      turns.removeFirst();
    }
    return unsentBytes > 0 || !turns.isEmpty();
  }

  void cancelWakeUp() {
    if (wakeUp != null) {
      wakeUp.cancel();
      wakeUp = null;
    }
  }

  /** Writes the next packet of the object whose turn it is; returns false if it has none. */
  private boolean writeNext() {
    OutgoingObject outgoing = turns.removeFirst();
    try {
      int bytes = outgoing.next(bufferFor(outgoing));
      if (bytes == 0) {
        return false;
      }
      unsent = outgoing;
      unsentBytes = bytes;
    } catch (IOException e) {
      objects.readFailed(outgoing, e);
      return false;
    }
    if (outgoing.sender.hasNext()) {
      turns.addLast(outgoing);
    }
    return true;
  }

  private MemorySegment bufferFor(OutgoingObject outgoing) {
    if (packet.byteSize() < outgoing.sender.maxPacketBytes()) {
      packet = Arena.ofAuto().allocate(outgoing.sender.maxPacketBytes());
    }
    return packet;
  }

  /** Counts the packet that the carrier has accepted. */
  private void countUnsent(long now) {
    pacing.sent(unsentBytes, now);
    Objects.requireNonNull(unsent).sent(unsentBytes, now);
    counters.packetsSent.increment();
    counters.bytesSent.add(unsentBytes);
    sentBytes += unsentBytes;
    unsentBytes = 0;
  }

  private long maxBacklog() {
    double bytes = pacing.rateBytesPerSecond() * MAX_BACKLOG_NANOS / 1e9;
    return Math.max(MIN_BACKLOG, (long) (bytes / Math.max(1, packet.byteSize())));
  }

  private boolean fitsPath(int bytes) {
    Connection carrier = client.carrier();
    if (bytes <= carrier.maxDatagramBytes()) {
      return true;
    }
    PathStats _ = carrier.stats(); // makes the carrier read the MTU of the path again
    return bytes <= carrier.maxDatagramBytes();
  }

  /** Holds a packet that does not fit the path, so that the objects with smaller ones go on. */
  private void holdUnsent(long now) {
    OutgoingObject outgoing = Objects.requireNonNull(unsent);
    outgoing.hold(packet.asSlice(0, unsentBytes));
    unsentBytes = 0;
    turns.remove(outgoing);
    scheduleMtuPoll(outgoing, now);
  }

  /** A path carries small packets until the discovery of its MTU has found a larger one. */
  private void scheduleMtuPoll(OutgoingObject outgoing, long sinceNanos) {
    Cancellable _ = client.carrier().schedule(() -> pollMtu(outgoing, sinceNanos), MTU_POLL_NANOS);
  }

  private void pollMtu(OutgoingObject outgoing, long sinceNanos) {
    if (outgoing.isClosed()) {
      return;
    }
    if (fitsPath(outgoing.heldBytes())) {
      turns.addLast(outgoing);
      pump();
    } else if (System.nanoTime() - sinceNanos > MAX_MTU_DISCOVERY_NANOS) {
      int pathBytes = client.carrier().maxDatagramBytes();
      objects.end(
          outgoing,
          Message.RefusalCode.NARROW_PATH,
          ("packets of %d bytes do not fit the path, which carries %d; serve with --block-size %d"
                  + " or less")
              .formatted(
                  outgoing.heldBytes(),
                  pathBytes,
                  Math.max(1, pathBytes - outgoing.headerBytes())));
    } else {
      scheduleMtuPoll(outgoing, sinceNanos);
    }
  }
}
