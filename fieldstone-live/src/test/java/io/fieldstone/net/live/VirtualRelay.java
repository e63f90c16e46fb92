package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.impairment.Direction;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.rlnc.repair.DeliveryTime;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An origin, a relay and a receiver of live packets in virtual time, over two paths. */
final class VirtualRelay implements AutoCloseable {
  static final long MILLI = 1_000_000;

  final OriginWindow origin;
  final RelayWindow window;
  final LiveSender first;
  final LiveSender second;
  final LiveReceiver relay;
  final LiveReceiver receiver;
  final Direction<Boolean> toRelay;
  final Direction<Boolean> fromRelay;
  final Direction<Boolean> toReceiver;
  final Direction<Boolean> fromReceiver;
  final List<Integer> delivered = new ArrayList<>();
  int wrong;
  long gaps;
  long now;

  private int sent;
  private long firstAt;
  private long secondAt;

  VirtualRelay(Engine engine, FlowShape shape, Impairment hop, long seed) {
    this(engine, shape, hop, hop, seed);
  }

  VirtualRelay(
      Engine engine, FlowShape shape, Impairment firstHop, Impairment secondHop, long seed) {
    this.origin = new OriginWindow(engine, shape);
    this.window = new RelayWindow(engine, shape);
    this.toRelay = new Direction<>(firstHop, VirtualFlow.HEADER_BYTES, seed * 4);
    this.fromRelay = new Direction<>(firstHop, VirtualFlow.HEADER_BYTES, seed * 4 + 1);
    this.toReceiver = new Direction<>(secondHop, VirtualFlow.HEADER_BYTES, seed * 4 + 2);
    this.fromReceiver = new Direction<>(secondHop, VirtualFlow.HEADER_BYTES, seed * 4 + 3);
    this.first = sender(origin, shape, toRelay);
    this.second = sender(window, shape, toReceiver);
    RelayTap tap = new RelayTap(window, id -> second.addLate(id), this::pumpRelay);
    this.relay =
        new LiveReceiver(
            engine, shape, Delivery.AS_DECODED, new Output(fromRelay, false), Optional.of(tap));
    this.receiver =
        new LiveReceiver(
            engine, shape, Delivery.IN_ORDER, new Output(fromReceiver, true), Optional.empty());
  }

  private LiveSender sender(LiveWindow of, FlowShape shape, Direction<Boolean> direction) {
    return new LiveSender(
        of,
        shape,
        DeliveryTime.AT_DEADLINE,
        VirtualFlow.path(direction, () -> now, _ -> {}),
        new SenderRate(Long.MAX_VALUE, false, 0));
  }

  private void pumpRelay() {
    secondAt = second.pump(now);
    window.release(second.firstWanted());
  }

  private final class Output implements LiveOutput {
    private final Direction<Boolean> back;
    private final boolean isLast;

    Output(Direction<Boolean> back, boolean isLast) {
      this.back = back;
      this.isLast = isLast;
    }

    @Override
    public void packet(MemorySegment packet, long addedNanos) {
      if (isLast) {
        int number = packet.get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 0);
        MemorySegment expected =
            MemorySegment.ofArray(VirtualFlow.packet(number, (int) packet.byteSize()));
        wrong += packet.mismatch(expected) < 0 ? 0 : 1;
        delivered.add(number);
      }
    }

    @Override
    public void gap(long sources) {
      gaps += isLast ? sources : 0;
    }

    @Override
    public void report(MemorySegment report) {
      back.offer(report.asByteBuffer(), true, now);
    }
  }

  /** Sends packets at equal intervals, then waits for a time. */
  void run(int packets, int bytes, long intervalNanos, long waitNanos)
      throws MalformedDataException {
    long nextSource = now;
    int last = sent + packets;
    long end = now + packets * intervalNanos + waitNanos;
    while (now < end) {
      long next = Math.min(Math.min(firstAt, secondAt), end);
      next = Math.min(next, Math.min(relay.nextNanos(), receiver.nextNanos()));
      next = Math.min(next, Math.min(toRelay.nextNanos(), fromRelay.nextNanos()));
      next = Math.min(next, Math.min(toReceiver.nextNanos(), fromReceiver.nextNanos()));
      next = sent < last ? Math.min(next, nextSource) : next;
      now = Math.max(now, next);
      while (sent < last && nextSource <= now) {
        PartSplitter.split(
            origin,
            MemorySegment.ofArray(VirtualFlow.packet(sent++, bytes)),
            LiveSender.maxSourceBytes(VirtualFlow.DATAGRAM_BYTES),
            now);
        nextSource += intervalNanos;
      }
      for (var report = fromRelay.poll(now); report != null; report = fromRelay.poll(now)) {
        first.onReport(MemorySegment.ofBuffer(report.bytes()), now);
      }
      firstAt = first.pump(now);
      origin.release(first.firstWanted());
      for (var datagram = toRelay.poll(now); datagram != null; datagram = toRelay.poll(now)) {
        relay.datagram(MemorySegment.ofBuffer(datagram.bytes()), now);
      }
      relay.wake(now);
      for (var report = fromReceiver.poll(now); report != null; report = fromReceiver.poll(now)) {
        second.onReport(MemorySegment.ofBuffer(report.bytes()), now);
      }
      pumpRelay();
      for (var data = toReceiver.poll(now); data != null; data = toReceiver.poll(now)) {
        receiver.datagram(MemorySegment.ofBuffer(data.bytes()), now);
      }
      receiver.wake(now);
    }
  }

  @Override
  public void close() {
    first.close();
    second.close();
    relay.close();
    receiver.close();
    origin.close();
    window.close();
  }
}
