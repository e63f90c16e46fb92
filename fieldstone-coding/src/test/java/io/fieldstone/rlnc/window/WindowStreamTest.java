package io.fieldstone.rlnc.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Long streams over a channel that changes: what is delivered is right, in order, and not twice.
 * {@code -Dfieldstone.packets=10000000} sends as many packets.
 */
class WindowStreamTest {

  private static final long PACKETS = Long.getLong("fieldstone.packets", 200_000);

  /** Packets after which the channel changes. */
  private static final int PHASE = 5_000;

  private static final int LARGEST = 61;

  @Test
  void longStreamsAreDeliveredOnceAndInOrder() {
    try (Engine engine = Engine.open("cpu")) {
      long gf256 = new Stream(engine, WindowCode.GF256, 64, new Random(1)).run(PACKETS / 2);
      long gf2 = new Stream(engine, WindowCode.GF2, 64, new Random(2)).run(PACKETS / 4);
      long wide = new Stream(engine, WindowCode.GF256, 512, new Random(3)).run(PACKETS / 4);
      assertThat(gf256 + gf2 + wide).as("solved packets").isGreaterThan(PACKETS / 100);
    }
  }

  private static final class Stream implements PacketSink {
    private final Engine engine;
    private final WindowCode code;
    private final WindowShape shape;
    private final Random random;
    private final MemorySegment packet = MemorySegment.ofArray(new byte[LARGEST]);
    private final MemorySegment delivered = MemorySegment.ofArray(new byte[LARGEST]);
    private final MemorySegment symbol;
    private boolean[] arrived;
    private long expected;
    private long solved;

    Stream(Engine engine, WindowCode code, int window, Random random) {
      this.engine = engine;
      this.code = code;
      this.shape = WindowShape.of(LARGEST, window);
      this.random = random;
      this.symbol = MemorySegment.ofArray(new byte[shape.symbolBytes()]);
      this.arrived = new boolean[0];
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

    long run(long count) {
      arrived = new boolean[Math.toIntExact(count)];
      int key = 0;
      double loss = 0;
      double burst = 1;
      double redundancy = 0;
      boolean isBad = false;
      try (WindowEncoder encoder = WindowEncoder.open(engine, shape, code, 0);
          WindowDecoder decoder = WindowDecoder.open(engine, shape, code, Delivery.IN_ORDER, 0)) {
        for (long id = 0; id < count; id++) {
          if (id % PHASE == 0) {
            loss = random.nextInt(3) == 0 ? 0 : random.nextDouble() * random.nextDouble();
            burst = random.nextBoolean() ? 1 : 1 + random.nextInt(20);
            redundancy = Math.min(1, loss * 2 * random.nextDouble() + 0.02);
          }
          encoder.add(write(id, packet));
          isBad ^= random.nextDouble() < (isBad ? 1 / burst : loss / burst);
          if (!isBad) {
            arrived[(int) id] = true;
            decoder.source(id, write(id, packet), this);
          }
          if (random.nextDouble() < redundancy) {
            key = (key + 1) % code.keys();
            Repair repair = encoder.repair(key, symbol);
            if (random.nextDouble() >= loss) {
              decoder.repair(repair, symbol, this);
            }
          }
          if (id % 16 == 0) {
            encoder.acknowledge(decoder.acknowledgement().firstMissing());
          }
        }
        decoder.expire(count, this);
        assertThat(decoder.damaged()).isZero();
        assertThat(decoder.acknowledgement().deficit()).isZero();
      }
      assertThat(expected).isEqualTo(count);
      return solved;
    }

    @Override
    public void packet(long id, MemorySegment got) {
      assertThat(id).isEqualTo(expected);
      assertThat(got.mismatch(write(id, delivered))).as("packet %d", id).isEqualTo(-1);
      expected++;
      solved += arrived[(int) id] ? 0 : 1;
    }

    @Override
    public void gap(long first, long count) {
      assertThat(first).isEqualTo(expected);
      for (long id = first; id < first + count; id++) {
        assertThat(arrived[(int) id]).as("packet %d arrived", id).isFalse();
      }
      expected += count;
    }
  }
}
