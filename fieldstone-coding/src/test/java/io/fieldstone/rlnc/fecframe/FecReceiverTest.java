package io.fieldstone.rlnc.fecframe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.fecframe.FecStreamTest.Adus;
import io.fieldstone.rlnc.fecframe.FecStreamTest.Datagram;
import io.fieldstone.rlnc.fecframe.FecStreamTest.Packets;
import io.fieldstone.rlnc.window.Delivery;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Packets that are late, repeated, damaged, or from another place in the stream. */
class FecReceiverTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");
  private static final int SYMBOL_BYTES = 16;
  private static final FecConfiguration CONFIGURATION =
      new FecConfiguration(
          FecScheme.GF256, new SchemeInformation(SYMBOL_BYTES, 191), List.of(0, 1));

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private static Packets send(long firstEsi, int adus, double codeRate, int aduBytes) {
    Packets packets = new Packets();
    FecSenderSettings settings = FecSenderSettings.of(FecScheme.GF256, 10, codeRate);
    try (FecSender sender = FecSender.open(ENGINE, CONFIGURATION, settings, firstEsi)) {
      for (int i = 0; i < adus; i++) {
        byte[] adu = new byte[aduBytes];
        Arrays.fill(adu, (byte) (i + firstEsi * 3));
        sender.send(i % 2, MemorySegment.ofArray(adu), packets);
      }
    }
    return packets;
  }

  private static FecReceiver receiver(int aduBytes, Delivery order) {
    WindowSizes sizes = new WindowSizes(10, 20, 40);
    return FecReceiver.open(ENGINE, CONFIGURATION, new FecReceiverSettings(sizes, aduBytes, order));
  }

  private static Adus expecting(Packets packets) {
    Adus adus = new Adus();
    adus.expect(packets.sources());
    return adus;
  }

  private static List<Long> esis(long first, int count) {
    return IntStream.range(0, count).mapToObj(i -> (first + i) & Wire.MAX_ESI).toList();
  }

  @Test
  void sameIdWithAnotherPayloadIsRefused() {
    Packets packets = send(0, 4, 1, 5);
    Adus adus = expecting(packets);
    try (FecReceiver receiver = receiver(13, Delivery.AS_DECODED)) {
      packets.sources().forEach(source -> source.deliver(receiver, adus));
      byte[] forged = packets.sources().get(2).bytes().clone();
      forged[0] ^= 1;
      new Datagram(0, forged).deliver(receiver, adus);
      byte[] shorter = packets.sources().get(2).bytes();
      new Datagram(0, Arrays.copyOfRange(shorter, 1, shorter.length)).deliver(receiver, adus);
      new Datagram(1, packets.sources().get(2).bytes()).deliver(receiver, adus);
      assertThat(receiver.statistics().refused()).isEqualTo(3);
      packets.sources().get(2).deliver(receiver, adus);
      assertThat(receiver.statistics().duplicates()).isEqualTo(1);
      assertThat(receiver.statistics().received()).isEqualTo(4);
    }
    assertThat(adus.delivered).isEqualTo(esis(0, 4));
  }

  /** A solved ADU that arrives late is not delivered again, and the path has not lost it. */
  @ParameterizedTest
  @EnumSource(Delivery.class)
  void solvedAdusThatArriveLateCountAsReceived(Delivery order) {
    Packets packets = send(0, 100, 0.5, 5);
    Adus adus = expecting(packets);
    Datagram late = packets.sources().get(3);
    Datagram lost = packets.sources().get(5);
    try (FecReceiver receiver = receiver(13, order)) {
      for (Datagram datagram : packets.sent) {
        if (datagram == packets.sources().get(9)) {
          late.deliver(receiver, adus);
        }
        if (datagram != late && datagram != lost) {
          datagram.deliver(receiver, adus);
        }
      }
      FecStatistics statistics = receiver.statistics();
      assertThat(statistics.solved()).isEqualTo(2);
      assertThat(statistics.received()).isEqualTo(99);
      assertThat(statistics.decided()).isEqualTo(60);
      assertThat(statistics.pathLost()).isEqualTo(1);
      assertThat(statistics.unsolved()).isZero();
      assertThat(statistics.pathLoss()).hasValue(1 / 60.0);
      assertThat(statistics.residualLoss()).hasValue(0);
    }
    assertThat(adus.delivered).hasSize(100);
  }

  /** A loss that nobody has measured is not 0 %. */
  @Test
  void statisticsAreEmptyUntilSymbolsAreDecided() {
    Packets packets = send(0, 41, 1, 5);
    Adus adus = expecting(packets);
    try (FecReceiver receiver = receiver(13, Delivery.AS_DECODED)) {
      packets.sources().subList(0, 40).forEach(source -> source.deliver(receiver, adus));
      assertThat(receiver.statistics().pathLoss()).isEmpty();
      assertThat(receiver.statistics().residualLoss()).isEmpty();
      packets.sources().getLast().deliver(receiver, adus);
      assertThat(receiver.statistics().pathLoss()).hasValue(0);
    }
  }

  @Test
  void unsolvedLossesAreCountedAndDeclared() {
    Packets packets = send(0, 100, 1, 5);
    Adus adus = expecting(packets);
    try (FecReceiver receiver = receiver(13, Delivery.IN_ORDER)) {
      for (int i = 0; i < 100; i++) {
        if (i % 10 != 4) {
          packets.sources().get(i).deliver(receiver, adus);
        }
      }
      assertThat(receiver.statistics().residualLoss()).hasValue(0.1);
      assertThat(receiver.waiting()).isEqualTo(16);
      receiver.expire(3, adus);
      assertThat(receiver.waiting()).isZero();
    }
    assertThat(adus.order).isEqualTo(esis(0, 100));
    assertThat(adus.lost).containsExactly(4L, 14L, 24L, 34L, 44L, 54L, 64L, 74L, 84L, 94L);
  }

  /** An ADU waits for an earlier one no longer than the decoding window says. */
  @Test
  void decodingWindowBoundsTheWait() {
    Packets packets = send(0, 30, 1, 5);
    Adus adus = expecting(packets);
    try (FecReceiver receiver = receiver(13, Delivery.IN_ORDER)) {
      for (int i = 0; i < 30; i++) {
        if (i != 2) {
          packets.sources().get(i).deliver(receiver, adus);
          assertThat(adus.delivered).hasSize(i < 2 ? i + 1 : i < 22 ? 2 : i);
        }
      }
    }
    assertThat(adus.lost).containsExactly(2L);
  }

  /** The session begins with ESI 0: what is lost before the first packet is known to be lost. */
  @Test
  void firstPacketsOfASessionAreSolved() {
    Packets packets = send(0, 6, 0.5, 5);
    Adus adus = expecting(packets);
    try (FecReceiver receiver = receiver(13, Delivery.IN_ORDER)) {
      packets.sent.subList(6, 12).forEach(datagram -> datagram.deliver(receiver, adus));
    }
    assertThat(adus.order).isEqualTo(esis(0, 6));
    assertThat(adus.lost).isEmpty();
  }

  @Test
  void receiversMayJoinLate() {
    Packets packets = send(5000, 60, 0.5, 5);
    Adus adus = expecting(packets);
    try (FecReceiver receiver = receiver(13, Delivery.IN_ORDER)) {
      packets.sent.subList(41, 120).forEach(datagram -> datagram.deliver(receiver, adus));
      assertThat(receiver.statistics().pathLost()).isZero();
    }
    assertThat(adus.order).isEqualTo(esis(5021, 39));
  }

  /** An outage of more than the window: the next packet is used at once. */
  @ParameterizedTest
  @EnumSource(Delivery.class)
  void outagesEndWithTheFirstPacket(Delivery order) {
    Packets packets = send(0, 1000, 0.5, 5);
    Adus adus = expecting(packets);
    try (FecReceiver receiver = receiver(13, order)) {
      for (Datagram datagram : packets.sent.subList(0, 100)) {
        datagram.deliver(receiver, adus);
      }
      for (Datagram datagram : packets.sent.subList(1800, 2000)) {
        datagram.deliver(receiver, adus);
      }
      FecStatistics statistics = receiver.statistics();
      assertThat(statistics.decided()).isEqualTo(960);
      // The last nine symbols of the outage are in the window of later repairs.
      assertThat(statistics.unsolved()).isEqualTo(841);
      assertThat(statistics.restarts()).isZero();
    }
    assertThat(adus.delivered).hasSize(159);
    if (order == Delivery.IN_ORDER) {
      assertThat(adus.order).isEqualTo(esis(0, 1000));
    }
  }

  /** A damaged ESI far ahead changes nothing; a second packet there moves the receiver. */
  @Test
  void farJumpsNeedConfirmation() {
    Packets packets = send(100, 20, 1, 5);
    Packets far = send(100_000_000, 20, 1, 5);
    Adus adus = expecting(packets);
    adus.expect(far.sources());
    try (FecReceiver receiver = receiver(13, Delivery.IN_ORDER)) {
      packets.sources().subList(0, 10).forEach(source -> source.deliver(receiver, adus));
      far.sources().get(0).deliver(receiver, adus);
      packets.sources().subList(10, 20).forEach(source -> source.deliver(receiver, adus));
      assertThat(adus.order).isEqualTo(esis(100, 20));
      assertThat(receiver.statistics().refused()).isEqualTo(1);
      far.sources().forEach(source -> source.deliver(receiver, adus));
      assertThat(receiver.statistics().restarts()).isEqualTo(1);
      assertThat(receiver.statistics().refused()).isEqualTo(2);
    }
    assertThat(adus.delivered.subList(20, 39)).isEqualTo(esis(100_000_001L, 19));
    assertThat(adus.lost).isEmpty();
  }

  /** Order is ambiguous at half of 2^32: the packet is refused, in both directions. */
  @Test
  void halfTheIdSpaceIsAmbiguous() {
    Packets packets = send(7, 2, 1, 5);
    long half = (9 + (1L << 31)) & Wire.MAX_ESI;
    Packets opposite = send(half, 1, 1, 5);
    Adus adus = expecting(packets);
    try (FecReceiver receiver = receiver(13, Delivery.AS_DECODED)) {
      packets.sources().forEach(source -> source.deliver(receiver, adus));
      opposite.sources().getFirst().deliver(receiver, adus);
      assertThat(receiver.statistics().refused()).isEqualTo(1);
      assertThat(receiver.statistics().late()).isZero();
    }
    assertThat(adus.delivered).containsExactly(7L, 8L);
  }

  /** A sender that restarts with ESI 0 is followed after some packets. */
  @ParameterizedTest
  @EnumSource(Delivery.class)
  void restartedSendersAreFollowed(Delivery order) {
    Packets packets = send(1000, 50, 0.5, 5);
    Packets again = send(0, 50, 0.5, 5);
    Adus adus = expecting(packets);
    adus.expect(again.sources());
    try (FecReceiver receiver = receiver(13, order)) {
      packets.sent.forEach(datagram -> datagram.deliver(receiver, adus));
      again.sent.forEach(datagram -> datagram.deliver(receiver, adus));
      assertThat(receiver.statistics().restarts()).isEqualTo(1);
      assertThat(receiver.statistics().late()).isEqualTo(15);
    }
    assertThat(adus.delivered).contains(49L).hasSizeGreaterThan(50 + 40);
  }

  /** A delay that is switched on and off reorders by more than the window, and restarts nothing. */
  @Test
  void changesOfDelayRestartNothing() {
    Packets packets = send(0, 600, 1, 5);
    List<Datagram> sources = packets.sources();
    List<Datagram> path = new ArrayList<>(sources.subList(0, 300));
    // The delay ends at packet 400: packets 300 to 399 arrive beside 400 to 499.
    for (int i = 0; i < 100; i++) {
      path.add(sources.get(400 + i));
      path.add(sources.get(300 + i));
    }
    path.addAll(sources.subList(500, 600));
    Adus adus = expecting(packets);
    try (FecReceiver receiver = receiver(13, Delivery.IN_ORDER)) {
      path.forEach(datagram -> datagram.deliver(receiver, adus));
      assertThat(receiver.statistics().restarts()).isZero();
      assertThat(receiver.statistics().late()).isEqualTo(100);
    }
    assertThat(adus.order).isEqualTo(esis(0, 600));
  }

  /** Length, flow and padding of a solved symbol are checked before it becomes an ADU. */
  @Test
  void impossibleSolvedSymbolsAreNotDelivered() {
    byte[][] symbols = {
      {0, 0, 14, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13},
      {0, (byte) 0xff, (byte) 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13},
      {2, 0, 5, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0},
      {0, 0, 5, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0, 1},
    };
    Adus adus = new Adus();
    try (FecReceiver receiver = receiver(13, Delivery.AS_DECODED)) {
      for (int i = 0; i < symbols.length; i++) {
        deliverAlone(receiver, i, symbols[i], adus);
      }
      assertThat(receiver.statistics().damaged()).isEqualTo(4);
    }
    assertThat(adus.delivered).isEmpty();
  }

  /** Sends a repair symbol of one source symbol, which gives that source symbol. */
  private static void deliverAlone(FecReceiver receiver, int esi, byte[] symbol, Adus adus) {
    byte[] packet = new byte[RepairPayloadId.BYTES + SYMBOL_BYTES];
    MemorySegment memory = MemorySegment.ofArray(packet);
    // The first coefficient of this key and density is 1 over GF(2^8).
    new RepairPayloadId(keyOfOne(), 15, 1, esi).writeTo(memory);
    memory.asSlice(RepairPayloadId.BYTES).copyFrom(MemorySegment.ofArray(symbol));
    receiver.repair(memory, adus);
  }

  private static int keyOfOne() {
    byte[] coefficient = new byte[1];
    int key = -1;
    do {
      key++;
      FecScheme.GF256.code(15).coefficients(key, 1, MemorySegment.ofArray(coefficient));
    } while (coefficient[0] != 1);
    return key;
  }

  @Test
  void malformedPacketsAreCounted() {
    Packets packets = send(0, 2, 1, 5);
    Adus adus = expecting(packets);
    try (FecReceiver receiver = receiver(13, Delivery.AS_DECODED)) {
      receiver.source(0, MemorySegment.ofArray(new byte[3]), adus);
      receiver.source(0, MemorySegment.ofArray(new byte[18]), adus);
      receiver.source(2, MemorySegment.ofArray(new byte[9]), adus);
      receiver.source(-1, MemorySegment.ofArray(new byte[9]), adus);
      receiver.source(256, MemorySegment.ofArray(new byte[9]), adus);
      for (int bytes : new int[] {0, 7, 8, 8 + 15, 8 + 17, 8 + 16}) {
        receiver.repair(MemorySegment.ofArray(new byte[bytes]), adus);
      }
      byte[] wide = new byte[8 + 16];
      new RepairPayloadId(0, 15, 41, 0).writeTo(MemorySegment.ofArray(wide));
      receiver.repair(MemorySegment.ofArray(wide), adus);
      assertThat(receiver.statistics().refused()).isEqualTo(12);
      packets.sources().forEach(source -> source.deliver(receiver, adus));
    }
    assertThat(adus.delivered).containsExactly(0L, 1L);
  }

  /**
   * ADUs of several symbols: after an unsolved loss, solved symbols are not taken for the start of
   * an ADU; the next source packet or complete ADU shows where one begins.
   */
  @ParameterizedTest
  @EnumSource(Delivery.class)
  void adusOfSeveralSymbolsNeedTheirBeginning(Delivery order) {
    Packets packets = send(0, 60, 0.5, 40);
    Adus adus = expecting(packets);
    List<Datagram> sources = packets.sources();
    List<Datagram> path = new ArrayList<>();
    int latest = 0;
    for (Datagram datagram : packets.sent) {
      latest = datagram.flow() < 0 ? latest : sources.indexOf(datagram);
      boolean isOutage = latest > 20 && latest < 27;
      if (!isOutage && (datagram.flow() < 0 || latest % 7 != 3)) {
        path.add(datagram);
      }
    }
    try (FecReceiver receiver =
        FecReceiver.open(
            ENGINE,
            CONFIGURATION,
            new FecReceiverSettings(new WindowSizes(10, 40, 80), 40, order))) {
      path.forEach(datagram -> datagram.deliver(receiver, adus));
      receiver.expire(0, adus);
      assertThat(receiver.statistics().damaged()).isZero();
      assertThat(receiver.statistics().solved()).isEqualTo(33);
    }
    assertThat(adus.delivered).hasSizeBetween(54, 55);
    if (order == Delivery.IN_ORDER) {
      assertThat(adus.delivered).isSorted();
      assertThat(adus.lost).isNotEmpty().isSorted();
    }
  }

  @Test
  void misuseIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> receiver(0, Delivery.AS_DECODED))
        .withMessage("length of an ADU 0 is not in 1…65535");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> receiver(40 * SYMBOL_BYTES - 2, Delivery.AS_DECODED))
        .withMessage("an ADU of 638 bytes has 41 symbols, and the linear system 40");
    try (FecReceiver receiver = receiver(13, Delivery.IN_ORDER)) {
      assertThatIllegalArgumentException().isThrownBy(() -> receiver.expire(-1, new Adus()));
      receiver.expire(0, new Adus());
      assertThat(receiver.waiting()).isZero();
      assertThat(receiver.configuration()).isEqualTo(CONFIGURATION);
    }
  }
}
