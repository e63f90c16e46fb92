package io.fieldstone.rlnc.fecframe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.window.Delivery;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A sender, a path that loses, repeats and reorders packets, and a receiver. */
class FecStreamTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  /** A datagram; flow −1 is the repair flow. */
  record Datagram(int flow, byte[] bytes) {

    void deliver(FecReceiver receiver, AduSink adus) {
      if (flow < 0) {
        receiver.repair(MemorySegment.ofArray(bytes), adus);
      } else {
        receiver.source(flow, MemorySegment.ofArray(bytes), adus);
      }
    }
  }

  /** Collects the packets of a sender. */
  static final class Packets implements FecPacketSink {
    final List<Datagram> sent = new ArrayList<>();

    @Override
    public void source(int flow, MemorySegment packet) {
      sent.add(new Datagram(flow, packet.toArray(ValueLayout.JAVA_BYTE)));
    }

    @Override
    public void repair(MemorySegment packet) {
      sent.add(new Datagram(-1, packet.toArray(ValueLayout.JAVA_BYTE)));
    }

    List<Datagram> sources() {
      return sent.stream().filter(datagram -> datagram.flow >= 0).toList();
    }

    List<Datagram> repairs() {
      return sent.stream().filter(datagram -> datagram.flow < 0).toList();
    }
  }

  /** Collects ADUs by their ESI, and checks that none comes twice or is wrong. */
  static final class Adus implements AduSink {
    final Map<Long, Datagram> expected = new HashMap<>();
    final List<Long> delivered = new ArrayList<>();
    final List<Long> lost = new ArrayList<>();

    /** ESIs and losses in the order in which they came. */
    final List<Long> order = new ArrayList<>();

    void expect(List<Datagram> sources) {
      for (Datagram source : sources) {
        int end = source.bytes.length - SourcePayloadId.BYTES;
        long esi = MemorySegment.ofArray(source.bytes).get(Wire.INT, end) & Wire.MAX_ESI;
        expected.put(esi, new Datagram(source.flow, Arrays.copyOf(source.bytes, end)));
      }
    }

    @Override
    public void adu(int flow, long esi, MemorySegment adu) {
      Datagram right = expected.get(esi);
      assertThat(right).as("ESI %d", esi).isNotNull();
      assertThat(flow).isEqualTo(right.flow);
      assertThat(adu.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(right.bytes);
      assertThat(delivered).doesNotContain(esi);
      delivered.add(esi);
      order.add(esi);
    }

    @Override
    public void lost(long firstEsi, long symbols) {
      for (long i = 0; i < symbols; i++) {
        lost.add((firstEsi + i) & Wire.MAX_ESI);
        order.add((firstEsi + i) & Wire.MAX_ESI);
      }
    }
  }

  private static FecConfiguration configuration(
      FecScheme scheme, int symbolBytes, Integer... flows) {
    return new FecConfiguration(scheme, new SchemeInformation(symbolBytes, 191), List.of(flows));
  }

  private static byte[] adu(SplittableRandom random, int bytes) {
    byte[] adu = new byte[bytes];
    random.nextBytes(adu);
    return adu;
  }

  private static Packets send(
      FecConfiguration configuration,
      FecSenderSettings settings,
      long firstEsi,
      int adus,
      int largest,
      SplittableRandom random) {
    Packets packets = new Packets();
    try (FecSender sender = FecSender.open(ENGINE, configuration, settings, firstEsi)) {
      for (int i = 0; i < adus; i++) {
        int flow = configuration.flows().get(i % configuration.flows().size());
        sender.send(flow, MemorySegment.ofArray(adu(random, random.nextInt(largest + 1))), packets);
      }
    }
    return packets;
  }

  private static FecReceiver receiver(
      FecConfiguration configuration, WindowSizes sizes, int largestAdu, Delivery order) {
    return FecReceiver.open(
        ENGINE, configuration, new FecReceiverSettings(sizes, largestAdu, order));
  }

  record Case(
      FecScheme scheme,
      int threshold,
      int largestAdu,
      long firstEsi,
      int perRepair,
      Delivery order) {}

  static Stream<Case> cases() {
    return Stream.of(Delivery.values())
        .flatMap(order ->
            Stream.of(
                new Case(FecScheme.GF256, 15, 61, 0, 1, order),
                new Case(FecScheme.GF256, 15, 61, Wire.MAX_ESI - 70, 1, order),
                new Case(FecScheme.GF256, 9, 61, (1L << 31) - 60, 1, order),
                new Case(FecScheme.GF256, 15, 200, 0, 1, order),
                new Case(FecScheme.GF256, 15, 200, Wire.MAX_ESI - 70, 3, order),
                new Case(FecScheme.GF2, 7, 61, 0, 1, order),
                new Case(FecScheme.GF2, 7, 200, Wire.MAX_ESI - 50, 2, order),
                new Case(FecScheme.GF2, 15, 61, 1000, 1, order)));
  }

  /** Losses, repetitions and reordering: no ADU is wrong, none comes twice, most are solved. */
  @ParameterizedTest
  @MethodSource("cases")
  void lostAdusAreSolved(Case c) {
    SplittableRandom random = new SplittableRandom(1);
    FecConfiguration configuration = configuration(c.scheme, 64, 3, 200);
    FecSenderSettings settings = new FecSenderSettings(30, 0.7, c.threshold, c.perRepair);
    Packets packets = send(configuration, settings, c.firstEsi, 400, c.largestAdu, random);
    Adus adus = new Adus();
    adus.expect(packets.sources());
    List<Datagram> path = new ArrayList<>();
    int lost = 0;
    for (Datagram datagram : packets.sent) {
      boolean isLost = random.nextInt(10) == 0 && !path.isEmpty();
      lost += isLost && datagram.flow >= 0 ? 1 : 0;
      if (!isLost) {
        int late = random.nextInt(8) == 0 ? random.nextInt(6) : 0;
        path.add(Math.max(1, path.size() - late) % Math.max(1, path.size() + 1), datagram);
        if (random.nextInt(20) == 0) {
          path.add(datagram);
        }
      }
    }
    FecStatistics statistics;
    try (FecReceiver receiver =
        receiver(configuration, new WindowSizes(30, 60, 120), c.largestAdu, c.order)) {
      path.forEach(datagram -> datagram.deliver(receiver, adus));
      receiver.expire(0, adus);
      assertThat(receiver.waiting()).isZero();
      statistics = receiver.statistics();
    }
    assertThat(lost).isGreaterThan(20);
    // One repair of all ones solves a single loss in its window only.
    int mostMissing = c.scheme == FecScheme.GF2 && c.threshold == 15 ? lost : 4;
    assertThat(adus.delivered).hasSizeGreaterThanOrEqualTo(400 - mostMissing);
    assertThat(statistics.solved()).isPositive();
    assertThat(statistics.duplicates()).isPositive();
    assertThat(statistics.refused()).isZero();
    assertThat(statistics.damaged()).isZero();
    assertThat(statistics.restarts()).isZero();
    if (c.order == Delivery.IN_ORDER) {
      List<Long> ids = adus.order.stream().map(esi -> (esi - c.firstEsi) & Wire.MAX_ESI).toList();
      assertThat(ids).isSorted().doesNotHaveDuplicates();
      if (c.largestAdu < 62) {
        // Nothing says that packets at the very end existed, if they are lost.
        assertThat(ids).hasSizeBetween(396, 400).endsWith(ids.size() - 1L);
      }
    } else {
      assertThat(adus.lost).isEmpty();
    }
  }

  /**
   * Once the window is full, it slides: the coefficients still belong to the right symbols. Each
   * repair symbol of each window size is computed again with plain arithmetic.
   */
  @ParameterizedTest
  @EnumSource(FecScheme.class)
  void fullWindowsSlideAtEverySize(FecScheme scheme) throws Exception {
    SplittableRandom random = new SplittableRandom(scheme.ordinal());
    FecConfiguration configuration = configuration(scheme, 9, 0);
    for (int window = 1; window <= 70; window++) {
      FecSenderSettings settings = FecSenderSettings.of(scheme, window, 0.5);
      Packets packets = send(configuration, settings, 0, 2 * window + 3, 6, random);
      checkRepairs(scheme, packets, 9, window, 2 * window + 3);
    }
  }

  /** NSS has 12 bits. */
  @Test
  void largestWindowSlides() throws Exception {
    FecScheme scheme = FecScheme.GF256;
    FecConfiguration configuration = configuration(scheme, 4, 0);
    FecSenderSettings settings = FecSenderSettings.of(scheme, 4095, 0.999);
    Packets packets = send(configuration, settings, 0, 5000, 1, new SplittableRandom(1));
    checkRepairs(scheme, packets, 4, 4095, 5);
    List<Datagram> path = new ArrayList<>(packets.sent);
    path.remove(path.indexOf(packets.sources().get(4990)));
    Adus adus = new Adus();
    adus.expect(packets.sources());
    try (FecReceiver receiver =
        receiver(configuration, new WindowSizes(4095, 4095, 4095), 1, Delivery.AS_DECODED)) {
      path.forEach(datagram -> datagram.deliver(receiver, adus));
      assertThat(receiver.statistics().solved()).isEqualTo(1);
    }
    assertThat(adus.delivered).hasSize(5000);
  }

  private static void checkRepairs(
      FecScheme scheme, Packets packets, int symbolBytes, int window, int repairs)
      throws Exception {
    assertThat(packets.repairs()).hasSize(repairs);
    List<byte[]> symbols = new ArrayList<>();
    for (Datagram datagram : packets.sent) {
      if (datagram.flow >= 0) {
        byte[] symbol = new byte[symbolBytes];
        int end = datagram.bytes.length - SourcePayloadId.BYTES;
        Adui.write(
            datagram.flow,
            MemorySegment.ofArray(datagram.bytes).asSlice(0, end),
            MemorySegment.ofArray(symbol));
        symbols.add(symbol);
        continue;
      }
      RepairPayloadId id = RepairPayloadId.parse(MemorySegment.ofArray(datagram.bytes));
      int count = Math.min(window, symbols.size());
      int first = symbols.size() - count;
      assertThat(id.sourceSymbols()).isEqualTo(count);
      assertThat(id.firstEsi()).isEqualTo(first);
      byte[] coefficients = new byte[count];
      scheme
          .code(id.densityThreshold())
          .coefficients(id.key(), count, MemorySegment.ofArray(coefficients));
      byte[] sum = new byte[symbolBytes];
      for (int i = 0; i < count; i++) {
        for (int j = 0; j < symbolBytes; j++) {
          sum[j] ^=
              (byte)
                  Gf256.DEFAULT.multiply(coefficients[i] & 0xFF, symbols.get(first + i)[j] & 0xFF);
        }
      }
      assertThat(Arrays.copyOfRange(datagram.bytes, RepairPayloadId.BYTES, datagram.bytes.length))
          .isEqualTo(sum);
    }
  }

  /**
   * All sources are lost; as many repairs as there were give all ADUs or none, never wrong ones.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 16, 40})
  void exactlyAsManyRepairsAsSymbols(int count) {
    for (FecScheme scheme : FecScheme.values()) {
      FecConfiguration configuration = configuration(scheme, 12, 0);
      for (int seed = 0; seed < 20; seed++) {
        Packets packets = new Packets();
        SplittableRandom random = new SplittableRandom(seed);
        FecSenderSettings settings = FecSenderSettings.of(scheme, count, 1);
        try (FecSender sender = FecSender.open(ENGINE, configuration, settings)) {
          for (int i = 0; i < count; i++) {
            sender.send(0, MemorySegment.ofArray(adu(random, 9)), packets);
          }
          assertThat(packets.repairs()).isEmpty();
          for (int i = 0; i < count + seed; i++) {
            assertThat(sender.repair(packets)).isTrue();
          }
        }
        Adus adus = new Adus();
        adus.expect(packets.sources());
        try (FecReceiver receiver =
            receiver(
                configuration,
                new WindowSizes(count, count, Math.max(40, count)),
                9,
                Delivery.AS_DECODED)) {
          packets.repairs().forEach(repair -> repair.deliver(receiver, adus));
          assertThat(adus.delivered.size()).isLessThanOrEqualTo(count);
          assertThat((long) adus.delivered.size()).isEqualTo(receiver.statistics().solved());
          assertThat(receiver.statistics().damaged()).isZero();
          if (scheme == FecScheme.GF256 && seed > 2) {
            assertThat(adus.delivered).hasSize(count);
          }
        }
      }
    }
  }

  /** Each length up to the largest, odd ones too: the last byte is repaired as the others are. */
  @Test
  void everyLengthIsRepaired() {
    FecConfiguration configuration = configuration(FecScheme.GF256, 64, 0);
    Packets packets = new Packets();
    FecSenderSettings settings = FecSenderSettings.of(FecScheme.GF256, 2, 0.5);
    SplittableRandom random = new SplittableRandom(7);
    try (FecSender sender = FecSender.open(ENGINE, configuration, settings)) {
      for (int length = 0; length <= 61; length++) {
        sender.send(0, MemorySegment.ofArray(adu(random, length)), packets);
      }
    }
    Adus adus = new Adus();
    adus.expect(packets.sources());
    try (FecReceiver receiver =
        receiver(configuration, new WindowSizes(2, 4, 40), 61, Delivery.IN_ORDER)) {
      packets.repairs().forEach(repair -> repair.deliver(receiver, adus));
    }
    assertThat(adus.delivered).hasSize(62);
    assertThat(adus.lost).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "0.9, 11", "0.8, 25", "0.5, 100", "0.25, 300"})
  void repairsOnTheWireFollowTheCodeRate(double codeRate, int repairs) {
    FecConfiguration configuration = configuration(FecScheme.GF256, 32, 0);
    FecSenderSettings settings = FecSenderSettings.of(FecScheme.GF256, 10, codeRate);
    Packets packets = send(configuration, settings, 0, 100, 29, new SplittableRandom(1));
    assertThat(packets.sources()).hasSize(100);
    assertThat(packets.repairs()).hasSize(repairs);
    // Spread evenly: no run of source packets is longer than the rate says.
    int run = 0;
    int longest = 0;
    for (Datagram datagram : packets.sent) {
      run = datagram.flow < 0 ? 0 : run + 1;
      longest = Math.max(longest, run);
    }
    assertThat(longest).isLessThanOrEqualTo(repairs == 0 ? 100 : (int) Math.ceil(100.0 / repairs));
  }

  /** Keys differ within a window, and 0 follows 65535. */
  @Test
  void keysCountUpAndWrap() throws Exception {
    FecConfiguration configuration = configuration(FecScheme.GF256, 4, 0);
    FecSenderSettings settings = new FecSenderSettings(1, 1, 15, 3);
    Packets packets = new Packets();
    try (FecSender sender = FecSender.open(ENGINE, configuration, settings)) {
      assertThat(sender.repair(packets)).isFalse();
      sender.send(0, MemorySegment.ofArray(new byte[] {5}), packets);
      for (int i = 0; i < 21846; i++) {
        sender.repair(packets);
      }
    }
    List<Datagram> repairs = packets.repairs();
    for (int i = 0; i < repairs.size(); i++) {
      RepairPayloadId id = RepairPayloadId.parse(MemorySegment.ofArray(repairs.get(i).bytes));
      assertThat(id.key()).isEqualTo(3 * i % 65536);
    }
    // The keys of this packet are 65535, 0 and 1.
    Datagram wrapped = repairs.getLast();
    assertThat(RepairPayloadId.parse(MemorySegment.ofArray(wrapped.bytes)).key()).isEqualTo(65535);
    Adus adus = new Adus();
    adus.expect(packets.sources());
    try (FecReceiver receiver =
        receiver(configuration, new WindowSizes(1, 1, 40), 1, Delivery.AS_DECODED)) {
      wrapped.deliver(receiver, adus);
      assertThat(receiver.statistics().repairSymbols()).isEqualTo(3);
    }
    assertThat(adus.delivered).containsExactly(0L);
  }

  /** GF(2), DT = 15: the sender writes key 0, the receiver ignores the field. */
  @Test
  void keyOfAllOnesIsZeroAndIgnored() throws Exception {
    FecConfiguration configuration = configuration(FecScheme.GF2, 16, 0);
    FecSenderSettings settings = new FecSenderSettings(4, 0.5, 15, 1);
    Packets packets = send(configuration, settings, 0, 4, 13, new SplittableRandom(3));
    Adus adus = new Adus();
    adus.expect(packets.sources());
    try (FecReceiver receiver =
        receiver(configuration, new WindowSizes(4, 4, 40), 13, Delivery.AS_DECODED)) {
      for (int i : new int[] {0, 1, 3}) {
        packets.sources().get(i).deliver(receiver, adus);
      }
      byte[] repair = packets.repairs().getLast().bytes;
      assertThat(RepairPayloadId.parse(MemorySegment.ofArray(repair)).key()).isZero();
      repair[0] = 0x12;
      repair[1] = 0x34;
      receiver.repair(MemorySegment.ofArray(repair), adus);
    }
    assertThat(adus.delivered).containsExactly(0L, 1L, 3L, 2L);
  }

  @Test
  void misuseOfASenderIsNamed() {
    FecConfiguration configuration = configuration(FecScheme.GF2, 16, 0, 9);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> FecSender.open(ENGINE, configuration, new FecSenderSettings(4, 0.5, 15, 2)))
        .withMessage("2 repair symbols in a packet, but the code has 1 key");
    FecSenderSettings settings = FecSenderSettings.of(FecScheme.GF2, 4, 0.5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FecSender.open(ENGINE, configuration, settings, 1L << 32));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> FecSender.open(ENGINE, configuration, new FecSenderSettings(4, 0.5, 7, 4096)))
        .withMessageContaining("length of repair packets 65544");
    for (int window : new int[] {0, 4096}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> FecSenderSettings.of(FecScheme.GF2, window, 0.5))
          .withMessage("encoding window " + window + " is not in 1…4095");
    }
    try (FecSender sender = FecSender.open(ENGINE, configuration, settings)) {
      assertThat(sender.largestAdu()).isEqualTo(61);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sender.send(1, MemorySegment.ofArray(new byte[1]), new Packets()))
          .withMessageContaining("flow 1 is not one of [0, 9]");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sender.send(0, MemorySegment.ofArray(new byte[62]), new Packets()))
          .withMessageContaining("length of an ADU 62 is not in 0…61");
      assertThat(sender.nextEsi()).isZero();
    }
  }

  /** Symbols that are no longer valid leave the encoding window. */
  @Test
  void expiredSymbolsLeaveTheEncodingWindow() throws Exception {
    FecConfiguration configuration = configuration(FecScheme.GF256, 16, 0);
    Packets packets = new Packets();
    FecSenderSettings settings = FecSenderSettings.of(FecScheme.GF256, 10, 1);
    try (FecSender sender = FecSender.open(ENGINE, configuration, settings, Wire.MAX_ESI - 2)) {
      for (int i = 0; i < 7; i++) {
        sender.send(0, MemorySegment.ofArray(new byte[i]), packets);
      }
      sender.keep(100);
      sender.repair(packets);
      sender.keep(3);
      sender.repair(packets);
      sender.keep(0);
      assertThat(sender.repair(packets)).isFalse();
      assertThat(sender.nextEsi()).isEqualTo(4);
    }
    List<RepairPayloadId> ids = new ArrayList<>();
    for (Datagram repair : packets.repairs()) {
      ids.add(RepairPayloadId.parse(MemorySegment.ofArray(repair.bytes)));
    }
    assertThat(ids)
        .containsExactly(
            new RepairPayloadId(0, 15, 7, Wire.MAX_ESI - 2), new RepairPayloadId(1, 15, 3, 1));
  }
}
