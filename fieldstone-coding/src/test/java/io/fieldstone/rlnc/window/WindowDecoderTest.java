package io.fieldstone.rlnc.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.engine.Engine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What published sliding-window codes did wrong, each named at its test, and the bounds. */
class WindowDecoderTest {

  private static final int LARGEST = 21;

  private final Engine engine = Engine.open("cpu:scalar");
  private final Packets sink = new Packets();
  private final WindowShape shape = WindowShape.of(LARGEST, 16);
  private final WindowEncoder encoder = WindowEncoder.open(engine, shape, WindowCode.GF256, 0);
  private final MemorySegment symbol = memory(shape.symbolBytes());

  @AfterEach
  void close() {
    encoder.close();
    engine.close();
  }

  private static MemorySegment memory(int bytes) {
    return MemorySegment.ofArray(new byte[bytes]);
  }

  /** The packet of an id: odd and even lengths, also the smallest and the largest. */
  private static byte[] packet(long id) {
    byte[] packet = new byte[1 + Math.floorMod(id * 7, LARGEST)];
    new Random(id).nextBytes(packet);
    packet[packet.length - 1] |= 1; // so that a lost last byte is seen
    return packet;
  }

  private static MemorySegment segment(long id) {
    return MemorySegment.ofArray(packet(id));
  }

  private WindowDecoder decoder(Delivery delivery) {
    return WindowDecoder.open(engine, shape, WindowCode.GF256, delivery, 0);
  }

  private void add(int count) {
    for (int i = 0; i < count; i++) {
      encoder.add(segment(encoder.next()));
    }
  }

  private void assertRight() {
    sink.packets().forEach((id, bytes) -> assertThat(bytes).as("%d", id).isEqualTo(packet(id)));
  }

  @Test
  void aSecondPacketWithAnIdIsRefusedIfItDiffers() {
    add(3);
    try (WindowDecoder decoder = decoder(Delivery.IN_ORDER)) {
      assertThat(decoder.source(0, segment(0), sink)).isEqualTo(Reception.INNOVATIVE);
      assertThat(decoder.source(0, segment(0), sink)).isEqualTo(Reception.REDUNDANT);
      assertThat(decoder.source(0, segment(1), sink)).isEqualTo(Reception.CONTRADICTORY);
      byte[] longer = Arrays.copyOf(packet(0), packet(0).length + 1);
      assertThat(decoder.source(0, MemorySegment.ofArray(longer), sink))
          .isEqualTo(Reception.CONTRADICTORY);

      decoder.source(2, segment(2), sink);
      assertThat(decoder.repair(encoder.repair(1, symbol), symbol, sink))
          .isEqualTo(Reception.INNOVATIVE);
      assertThat(decoder.source(1, segment(2), sink)).isEqualTo(Reception.CONTRADICTORY);
      assertThat(decoder.source(1, segment(1), sink)).isEqualTo(Reception.REDUNDANT);
    }
    assertThat(sink.order()).containsExactly(0L, 1L, 2L);
    assertRight();
  }

  @ParameterizedTest
  @EnumSource(SymbolFraming.class)
  void aSecondPacketThatDiffersInOneBitIsRefused(SymbolFraming framing) {
    WindowShape framed = new WindowShape(LARGEST + framing.headerBytes(), 16, framing);
    try (WindowDecoder decoder =
        WindowDecoder.open(engine, framed, WindowCode.GF256, Delivery.IN_ORDER, 0)) {
      for (long id = 0; id < 8; id++) {
        decoder.source(id, segment(id), sink);
        byte[] changed = packet(id);
        for (int bit = 0; bit < changed.length * Byte.SIZE; bit++) {
          changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
          assertThat(decoder.source(id, MemorySegment.ofArray(changed), sink))
              .as("packet %d, bit %d", id, bit)
              .isEqualTo(Reception.CONTRADICTORY);
          changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        }
        assertThat(decoder.source(id, segment(id), sink)).isEqualTo(Reception.REDUNDANT);
      }
    }
    assertThat(sink.order()).hasSize(8);
  }

  /** Haivision/srt#894, catid/siamese#2 and #4. */
  @ParameterizedTest
  @EnumSource(Delivery.class)
  void aJumpOfMoreThanAWindowResynchronises(Delivery delivery) {
    long far = 1_000_000_000_000L;
    try (WindowDecoder decoder = decoder(delivery);
        WindowEncoder later = WindowEncoder.open(engine, shape, WindowCode.GF256, far)) {
      decoder.source(0, segment(0), sink);
      decoder.source(2, segment(2), sink);
      later.add(segment(far));
      later.add(segment(far + 1));
      decoder.source(far + 1, segment(far + 1), sink);
      assertThat(decoder.repair(later.repair(7, symbol), symbol, sink))
          .isEqualTo(Reception.INNOVATIVE);
      assertThat(decoder.acknowledgement().firstMissing()).isEqualTo(far - 14);
      decoder.expire(far, sink);
      assertThat(decoder.acknowledgement().firstMissing()).isEqualTo(far + 2);
      assertThat(decoder.source(1, segment(1), sink)).isEqualTo(Reception.LATE);
    }
    assertThat(sink.packets().keySet()).containsExactly(0L, 2L, far, far + 1);
    assertThat(sink.gaps()).containsExactly("1+1", "3+" + (far - 17), far - 14 + "+14");
    assertRight();
  }

  /** Haivision/srt#894: a path whose delay grows for a while, then falls again. */
  @Test
  void packetsDelayedByManyWindowsAreLateAndHarmless() {
    try (WindowDecoder decoder = decoder(Delivery.IN_ORDER)) {
      for (long id = 0; id < 400; id++) {
        boolean isDelayed = id >= 100 && id < 200;
        if (!isDelayed) {
          decoder.source(id, segment(id), sink);
        }
        if (id >= 300) {
          Reception delayed = decoder.source(id - 200, segment(id - 200), sink);
          assertThat(delayed).isEqualTo(Reception.LATE);
        }
      }
      assertThat(decoder.late()).isEqualTo(100);
    }
    // The window passes the missing packets one by one.
    assertThat(sink.gaps()).hasSize(16).startsWith("100+85").endsWith("199+1");
    assertThat(sink.order()).hasSize(300).isSorted();
  }

  /** svpcom/wfb-ng#4: the length inside a solved symbol comes from the network. */
  @Test
  void aSolvedSymbolWithAWrongLengthOrPaddingIsNotDelivered() {
    byte[][] changes = {{0, 0}, {(byte) 0xFF, (byte) 0xFF}, {0, LARGEST + 1}};
    for (int change = 0; change <= changes.length; change++) {
      Packets packets = new Packets();
      add(1);
      long id = encoder.next() - 1;
      encoder.acknowledge(id);
      try (WindowDecoder decoder =
          WindowDecoder.open(engine, shape, WindowCode.GF256, Delivery.IN_ORDER, id)) {
        // With the vector (1), the symbol is the framed packet.
        MemorySegment one = MemorySegment.ofArray(new byte[] {1});
        MemorySegment framed = memory(shape.symbolBytes());
        shape.frame(segment(id), framed);
        if (change < changes.length) {
          MemorySegment.copy(MemorySegment.ofArray(changes[change]), 0, framed, 0, 2);
        } else {
          framed.set(ValueLayout.JAVA_BYTE, shape.symbolBytes() - 1, (byte) 1);
          framed.set(ValueLayout.JAVA_BYTE, 1, (byte) 1);
        }
        decoder.recoded(id, one, framed, packets);
        assertThat(packets.order()).isEmpty();
        assertThat(decoder.damaged()).isEqualTo(1);
        assertThat(decoder.acknowledgement().deficit()).isEqualTo(1);

        assertThat(decoder.repair(encoder.repair(3, symbol), symbol, packets))
            .isEqualTo(Reception.INNOVATIVE);
        assertThat(packets.packets().get(id)).isEqualTo(packet(id));
      }
    }
  }

  /** sleepybishop/nanorq#3: exactly k symbols must solve all or nothing wrong. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void asManySymbolsAsPacketsNeverGiveWrongData(int elementBits) {
    WindowCode code = new WindowCode(elementBits, elementBits == 1 ? 7 : 15);
    int complete = 0;
    int runs = 400;
    for (int run = 0; run < runs; run++) {
      int k = 1 + run % shape.window();
      Packets packets = new Packets();
      try (WindowEncoder source = WindowEncoder.open(engine, shape, code, run);
          WindowDecoder decoder =
              WindowDecoder.open(engine, shape, code, Delivery.AS_DECODED, run)) {
        for (int i = 0; i < k; i++) {
          source.add(segment(run + i));
        }
        int rank = 0;
        for (int i = 0; i < k; i++) {
          Repair repair = source.repair(run * 31 + i, symbol);
          rank += decoder.repair(repair, symbol, packets) == Reception.INNOVATIVE ? 1 : 0;
        }
        packets
            .packets()
            .forEach((id, bytes) -> assertThat(bytes).as("%d", id).isEqualTo(packet(id)));
        assertThat(decoder.acknowledgement().deficit()).isEqualTo(k - rank);
        if (rank == k) {
          assertThat(packets.order()).hasSize(k);
          complete++;
        }
      }
    }
    assertThat(complete).isGreaterThan(elementBits == 1 ? runs / 5 : runs * 9 / 10);
  }

  /** roc-streaming/roc-toolkit#197: the last byte of odd lengths. */
  @Test
  void everyLengthIsSolvedWithItsLastByte() {
    for (int largest = 1; largest <= 40; largest++) {
      WindowShape sized = WindowShape.of(largest, 64);
      MemorySegment coded = memory(sized.symbolBytes());
      Packets packets = new Packets();
      try (WindowEncoder source = WindowEncoder.open(engine, sized, WindowCode.GF256, 0);
          WindowDecoder decoder =
              WindowDecoder.open(engine, sized, WindowCode.GF256, Delivery.IN_ORDER, 0)) {
        for (int length = 1; length <= largest; length++) {
          byte[] packet = new byte[length];
          Arrays.fill(packet, (byte) 0xA5);
          source.add(MemorySegment.ofArray(packet));
          decoder.repair(source.repair(length, coded), coded, packets);
        }
        for (int key = 100; decoder.acknowledgement().deficit() > 0; key++) {
          decoder.repair(source.repair(key, coded), coded, packets);
        }
      }
      assertThat(packets.order()).hasSize(largest);
      packets
          .packets()
          .forEach((id, bytes) -> {
            assertThat(bytes).hasSize((int) (id + 1)).containsOnly(0xA5);
          });
    }
  }

  /** irtf-nwcrg/swif-codec#8 and #10: a full window pairs coefficients with the right symbols. */
  @Test
  void aFullWindowThatSlidesSolvesEachPacketWithEachCount() {
    for (int window = 1; window <= 9; window++) {
      WindowShape sized = WindowShape.of(LARGEST, window);
      for (int count = 1; count <= window; count++) {
        for (int lost = 0; lost < count; lost++) {
          Packets packets = new Packets();
          try (WindowEncoder source = WindowEncoder.open(engine, sized, WindowCode.GF256, 0);
              WindowDecoder decoder =
                  WindowDecoder.open(engine, sized, WindowCode.GF256, Delivery.IN_ORDER, 0)) {
            for (long id = 0; id < 4L * window; id++) {
              source.add(segment(id));
              // Every count-th packet is lost, and repaired when the range ends with it or later.
              if (id % count != lost) {
                decoder.source(id, segment(id), packets);
              }
              if (id % count == count - 1) {
                long first = id - count + 1;
                Repair repair = source.repair((int) id, first, count, symbol);
                decoder.repair(repair, symbol, packets);
              }
            }
          }
          assertThat(packets.order())
              .as("window %d, count %d, lost %d", window, count, lost)
              .startsWith(
                  LongStream.range(0, 4L * window / count * count).boxed().toArray(Long[]::new));
          packets
              .packets()
              .forEach((id, bytes) -> assertThat(bytes).as("%d", id).isEqualTo(packet(id)));
        }
      }
    }
  }

  /** RFC 8681, section 4.1.2: ids on the wire wrap at 2^32, ids here do not. */
  @Test
  void idsPassTheWrapOfTheWire() {
    long first = (1L << 32) - 5;
    try (WindowEncoder source = WindowEncoder.open(engine, shape, WindowCode.GF256, first);
        WindowDecoder decoder =
            WindowDecoder.open(engine, shape, WindowCode.GF256, Delivery.IN_ORDER, first)) {
      for (long id = first; id < first + 10; id++) {
        source.add(segment(id));
        if (id % 3 != 0) {
          decoder.source(id, segment(id), sink);
        }
      }
      for (int key = 0; decoder.acknowledgement().deficit() > 0; key++) {
        decoder.repair(source.repair(key, symbol), symbol, sink);
      }
      assertThat(decoder.acknowledgement().firstMissing()).isEqualTo(first + 10);
    }
    assertThat(sink.order()).hasSize(10);
    assertRight();
  }

  /** Haivision/srt#1136, wiiznokes innate-os#708: what the path lost, and nothing before it. */
  @Test
  void lossIsWhatDidNotArriveAlsoIfItWasSolved() {
    try (WindowDecoder decoder = decoder(Delivery.IN_ORDER)) {
      Acknowledgement none = decoder.acknowledgement();
      assertThat(none).isEqualTo(new Acknowledgement(0, 0, 0, 0, 0));
      int repairs = 0;
      for (long id = 0; id < 100; id++) {
        add(1);
        boolean isLost = id % 10 == 3;
        boolean isLate = id % 10 == 5; // after it was solved
        if (!isLost && !isLate) {
          decoder.source(id, segment(id), sink);
        } else {
          decoder.repair(encoder.repair(repairs++, symbol), symbol, sink);
        }
        if (id % 10 == 7) {
          assertThat(decoder.source(id - 2, segment(id - 2), sink)).isEqualTo(Reception.REDUNDANT);
        }
      }
      assertThat(sink.order()).hasSize(100);
      assertThat(decoder.acknowledgement())
          .isEqualTo(new Acknowledgement(100, 100, 0, 100 - shape.window(), 9));
    }
  }

  @Test
  void packetsThatExpireAreNotDeliveredButHelpToSolveOthers() {
    add(6);
    try (WindowDecoder decoder = decoder(Delivery.IN_ORDER)) {
      for (long id : new long[] {0, 2, 5}) {
        decoder.source(id, segment(id), sink);
      }
      decoder.repair(encoder.repair(1, symbol), symbol, sink);
      decoder.repair(encoder.repair(2, symbol), symbol, sink);
      decoder.expire(2, sink);
      assertThat(sink.gaps()).containsExactly("1+1");
      assertThat(sink.order()).containsExactly(0L, 2L);
      // Packets 3 and 4 are wanted; two equations contain them, and packet 1 too.
      assertThat(decoder.acknowledgement().deficit()).isEqualTo(1);
      decoder.repair(encoder.repair(3, symbol), symbol, sink);
      assertThat(sink.order()).containsExactly(0L, 2L, 3L, 4L, 5L);
      assertRight();
    }
  }

  /** The window slides to a known packet, and then nothing after it arrives. */
  @ParameterizedTest
  @EnumSource(Delivery.class)
  void packetsThatExpireBeyondTheWindowLeaveKnownOnesDelivered(Delivery delivery) {
    try (WindowDecoder decoder = decoder(delivery)) {
      decoder.source(10, segment(10), sink);
      decoder.source(12, segment(12), sink);
      decoder.expire(10 + shape.window(), sink);
      assertThat(decoder.acknowledgement().firstMissing()).isEqualTo(10 + shape.window());
    }
    assertThat(sink.order()).containsExactly(10L, 12L);
    assertThat(sink.gaps()).containsExactly("0+10", "11+1", "13+" + (shape.window() - 3));
    assertRight();
  }

  @Test
  void aSymbolOverPacketsThatHaveLeftIsLateUnlessItsCoefficientsAreZero() {
    add(16);
    try (WindowDecoder decoder = decoder(Delivery.AS_DECODED)) {
      Repair old = encoder.repair(5, symbol);
      decoder.source(16, segment(16), sink);
      assertThat(decoder.repair(old, symbol, sink)).isEqualTo(Reception.LATE);
      assertThat(decoder.late()).isEqualTo(1);

      MemorySegment vector = memory(17);
      vector.set(ValueLayout.JAVA_BYTE, 16, (byte) 3);
      assertThat(decoder.recoded(0, vector, symbol, sink)).isEqualTo(Reception.REDUNDANT);
      MemorySegment zeros = memory(3);
      assertThat(decoder.recoded(0, zeros, symbol, sink)).isEqualTo(Reception.REDUNDANT);
      // Longer than the window, as a sender with a larger one makes it.
      MemorySegment longer = memory(40);
      longer.set(ValueLayout.JAVA_BYTE, 30, (byte) 1);
      MemorySegment framed = memory(shape.symbolBytes());
      shape.frame(segment(30), framed);
      assertThat(decoder.recoded(0, longer, framed, sink)).isEqualTo(Reception.INNOVATIVE);
    }
    assertThat(sink.order()).containsExactly(16L, 30L);
    assertRight();
  }

  @Test
  void theCodeWithOneKeySolvesOnePacket() {
    WindowCode parity = new WindowCode(1, 15);
    try (WindowEncoder source = WindowEncoder.open(engine, shape, parity, 0);
        WindowDecoder decoder = WindowDecoder.open(engine, shape, parity, Delivery.IN_ORDER, 0)) {
      for (long id = 0; id < 5; id++) {
        source.add(segment(id));
        if (id != 2) {
          decoder.source(id, segment(id), sink);
        }
      }
      decoder.repair(source.repair(0, symbol), symbol, sink);
      assertThat(sink.order()).containsExactly(0L, 1L, 2L, 3L, 4L);
      assertRight();
      assertThatIllegalArgumentException().isThrownBy(() -> source.repair(1, symbol));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> decoder.repair(new Repair(1, 0, 5), symbol, sink));
    }
  }

  @Test
  void theWindowOfAnEncoderIsWhatIsNotAcknowledged() {
    assertThatIllegalStateException().isThrownBy(() -> encoder.repair(0, symbol));
    add(20);
    assertThat(encoder.first()).isEqualTo(4);
    encoder.acknowledge(10);
    assertThat(encoder.repair(3, symbol)).isEqualTo(new Repair(3, 10, 10));
    encoder.acknowledge(7);
    assertThat(encoder.first()).isEqualTo(10);
    encoder.acknowledge(20);
    assertThatIllegalStateException()
        .isThrownBy(() -> encoder.repair(0, symbol))
        .withMessageContaining("20");
    add(1);
    assertThat(encoder.repair(4, symbol)).isEqualTo(new Repair(4, 20, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoder.acknowledge(22))
        .withMessageContaining("22")
        .withMessageContaining("21");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoder.repair(0, 19, 2, symbol))
        .withMessageContaining("19…20")
        .withMessageContaining("20…20");
  }

  @Test
  void argumentsOutOfRangeAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowShape.of(1316, 4096))
        .withMessageContaining("4096");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowShape.of(65536, 1))
        .withMessageContaining("65536");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WindowShape(2, 1, SymbolFraming.LENGTH))
        .withMessageContaining("2 is not in 3");
    for (int length : new int[] {0, LARGEST + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> encoder.add(memory(length)))
          .withMessageContaining("packet of " + length);
    }
    try (WindowDecoder decoder = decoder(Delivery.IN_ORDER)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> decoder.source(-1, segment(0), sink))
          .withMessageContaining("-1");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> decoder.source(0, memory(LARGEST + 1), sink));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> decoder.repair(new Repair(0, 0, 1), memory(3), sink))
          .withMessageContaining("3 bytes, expected " + shape.symbolBytes());
      assertThatIllegalArgumentException()
          .isThrownBy(() -> decoder.recoded(0, memory(0), symbol, sink));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> decoder.expire(Long.MAX_VALUE, sink))
          .withMessageContaining(Long.toString(Long.MAX_VALUE));
      assertThat(decoder.acknowledgement()).isEqualTo(new Acknowledgement(0, 0, 0, 0, 0));
      decoder.source(WindowShape.MAX_ID, segment(1), sink);
      WindowDecoder closedTwice = decoder;
      closedTwice.close();
    }
    assertThat(sink.gaps()).containsExactly("0+" + (WindowShape.MAX_ID + 1 - shape.window()));
  }

  @Test
  void packetsOnOrOffTheHeapAreCopied() {
    try (WindowDecoder decoder = decoder(Delivery.AS_DECODED);
        Arena arena = Arena.ofConfined()) {
      MemorySegment packet = arena.allocateFrom(ValueLayout.JAVA_BYTE, packet(0));
      MemorySegment coded = arena.allocate(shape.symbolBytes());
      encoder.add(packet);
      add(1);
      packet.fill((byte) 0);
      decoder.source(1, segment(1).asReadOnly(), sink);
      Repair repair = encoder.repair(9, coded);
      decoder.repair(repair, coded.asReadOnly(), sink);
    }
    assertThat(sink.order()).containsExactly(1L, 0L);
    assertRight();
  }

  /** A receiver of recoded symbols alone learns what the recoder has, and nothing else. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void recodedSymbolsCarryWhatTheRecoderHas(int elementBits) {
    WindowCode code = new WindowCode(elementBits, elementBits == 1 ? 7 : 15);
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      Packets atRelay = new Packets();
      Packets behind = new Packets();
      try (WindowEncoder source = WindowEncoder.open(engine, shape, code, 0);
          WindowRecoder relay = WindowRecoder.open(engine, shape, code, seed, 0);
          WindowRecoder second = WindowRecoder.open(engine, shape, code, ~seed, 0);
          WindowDecoder there = WindowDecoder.open(engine, shape, code, Delivery.AS_DECODED, 0);
          WindowDecoder here = WindowDecoder.open(engine, shape, code, Delivery.AS_DECODED, 0)) {
        assertThat(relay.isEmpty()).isTrue();
        MemorySegment coefficients = memory(shape.window());
        assertThatIllegalStateException().isThrownBy(() -> relay.next(coefficients, symbol));
        for (long id = 0; id < 12; id++) {
          source.add(segment(id));
          if (random.nextBoolean()) {
            assertThat(relay.source(id, segment(id)))
                .isEqualTo(here.source(id, segment(id), atRelay));
          }
          if (random.nextInt(3) == 0) {
            Repair repair = source.repair((int) id, symbol);
            assertThat(relay.repair(repair, symbol))
                .isEqualTo(here.repair(repair, symbol, atRelay));
          }
        }
        if (!relay.isEmpty()) {
          for (int i = 0; i < 60; i++) {
            WindowVector vector = relay.next(coefficients, symbol);
            second.recoded(vector.first(), vector.coefficients(), symbol);
          }
          for (int i = 0; i < 60; i++) {
            WindowVector vector = second.next(coefficients, symbol);
            there.recoded(vector.first(), vector.coefficients(), symbol, behind);
          }
          assertThat(behind.packets().keySet()).isEqualTo(atRelay.packets().keySet());
        }
        behind
            .packets()
            .forEach((id, bytes) -> assertThat(bytes).as("%d", id).isEqualTo(packet(id)));
        relay.acknowledge(12);
        assertThat(relay.isEmpty()).isTrue();
        relay.acknowledge(3);
        relay.source(12, segment(12));
        WindowVector only = relay.next(coefficients, symbol);
        assertThat(only.first()).isEqualTo(12);
        assertThat(only.coefficients().byteSize()).isEqualTo(1);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> relay.next(memory(shape.window() - 1), symbol))
            .withMessageContaining("15 bytes");
      }
    }
  }

  @Test
  void aRecoderRefusesWhatADecoderRefuses() {
    try (WindowRecoder relay = WindowRecoder.open(engine, shape, WindowCode.GF256, 1, 0)) {
      relay.source(20, segment(20));
      assertThat(relay.source(20, segment(20))).isEqualTo(Reception.REDUNDANT);
      assertThat(relay.source(20, segment(21))).isEqualTo(Reception.CONTRADICTORY);
      assertThat(relay.source(4, segment(4))).isEqualTo(Reception.LATE);
    }
  }

  /** Many more losses than repairs, and packets that arrive after symbols over them. */
  @Test
  void equationsThatStayOpenForAWindowAreSolvedAtLast() {
    WindowShape sized = WindowShape.of(LARGEST, 40);
    Random random = new Random(3);
    Packets packets = new Packets();
    try (WindowEncoder source = WindowEncoder.open(engine, sized, WindowCode.GF256, 0);
        WindowDecoder decoder =
            WindowDecoder.open(engine, sized, WindowCode.GF256, Delivery.IN_ORDER, 0)) {
      for (long id = 0; id < 3000; id++) {
        source.add(segment(id));
        decoder.repair(source.repair((int) id, symbol), symbol, packets);
        // Packets arrive in the wrong order of pairs; two of five are lost.
        long swapped = id ^ 1;
        if (swapped <= id && random.nextInt(5) > 1) {
          decoder.source(swapped, segment(swapped), packets);
        }
      }
      assertThat(decoder.damaged()).isZero();
      assertThat(decoder.acknowledgement().deficit()).isLessThanOrEqualTo(1);
    }
    packets.packets().forEach((id, bytes) -> assertThat(bytes).as("%d", id).isEqualTo(packet(id)));
    assertThat(packets.packets()).hasSizeGreaterThan(2900);
    assertThat(packets.gaps()).isEqualTo(List.of());
  }

  /** Equations over many packets that became known are replaced by their right sides. */
  @Test
  void equationsThatWereRebasedAreSolvedByLaterSymbols() {
    WindowShape sized = WindowShape.of(LARGEST, 64);
    try (WindowEncoder source = WindowEncoder.open(engine, sized, WindowCode.GF256, 0);
        WindowDecoder decoder =
            WindowDecoder.open(engine, sized, WindowCode.GF256, Delivery.IN_ORDER, 0)) {
      for (long id = 0; id < 60; id++) {
        source.add(segment(id));
      }
      for (int key = 1; key <= 4; key++) {
        decoder.repair(source.repair(key, symbol), symbol, sink);
      }
      for (long id = 6; id < 60; id++) {
        decoder.source(id, segment(id), sink);
      }
      // 54 columns of known packets are too many: symbol 5 comes after a rebase.
      decoder.repair(source.repair(5, symbol), symbol, sink);
      source.add(segment(60));
      source.add(segment(61));
      decoder.repair(source.repair(6, symbol), symbol, sink);
      assertThat(decoder.acknowledgement().deficit()).isEqualTo(2);
      decoder.source(60, segment(60), sink);
      decoder.source(61, segment(61), sink);
      assertThat(decoder.damaged()).isZero();
    }
    assertThat(sink.order()).containsExactlyElementsOf(LongStream.range(0, 62).boxed().toList());
    assertRight();
  }

  /** A decoder that has kept equations open for many windows still takes any that is innovative. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void asManyInnovativeSymbolsAsTheDeficitSolveAFullWindow(int elementBits) {
    WindowCode code = new WindowCode(elementBits, elementBits == 1 ? 7 : 15);
    WindowShape sized = WindowShape.of(LARGEST, 40);
    for (int seed = 0; seed < 4; seed++) {
      Random random = new Random(seed);
      Packets packets = new Packets();
      try (WindowEncoder source = WindowEncoder.open(engine, sized, code, 0);
          WindowDecoder decoder = WindowDecoder.open(engine, sized, code, Delivery.IN_ORDER, 0)) {
        for (long id = 0; id < 2000; id++) {
          source.add(segment(id));
          if (id < 1975 && random.nextBoolean()) {
            decoder.source(id, segment(id), packets);
          }
          if (id < 1975 && random.nextBoolean()) {
            decoder.repair(source.repair((int) id, symbol), symbol, packets);
          }
        }
        int key = 2000;
        decoder.repair(source.repair(key, symbol), symbol, packets);
        int deficit = decoder.acknowledgement().deficit();
        int innovative = 0;
        while (decoder.acknowledgement().deficit() > 0) {
          key++;
          Reception reception = decoder.repair(source.repair(key, symbol), symbol, packets);
          innovative += reception == Reception.INNOVATIVE ? 1 : 0;
        }
        assertThat(deficit).isGreaterThan(20);
        assertThat(innovative).isEqualTo(deficit);
        assertThat(decoder.damaged()).isZero();
        assertThat(decoder.acknowledgement().firstMissing()).isEqualTo(2000);
      }
      assertThat(packets.packets().keySet())
          .containsAll(LongStream.range(1960, 2000).boxed().toList());
      packets
          .packets()
          .forEach((id, bytes) -> assertThat(bytes).as("%d", id).isEqualTo(packet(id)));
    }
  }
}
