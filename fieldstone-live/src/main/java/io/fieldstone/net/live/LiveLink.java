package io.fieldstone.net.live;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The flows of one connection: at most one in each direction. Passes datagrams on, and wakes sender
 * and receiver at their times. On the loop of the connection.
 */
final class LiveLink {

  private final Connection connection;
  private final Optional<LiveSender> sender;
  private final Optional<LiveReceiver> receiver;
  private @Nullable Cancellable wakeUp;
  private long wakeUpNanos = Long.MAX_VALUE;
  private boolean isClosed;
  private final long openedNanos = System.nanoTime();

  LiveLink(Connection connection, Optional<LiveSender> sender, Optional<LiveReceiver> receiver) {
    this.connection = connection;
    this.sender = sender;
    this.receiver = receiver;
  }

  Connection connection() {
    return connection;
  }

  /** Returns the time since it was opened. */
  double seconds() {
    return (System.nanoTime() - openedNanos) / 1e9;
  }

  Optional<LiveSender> sender() {
    return sender;
  }

  Optional<LiveReceiver> receiver() {
    return receiver;
  }

  /** Passes a datagram on; a peer that breaks the protocol is dropped. */
  void datagram(MemorySegment bytes) {
    if (isClosed) {
      return;
    }
    long now = System.nanoTime();
    try {
      if (LivePacket.kind(bytes) == LivePacket.REPORT) {
        if (sender.isPresent()) {
          sender.get().onReport(bytes, now);
        }
      } else if (receiver.isPresent()) {
        receiver.get().datagram(bytes, now);
      }
    } catch (MalformedDataException e) {
      connection.close(CloseCode.MALFORMED, String.valueOf(e.getMessage()));
      return;
    }
    pump();
  }

  /** Sends and delivers what is due, and schedules what will be. */
  void pump() {
    if (isClosed) {
      return;
    }
    long now = System.nanoTime();
    receiver.ifPresent(each -> each.wake(now));
    long next = sender.map(each -> each.pump(now)).orElse(Long.MAX_VALUE);
    next = Math.min(next, receiver.map(LiveReceiver::nextNanos).orElse(Long.MAX_VALUE));
    schedule(next, now);
  }

  private void schedule(long nanos, long now) {
    if (nanos == wakeUpNanos) {
      return;
    }
    if (wakeUp != null) {
      wakeUp.cancel();
      wakeUp = null;
    }
    wakeUpNanos = nanos;
    if (nanos != Long.MAX_VALUE) {
      wakeUp = connection.schedule(this::onWakeUp, Math.max(0, nanos - now));
    }
  }

  private void onWakeUp() {
    wakeUp = null;
    wakeUpNanos = Long.MAX_VALUE;
    pump();
  }

  /** Returns true once it is closed. */
  boolean isClosed() {
    return isClosed;
  }

  /** Frees the memory of both flows. Idempotent. */
  void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    schedule(Long.MAX_VALUE, 0);
    sender.ifPresent(LiveSender::close);
    receiver.ifPresent(LiveReceiver::close);
  }
}
