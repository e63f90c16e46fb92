package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.impairment.Direction;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.rlnc.repair.DeliveryTime;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/** A sender and a receiver of live packets in virtual time, over two directions of a path. */
final class VirtualFlow implements AutoCloseable {
  static final long MILLI = 1_000_000;
  static final int DATAGRAM_BYTES = 1400;

  /** Those of IP, UDP and QUIC. */
  static final int HEADER_BYTES = 28 + 30;

  private static final long OTHER_CLOCK_NANOS = 77_777 * MILLI;

  final OriginWindow window;
  final LiveSender sender;
  final LiveReceiver receiver;
  final Direction<Boolean> there;
  final Direction<Boolean> back;
  final List<Integer> delivered = new ArrayList<>();
  int wrong;
  long gaps;
  long wireBytes;
  long now;

  /** Packets that would wait for longer are dropped. */
  private long maxWaitNanos = Long.MAX_VALUE;

  long dropped;

  /** The times at which something happened, or was due. */
  long rounds;

  private final Random sizes = new Random(5);
  private final int payloadBytes;
  private int sent;

  VirtualFlow(Engine engine, FlowShape shape, int payloadBytes, Impairment there, Impairment back) {
    this(engine, shape, payloadBytes, there, back, Delivery.IN_ORDER);
  }

  VirtualFlow(
      Engine engine,
      FlowShape shape,
      int payloadBytes,
      Impairment there,
      Impairment back,
      Delivery delivery) {
    this(
        engine,
        shape,
        payloadBytes,
        there,
        back,
        delivery,
        new SenderRate(Long.MAX_VALUE, false, there.delayNanos() + back.delayNanos()));
  }

  private VirtualFlow(
      Engine engine,
      FlowShape shape,
      int payloadBytes,
      Impairment there,
      Impairment back,
      Delivery delivery,
      SenderRate rate) {
    this.payloadBytes = payloadBytes;
    this.window = new OriginWindow(engine, shape);
    this.there = new Direction<>(there, HEADER_BYTES, 3);
    this.back = new Direction<>(back, HEADER_BYTES, 4);
    this.sender =
        new LiveSender(
            window,
            shape,
            delivery == Delivery.IN_ORDER ? DeliveryTime.AT_DEADLINE : DeliveryTime.AT_ONCE,
            path(this.there, () -> now, bytes -> wireBytes += bytes),
            rate);
    this.receiver = new LiveReceiver(engine, shape, delivery, new Output(), Optional.empty());
  }

  /** Returns a direction of a tunnel. */
  static VirtualFlow ofTunnel(Engine engine, int payloadBytes, Impairment there, Impairment back) {
    long rtt = there.delayNanos() + back.delayNanos();
    VirtualFlow flow =
        new VirtualFlow(
            engine,
            TunnelLink.shape(),
            payloadBytes,
            there,
            back,
            Delivery.AS_DECODED,
            SenderRate.ofTunnel(Long.MAX_VALUE, false, rtt));
    flow.maxWaitNanos = TunnelLink.MAX_WAIT_NANOS;
    return flow;
  }

  /** Returns the path that a direction is. */
  static LivePath path(Direction<Boolean> direction, LongSupplier clock, IntConsumer bytes) {
    return new LivePath() {
      @Override
      public int maxDatagramBytes() {
        return DATAGRAM_BYTES;
      }

      @Override
      public boolean send(MemorySegment datagram) {
        bytes.accept((int) datagram.byteSize());
        direction.offer(datagram.asByteBuffer(), true, clock.getAsLong());
        return true;
      }

      @Override
      public long backlog() {
        return 0;
      }

      @Override
      public void flush() {}
    };
  }

  private final class Output implements LiveOutput {
    @Override
    public void packet(MemorySegment packet, long addedNanos) {
      if (packet.byteSize() < 4) {
        return;
      }
      int number = packet.get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 0);
      wrong +=
          packet.mismatch(
                      MemorySegment.ofArray(VirtualFlow.packet(number, (int) packet.byteSize())))
                  < 0
              ? 0
              : 1;
      delivered.add(number);
    }

    @Override
    public void gap(long sources) {
      gaps += sources;
    }

    @Override
    public void report(MemorySegment report) {
      back.offer(report.asByteBuffer(), true, now);
    }
  }

  static byte[] packet(int number, int bytes) {
    byte[] packet = new byte[bytes];
    new Random(number).nextBytes(packet);
    ByteBuffer.wrap(packet).putInt(0, number);
    return packet;
  }

  /** Sends packets of up to the length given at equal intervals, then waits for a second. */
  void run(int packets, long intervalNanos) throws MalformedDataException {
    run(packets, intervalNanos, now + packets * intervalNanos + 1_000 * MILLI);
  }

  /** Waits without a packet. */
  void idle(long nanos) throws MalformedDataException {
    run(0, 0, now + nanos);
  }

  private void run(int packets, long intervalNanos, long end) throws MalformedDataException {
    long nextSource = now;
    long pumpAt = now;
    int last = sent + packets;
    while (now < end) {
      rounds++;
      long next = Math.min(Math.min(pumpAt, ofReceiver()), end);
      next = Math.min(next, Math.min(there.nextNanos(), back.nextNanos()));
      next = sent < last ? Math.min(next, nextSource) : next;
      now = Math.max(now, next);
      if (sent < last && nextSource <= now && sender.waitNanos(now) > maxWaitNanos) {
        sent++;
        dropped++;
        nextSource += intervalNanos;
      } else if (sent < last && nextSource <= now) {
        int bytes = payloadBytes - sizes.nextInt(8);
        byte[] packet = packet(sent++, bytes);
        PartSplitter.split(
            window, MemorySegment.ofArray(packet), LiveSender.maxSourceBytes(DATAGRAM_BYTES), now);
        nextSource += intervalNanos;
      }
      for (var report = back.poll(now); report != null; report = back.poll(now)) {
        sender.onReport(MemorySegment.ofBuffer(report.bytes()), now);
      }
      pumpAt = sender.pump(now);
      window.release(sender.firstWanted());
      for (var datagram = there.poll(now); datagram != null; datagram = there.poll(now)) {
        receiver.datagram(MemorySegment.ofBuffer(datagram.bytes()), now + OTHER_CLOCK_NANOS);
      }
      receiver.wake(now + OTHER_CLOCK_NANOS);
    }
  }

  /** The clock of the receiver is another one. */
  private long ofReceiver() {
    long next = receiver.nextNanos();
    return next == Long.MAX_VALUE ? next : Math.max(next, 0) - OTHER_CLOCK_NANOS;
  }

  @Override
  public void close() {
    sender.close();
    receiver.close();
    window.close();
  }
}
