package io.fieldstone.rlnc.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.window.WindowOracle.Event;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Streams over random channels, compared with {@link WindowOracle} after every packet: loss,
 * bursts, reordering, duplicates, repair symbols over any packets held, deadlines, both fields,
 * elastic and fixed windows, relays that recode. {@code -Dfieldstone.simulations=100000} runs more.
 */
class WindowSimulationTest {

  private static final int RUNS = Integer.getInteger("fieldstone.simulations", 500);

  @Test
  void decodersDeliverWhatTheWholeSystemSolves() {
    int solved = 0;
    for (int seed = 0; seed < RUNS; seed++) {
      try (Engine engine = Engine.open("cpu:scalar")) {
        solved += new Stream(engine, new Random(seed)).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertThat(solved).as("solved packets").isGreaterThan(RUNS);
  }

  /** A packet or a symbol on its way. */
  private record Datagram(
      long due, long number, Repair repair, WindowVector vector, long id, byte[] bytes) {}

  private static final Repair NO_REPAIR = new Repair(0, 0, 1);
  private static final WindowVector NO_VECTOR =
      new WindowVector(0, MemorySegment.ofArray(new byte[1]));

  /** A channel with Gilbert-Elliott loss, duplicates and random delays. */
  private static final class Channel {
    private final Random random;
    private final double loss;
    private final double burst;
    private final double duplicates;
    private final int jitter;
    private final PriorityQueue<Datagram> queue =
        new PriorityQueue<>((a, b) ->
            a.due() == b.due()
                ? Long.compare(a.number(), b.number())
                : Long.compare(a.due(), b.due()));
    private boolean isBad;
    private long sent;

    Channel(Random random) {
      this.random = random;
      this.loss = random.nextDouble() * random.nextDouble();
      this.burst = random.nextBoolean() ? 1 : 1 + random.nextInt(12);
      this.duplicates = random.nextInt(3) == 0 ? 0.2 : 0;
      this.jitter = random.nextInt(3) == 0 ? 1 + random.nextInt(20) : 1;
    }

    void send(long now, Repair repair, WindowVector vector, long id, byte[] bytes) {
      boolean flips = random.nextDouble() < (isBad ? 1 / burst : loss / burst);
      isBad = isBad != flips;
      int copies = isBad ? 0 : random.nextDouble() < duplicates ? 2 : 1;
      for (int i = 0; i < copies; i++) {
        long due = now + random.nextInt(jitter);
        queue.add(new Datagram(due, sent++, repair, vector, id, bytes));
      }
    }

    List<Datagram> receive(long now) {
      List<Datagram> arrived = new ArrayList<>();
      while (!queue.isEmpty() && queue.peek().due() <= now) {
        arrived.add(queue.remove());
      }
      return arrived;
    }
  }

  /** Checks what is delivered against what was sent, and records it. */
  private static final class Recorder implements PacketSink {
    private final List<byte[]> packets;
    private final long first;
    private final boolean framed;
    private final List<Event> events = new ArrayList<>();

    Recorder(List<byte[]> packets, long first, boolean framed) {
      this.packets = packets;
      this.first = first;
      this.framed = framed;
    }

    @Override
    public void packet(long id, MemorySegment packet) {
      byte[] sent = packets.get((int) (id - first));
      byte[] got = packet.toArray(ValueLayout.JAVA_BYTE);
      if (framed) {
        assertThat(got).as("packet %d", id).isEqualTo(sent);
      } else {
        assertThat(got).as("packet %d", id).startsWith(sent);
      }
      events.add(new Event(id, true));
    }

    @Override
    public void gap(long first, long count) {
      assertThat(count).isPositive();
      for (long id = first; id < first + count; id++) {
        events.add(new Event(id, false));
      }
    }
  }

  private static final class Stream {
    private final Engine engine;
    private final Random random;
    private final WindowCode code;
    private final WindowShape shape;
    private final WindowShape receiving;
    private final long first;
    private final boolean elastic;
    private final boolean recodes;
    private final int deadline;
    private final double redundancy;
    private final Delivery delivery;
    private final List<byte[]> packets = new ArrayList<>();
    private int key;

    Stream(Engine engine, Random random) {
      this.engine = engine;
      this.random = random;
      this.code =
          switch (random.nextInt(4)) {
            case 0 -> WindowCode.GF2;
            case 1 -> new WindowCode(random.nextBoolean() ? 1 : 8, random.nextInt(16));
            default -> WindowCode.GF256;
          };
      SymbolFraming framing = random.nextInt(4) == 0 ? SymbolFraming.NONE : SymbolFraming.LENGTH;
      int symbolBytes = 3 + random.nextInt(30);
      int window = 1 + random.nextInt(random.nextBoolean() ? 8 : 48);
      this.shape = new WindowShape(symbolBytes, window, framing);
      int received = random.nextInt(4) == 0 ? 1 + random.nextInt(48) : window + random.nextInt(24);
      this.receiving = new WindowShape(symbolBytes, received, framing);
      // Half of the streams pass 2^32, where ids on the wire wrap.
      this.first = random.nextBoolean() ? 0 : (1L << 32) - random.nextInt(60);
      this.elastic = random.nextBoolean();
      this.recodes = random.nextInt(3) == 0;
      this.deadline = random.nextInt(3) == 0 ? 5 + random.nextInt(60) : Integer.MAX_VALUE;
      this.redundancy = random.nextDouble() * random.nextDouble();
      this.delivery = random.nextBoolean() ? Delivery.IN_ORDER : Delivery.AS_DECODED;
    }

    int run() {
      boolean framed = shape.framing() == SymbolFraming.LENGTH;
      Recorder recorder = new Recorder(packets, first, framed);
      WindowOracle oracle =
          new WindowOracle(receiving.window(), delivery == Delivery.IN_ORDER, first);
      Channel up = new Channel(random);
      Channel down = new Channel(random);
      int length = 20 + random.nextInt(150);
      int solved = 0;
      try (WindowEncoder encoder = WindowEncoder.open(engine, shape, code, first);
          WindowRecoder relay = WindowRecoder.open(engine, receiving, code, 1, first);
          WindowDecoder decoder = WindowDecoder.open(engine, receiving, code, delivery, first)) {
        for (long now = 0; now < length + 60; now++) {
          if (now < length) {
            byte[] packet = new byte[1 + random.nextInt(shape.largestPacket())];
            random.nextBytes(packet);
            packets.add(packet);
            long id = encoder.add(MemorySegment.ofArray(packet));
            assertThat(id).isEqualTo(first + now);
            (recodes ? up : down).send(now, NO_REPAIR, NO_VECTOR, id, packet);
          }
          if (random.nextDouble() < redundancy && encoder.first() < encoder.next()) {
            repair(now, encoder, recodes ? up : down);
          }
          if (recodes) {
            relay(now, relay, up, down);
          }
          for (Datagram datagram : down.receive(now)) {
            receive(datagram, decoder, oracle, recorder);
            assertThat(recorder.events).isEqualTo(oracle.events());
          }
          if (deadline < now) {
            decoder.expire(first + now - deadline, recorder);
            oracle.expire(first + now - deadline);
            assertThat(recorder.events).isEqualTo(oracle.events());
          }
          Acknowledgement acknowledgement = decoder.acknowledgement();
          assertThat(acknowledgement).isEqualTo(oracle.acknowledgement());
          if (elastic && random.nextInt(4) == 0) {
            long missing = Math.min(encoder.next(), acknowledgement.firstMissing());
            encoder.acknowledge(missing);
            relay.acknowledge(missing);
          }
        }
        assertThat(decoder.damaged()).isZero();
        solved += (int) oracle.events().stream().filter(Event::isPacket).count();
      }
      return solved;
    }

    private void repair(long now, WindowEncoder encoder, Channel channel) {
      MemorySegment symbol = MemorySegment.ofArray(new byte[shape.symbolBytes()]);
      key = (key + 1) % code.keys();
      Repair repair;
      if (random.nextBoolean()) {
        repair = encoder.repair(key, symbol);
      } else {
        int held = (int) (encoder.next() - encoder.first());
        int skipped = random.nextInt(held);
        int count = 1 + random.nextInt(held - skipped);
        repair = encoder.repair(key, encoder.first() + skipped, count, symbol);
      }
      byte[] bytes = symbol.toArray(ValueLayout.JAVA_BYTE);
      requireCombination(repair.first(), vector(repair), bytes);
      channel.send(now, repair, NO_VECTOR, -1, bytes);
    }

    private byte[] vector(Repair repair) {
      byte[] vector = new byte[repair.count()];
      code.coefficients(repair.key(), repair.count(), MemorySegment.ofArray(vector));
      return vector;
    }

    private void relay(long now, WindowRecoder relay, Channel up, Channel down) {
      for (Datagram datagram : up.receive(now)) {
        MemorySegment bytes = MemorySegment.ofArray(datagram.bytes());
        if (datagram.id() >= 0) {
          relay.source(datagram.id(), bytes);
          down.send(now, NO_REPAIR, NO_VECTOR, datagram.id(), datagram.bytes());
        } else {
          relay.repair(datagram.repair(), bytes);
        }
      }
      if (random.nextDouble() < redundancy && !relay.isEmpty()) {
        MemorySegment coefficients = MemorySegment.ofArray(new byte[receiving.window()]);
        MemorySegment symbol = MemorySegment.ofArray(new byte[shape.symbolBytes()]);
        WindowVector vector = relay.next(coefficients, symbol);
        byte[] bytes = symbol.toArray(ValueLayout.JAVA_BYTE);
        requireCombination(
            vector.first(), vector.coefficients().toArray(ValueLayout.JAVA_BYTE), bytes);
        down.send(now, NO_REPAIR, vector, -1, bytes);
      }
    }

    private void receive(
        Datagram datagram, WindowDecoder decoder, WindowOracle oracle, PacketSink sink) {
      MemorySegment bytes = MemorySegment.ofArray(datagram.bytes());
      Reception reception;
      Reception expected;
      if (datagram.id() >= 0) {
        reception = decoder.source(datagram.id(), bytes, sink);
        expected = oracle.source(datagram.id());
      } else if (datagram.vector() != NO_VECTOR) {
        WindowVector vector = datagram.vector();
        reception = decoder.recoded(vector.first(), vector.coefficients(), bytes, sink);
        expected =
            oracle.combined(vector.first(), vector.coefficients().toArray(ValueLayout.JAVA_BYTE));
      } else {
        reception = decoder.repair(datagram.repair(), bytes, sink);
        expected = oracle.combined(datagram.repair().first(), vector(datagram.repair()));
      }
      assertThat(reception).isEqualTo(expected);
    }

    /** Checks that a symbol is the combination of the packets, by scalar arithmetic. */
    private void requireCombination(long from, byte[] vector, byte[] symbol) {
      byte[] sum = new byte[shape.symbolBytes()];
      Supplier<String> what = () -> "combination from id " + from;
      for (int i = 0; i < vector.length; i++) {
        byte[] framed = new byte[shape.symbolBytes()];
        if (vector[i] != 0) {
          byte[] packet = packets.get((int) (from + i - first));
          int header = shape.symbolBytes() - shape.largestPacket();
          if (header > 0) {
            framed[0] = (byte) (packet.length >> 8);
            framed[1] = (byte) packet.length;
          }
          System.arraycopy(packet, 0, framed, header, packet.length);
        }
        for (int k = 0; k < sum.length; k++) {
          int product =
              Gf256.DEFAULT.multiply(Byte.toUnsignedInt(vector[i]), Byte.toUnsignedInt(framed[k]));
          sum[k] ^= (byte) product;
        }
      }
      assertThat(symbol).as(what).isEqualTo(sum);
    }
  }
}
