package io.fieldstone.net.path;

import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.QuietHandler;
import io.fieldstone.net.pacing.Feedback;
import io.fieldstone.net.pacing.Pacer;
import io.fieldstone.net.pacing.RateController;
import io.fieldstone.net.pacing.SentTimes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Sends numbered datagrams as fast as a controller allows, and takes reports. */
final class PacedSender extends QuietHandler {
  static final int DATAGRAM_BYTES = 1100;
  static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final long TICK_NANOS = 1_000_000;

  private final Connection connection;
  private final RateController controller;
  private final Pacer pacer;
  private final SentTimes sentTimes = new SentTimes(1 << 16);
  private final MemorySegment datagram = Arena.ofAuto().allocate(DATAGRAM_BYTES);
  volatile long sent;
  volatile long refused;

  PacedSender(Connection connection, RateController controller) {
    this.connection = connection;
    this.controller = controller;
    this.pacer = new Pacer(controller.rateBytesPerSecond(), 2 * TICK_NANOS, 4 * DATAGRAM_BYTES);
  }

  @Override
  public void opened(Connection opened) {
    send();
  }

  @Override
  public void datagram(MemorySegment report) {
    long now = System.nanoTime();
    long lastSequence = report.getAtIndex(LONG, 4);
    long heldNanos = report.getAtIndex(LONG, 5);
    controller.onFeedback(
        new Feedback(
            now,
            report.getAtIndex(LONG, 0) - heldNanos,
            report.getAtIndex(LONG, 1),
            report.getAtIndex(LONG, 2),
            report.getAtIndex(LONG, 3),
            report.getAtIndex(LONG, 3) + 1,
            report.getAtIndex(LONG, 3) + 1 - report.getAtIndex(LONG, 1),
            sentTimes.sentNanos(report.getAtIndex(LONG, 3), now),
            sentTimes.nextSequence(),
            sentTimes.rttNanos(lastSequence, heldNanos, now),
            true));
    pacer.rate(controller.rateBytesPerSecond());
  }

  private void send() {
    long delay = pacer.delayNanos(System.nanoTime());
    while (delay == 0) {
      long now = System.nanoTime();
      datagram.set(LONG, 0, sentTimes.nextSequence());
      if (!connection.sendDatagram(datagram)) {
        refused++;
        delay = TICK_NANOS;
        break;
      }
      sentTimes.onSent(now);
      sent++;
      pacer.onSent(DATAGRAM_BYTES, now);
      delay = pacer.delayNanos(now);
    }
    connection.flush();
    connection.schedule(this::send, Math.min(delay, TICK_NANOS));
  }
}
