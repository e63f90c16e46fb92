package io.fieldstone.rlnc.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Long streams over channels that lose, delay and repeat packets: what is delivered is right, in
 * order, and not twice. {@code -Dfieldstone.packets=10000000} sends as many packets.
 */
class WindowStreamTest {

  private static final long PACKETS = Long.getLong("fieldstone.packets", 200_000);

  /** The packets of one stream. */
  private static final int LENGTH = 10_000;

  /** Packets after which the channel changes. */
  private static final int PHASE = 1_000;

  private static final int LARGEST = 61;

  @Test
  void longStreamsAreDeliveredOnceAndInOrder() {
    long solved = 0;
    long missing = 0;
    long late = 0;
    try (Engine engine = Engine.open("cpu", new EngineOptions(1))) {
      for (int seed = 0; seed < PACKETS / LENGTH; seed++) {
        Stream stream = new Stream(engine, new Random(seed));
        stream.run();
        solved += stream.solved;
        missing += stream.missing;
        late += stream.late;
      }
    }
    if (Long.getLong("fieldstone.packets") != null) {
      System.out.printf(
          "%d packets: %d solved, %d declared lost, %d too late%n", PACKETS, solved, missing, late);
    }
    assertThat(solved).as("solved packets").isGreaterThan(PACKETS / 50);
    assertThat(missing).as("packets declared lost").isGreaterThan(PACKETS / 1000);
    assertThat(late).as("packets and symbols too late").isGreaterThan(PACKETS / 10_000);
  }

  /** A source packet, or a repair symbol with its bytes. */
  private record Datagram(long due, long number, long id, Repair repair, byte[] symbol) {}

  private static final Repair NO_REPAIR = new Repair(0, 0, 1);
  private static final byte[] NO_SYMBOL = {};

  private static final class Stream implements PacketSink {
    private final Engine engine;
    private final Random random;
    private final WindowCode code;
    private final WindowShape shape;
    private final WindowShape receiving;
    private final boolean elastic;
    private final boolean ordered;
    private final int deadline;
    private final MemorySegment packet = MemorySegment.ofArray(new byte[LARGEST]);
    private final MemorySegment delivered = MemorySegment.ofArray(new byte[LARGEST]);
    private final MemorySegment symbol;
    private final PriorityQueue<Datagram> path =
        new PriorityQueue<>(
            Comparator.comparingLong(Datagram::due).thenComparingLong(Datagram::number));

    // The channel
    private double loss;
    private double burst;
    private double lateness;
    private int delay;
    private double duplication;
    private double redundancy;
    private boolean isBad;
    private long sent;

    // What was delivered
    private final boolean[] arrived = new boolean[LENGTH];
    private final boolean[] known = new boolean[LENGTH];
    private long expected;
    private long solved;
    private long missing;
    private long late;

    Stream(Engine engine, Random random) {
      this.engine = engine;
      this.random = random;
      this.code = random.nextInt(3) == 0 ? WindowCode.GF2 : WindowCode.GF256;
      int window = 1 + random.nextInt(random.nextInt(3) == 0 ? 16 : 255);
      int reordering = random.nextInt(4) == 0 ? 0 : 40;
      this.shape = WindowShape.of(LARGEST, random.nextInt(20) == 0 ? 512 : window);
      this.receiving = WindowShape.of(LARGEST, shape.window() + reordering);
      this.elastic = random.nextBoolean();
      this.ordered = random.nextInt(4) > 0;
      this.deadline = random.nextInt(3) == 0 ? 5 + random.nextInt(300) : LENGTH;
      this.symbol = MemorySegment.ofArray(new byte[shape.symbolBytes()]);
    }

    private void changeChannel() {
      loss = random.nextInt(3) == 0 ? 0 : random.nextDouble() * random.nextDouble();
      burst = random.nextBoolean() ? 1 : 1 + random.nextInt(20);
      lateness = random.nextBoolean() ? 0 : random.nextDouble() / 2;
      delay = 1 + random.nextInt(random.nextInt(4) == 0 ? 400 : 40);
      duplication = random.nextBoolean() ? 0 : random.nextDouble() / 4;
      redundancy = Math.min(1, loss * 2 * random.nextDouble() + 0.02);
    }

    /** Writes the packet of an id, whose bytes depend on it. */
    private static MemorySegment write(long id, MemorySegment memory) {
      long state = id * 0x9E37_79B9_7F4A_7C15L;
      int length = 1 + (int) (state >>> 33) % LARGEST;
      for (int i = 0; i < length; i++) {
        state = state * 6364136223846793005L + 1442695040888963407L;
        memory.set(ValueLayout.JAVA_BYTE, i, (byte) (state >>> 56));
      }
      return memory.asSlice(0, length);
    }

    void run() {
      Delivery delivery = ordered ? Delivery.IN_ORDER : Delivery.AS_DECODED;
      int key = 0;
      try (WindowEncoder encoder = WindowEncoder.open(engine, shape, code, 0);
          WindowDecoder decoder = WindowDecoder.open(engine, receiving, code, delivery, 0)) {
        for (long id = 0; id < LENGTH; id++) {
          if (id % PHASE == 0) {
            changeChannel();
          }
          encoder.add(write(id, packet));
          send(id, id, NO_REPAIR, NO_SYMBOL);
          if (random.nextDouble() < redundancy && encoder.first() < encoder.next()) {
            key = (key + 1) % code.keys();
            Repair repair = encoder.repair(key, symbol);
            send(id, -1, repair, symbol.toArray(ValueLayout.JAVA_BYTE));
          }
          receive(id, decoder);
          decoder.expire(Math.max(0, id - deadline), this);
          if (elastic && id % 16 == 0) {
            long first = decoder.acknowledgement().firstMissing();
            encoder.acknowledge(Math.min(encoder.next(), first));
          }
        }
        receive(Long.MAX_VALUE, decoder);
        decoder.expire(LENGTH, this);
        assertThat(decoder.damaged()).isZero();
        assertThat(decoder.acknowledgement().deficit()).isZero();
        assertThat(decoder.acknowledgement().firstMissing()).isEqualTo(LENGTH);
        late = decoder.late();
      }
      assertThat(ordered ? expected : LENGTH).isEqualTo(LENGTH);
    }

    private void send(long now, long id, Repair repair, byte[] bytes) {
      isBad ^= random.nextDouble() < (isBad ? 1 / burst : loss / burst);
      int copies = isBad ? 0 : random.nextDouble() < duplication ? 2 : 1;
      for (int i = 0; i < copies; i++) {
        long due = random.nextDouble() < lateness ? now + 1 + random.nextInt(delay) : now;
        path.add(new Datagram(due, sent++, id, repair, bytes));
      }
    }

    private void receive(long now, WindowDecoder decoder) {
      while (!path.isEmpty() && path.peek().due() <= now) {
        Datagram datagram = path.remove();
        if (datagram.id() < 0) {
          decoder.repair(datagram.repair(), MemorySegment.ofArray(datagram.symbol()), this);
        } else {
          arrived[(int) datagram.id()] = true;
          Reception reception = decoder.source(datagram.id(), write(datagram.id(), packet), this);
          require(reception != Reception.CONTRADICTORY, "contradictory", datagram.id());
        }
      }
    }

    private static void require(boolean isRight, String failure, long id) {
      if (!isRight) {
        throw new AssertionError("packet " + id + " " + failure);
      }
    }

    @Override
    public void packet(long id, MemorySegment got) {
      if (ordered) {
        require(id == expected, "out of order", id);
        expected++;
      }
      require(!known[(int) id], "delivered twice", id);
      known[(int) id] = true;
      require(got.mismatch(write(id, delivered)) == -1, "wrong", id);
      solved += arrived[(int) id] ? 0 : 1;
    }

    @Override
    public void gap(long first, long count) {
      require(!ordered || first == expected, "declared lost out of order", first);
      for (long id = first; id < first + count; id++) {
        require(!arrived[(int) id], "declared lost, but arrived", id);
        require(!known[(int) id], "declared lost, but known", id);
        known[(int) id] = true;
      }
      expected += ordered ? count : 0;
      missing += count;
    }
  }
}
