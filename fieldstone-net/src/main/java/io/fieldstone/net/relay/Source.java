package io.fieldstone.net.relay;

import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.session.ClientSession;
import io.fieldstone.net.session.Message;
import io.fieldstone.rlnc.object.ObjectReceiver;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** An object that is open at an {@link Upstream}. On the loop of the relay. */
final class Source {

  private static final int MAX_REPORT_BYTES = 1500;
  private static final long MIN_REPORT_NANOS = 5_000_000;

  /** The time between reports while nothing is wanted. */
  private static final long IDLE_NANOS = 20_000_000;

  /** The time between reports once the object is complete. */
  private static final long COMPLETE_NANOS = 250_000_000;

  private final Upstream upstream;
  private final ClientSession session;
  private final RelayedObject object;
  private final MemorySegment report = MemorySegment.ofArray(new byte[MAX_REPORT_BYTES]);
  private Optional<Message.Opened> opened = Optional.empty();
  private int number = -1;
  private long lastPacketNanos;
  private boolean isClosed;

  Source(Upstream upstream, ClientSession session, RelayedObject object) {
    this.upstream = upstream;
    this.session = session;
    this.object = object;
  }

  Upstream upstream() {
    return upstream;
  }

  ClientSession session() {
    return session;
  }

  /** Returns the peer's answer; empty if the object is not open yet. */
  Optional<Message.Opened> opened() {
    return opened;
  }

  /** Returns the share of its packets that are lost; empty before any is expected. */
  Optional<Double> lossShare() {
    return object.lossShare(this);
  }

  /** Returns true if the receiver has this sender. */
  boolean isReceiving() {
    return number >= 0 && !isClosed;
  }

  /** Returns the number of the sender at the receiver; −1 before it is open. */
  int number() {
    return number;
  }

  void opened(Message.Opened answer) {
    opened = Optional.of(answer);
    if (isClosed) {
      upstream.close(this);
    } else {
      object.opened(this);
    }
  }

  /** Sends a message about the object, which is open. */
  void send(Message message) {
    session.send(message);
  }

  void hashes(Message.Hashes part) throws MalformedDataException {
    if (!isClosed) {
      object.hashes(this, part);
    }
  }

  void leaves(Message.Leaves part) {
    if (!isClosed) {
      object.leaves(this, part);
    }
  }

  void packet(MemorySegment packet) throws MalformedDataException {
    if (isReceiving()) {
      lastPacketNanos = System.nanoTime();
      object.packet(this, packet);
    }
  }

  /** Begins to report as a sender of the receiver. */
  void start(int senderNumber) {
    number = senderNumber;
    lastPacketNanos = System.nanoTime();
    report();
  }

  private void report() {
    Optional<ObjectReceiver> receiver = object.receiver();
    if (isClosed || receiver.isEmpty()) {
      return;
    }
    Connection connection = session.connection();
    long room = Math.min(report.byteSize(), connection.maxDatagramBytes());
    if (room >= ObjectReceiver.MIN_REPORT_BYTES) {
      long delayMicros = (System.nanoTime() - lastPacketNanos) / 1000;
      int bytes = receiver.get().report(number, delayMicros, report.asSlice(0, room));
      // A report that is not accepted is replaced by the next.
      if (bytes > 0 && connection.sendDatagram(report.asSlice(0, bytes))) {
        connection.flush();
      }
    }
    long nanos = Math.max(MIN_REPORT_NANOS, connection.stats().rttNanos() / 4);
    if (receiver.get().isComplete()) {
      nanos = Math.max(nanos, COMPLETE_NANOS);
    } else if (receiver.get().openGenerations() == 0) {
      nanos = Math.max(nanos, IDLE_NANOS);
    }
    var _ = connection.schedule(this::report, nanos);
  }

  /** The connection has ended. */
  void lost() {
    if (!isClosed) {
      isClosed = true;
      object.lost(this);
    }
  }

  /** The peer does not send the object. */
  void ended(Message.RefusalCode code, String text) {
    if (!isClosed) {
      isClosed = true;
      object.ended(this, code, text);
    }
  }

  /** Closes the object at the peer. */
  void close() {
    if (!isClosed) {
      isClosed = true;
      upstream.close(this);
    }
  }
}
