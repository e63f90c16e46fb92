package io.fieldstone.net.session;

import io.fieldstone.net.pacing.SentTimes;
import io.fieldstone.rlnc.object.ObjectSender;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An object that a {@link ServerSession} sends, with the times at which its packets left. */
final class OutgoingObject implements AutoCloseable {

  /** The packets whose times are kept: more than are in flight in 100 ms at 100 MB/s. */
  private static final int TIMES = 1 << 14;

  private static final long MAX_DELAY_MICROS = 1_000_000_000;

  final int alias;
  final OpenObject object;
  final ObjectSender sender;
  private final SentTimes times = new SentTimes(TIMES);

  /** A packet that waits for a wider path; empty if there is none. */
  private MemorySegment held = MemorySegment.NULL;

  /** The bytes of the last packet, with its header and coefficients. */
  private int packetBytes;

  private long arrived;
  private long arrivedBytes;
  private boolean isClosed;

  OutgoingObject(int alias, OpenObject object) {
    this.alias = alias;
    this.object = object;
    this.sender = object.sender(alias);
  }

  /**
   * Writes the packet that was held, or else the next one.
   *
   * @return the bytes written; 0 if there is none now
   */
  int next(MemorySegment packet) throws IOException {
    int bytes = heldBytes();
    if (bytes == 0) {
      return sender.next(packet);
    }
    MemorySegment _ = packet.copyFrom(held);
    held = MemorySegment.NULL;
    return bytes;
  }

  /** Keeps a packet, after which no other is written before {@link #next}; copied. */
  void hold(MemorySegment packet) {
    held = MemorySegment.ofArray(packet.toArray(ValueLayout.JAVA_BYTE));
  }

  /** Returns the bytes of the packet that is held; 0 if there is none. */
  int heldBytes() {
    return (int) held.byteSize();
  }

  /** Notes the bytes and the time of the packet that was written last. */
  void sent(int bytes, long nowNanos) {
    packetBytes = bytes;
    long _ = times.onSent(nowNanos);
    object.sent(sender.lastGeneration());
  }

  /** Counts the packets of the last report, each with the bytes of the last one that was sent. */
  void reported() {
    arrivedBytes += (sender.packetsArrived() - arrived) * packetBytes;
    arrived = sender.packetsArrived();
  }

  /** Returns the bytes of the packets that had arrived when the last report was made. */
  long arrivedBytes() {
    return arrivedBytes;
  }

  /**
   * Returns the round-trip time that the last report shows, less the time that the receiver waited;
   * 0 if unknown.
   */
  long rttNanos(long nowNanos) {
    return times.rttNanos(sender.arrivedEnd() - 1, heldNanos(), nowNanos);
  }

  /** Returns the time for which the receiver held the last report. */
  long heldNanos() {
    return 1000 * Math.min(sender.reportDelayMicros(), MAX_DELAY_MICROS);
  }

  /** Returns when the last packet was sent that the last report names. */
  long sentNanos(long unknown) {
    return times.sentNanos(sender.arrivedEnd() - 1, unknown);
  }

  /** Returns the bytes of a packet without those of its block. */
  int headerBytes() {
    return sender.maxPacketBytes() - object.manifest().shape().blockSize();
  }

  /**
   * Checks the number of a generation that the client has sent.
   *
   * @throws MalformedMessageException if the object has no such generation
   */
  void requireGeneration(int generation) throws MalformedMessageException {
    int generations = object.manifest().generations();
    if (generation >= generations) {
      throw new MalformedMessageException("generation %d of %d".formatted(generation, generations));
    }
  }

  /** Returns true once the object has ended. */
  boolean isClosed() {
    return isClosed;
  }

  @Override
  public void close() {
    isClosed = true;
    sender.close();
    object.close();
  }
}
