package io.fieldstone.net.fecframe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.rlnc.fecframe.AduSink;
import io.fieldstone.rlnc.fecframe.FecConfiguration;
import io.fieldstone.rlnc.fecframe.FecReceiverSettings;
import io.fieldstone.rlnc.fecframe.FecScheme;
import io.fieldstone.rlnc.fecframe.FecSenderSettings;
import io.fieldstone.rlnc.fecframe.SchemeInformation;
import io.fieldstone.rlnc.fecframe.WindowSizes;
import io.fieldstone.rlnc.window.Delivery;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams over loopback through links that lose datagrams. */
@Timeout(120) // A stream that stalls must fail.
class FecframeTest {

  private static final Engine ENGINE = Engine.open("cpu");
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int ADUS = 1500;
  private static final int LARGEST_ADU = 1316;

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private static byte[] payload(int number) {
    byte[] adu = new byte[Integer.BYTES + number * 37 % (LARGEST_ADU - Integer.BYTES + 1)];
    for (int i = 0; i < adu.length; i++) {
      adu[i] = (byte) (number * 31 + i * 7);
    }
    MemorySegment.ofArray(adu).set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
    return adu;
  }

  /** Numbers of ADUs in order of arrival; each is right, and of the right flow. */
  private static final class Arrivals implements AduSink {
    final List<Integer> numbers = new ArrayList<>();
    long lost;

    @Override
    public void adu(int flow, long esi, MemorySegment adu) {
      int number = adu.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
      assertThat(flow).isEqualTo(number % 2);
      assertThat(esi).isEqualTo(number);
      assertThat(adu.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(payload(number));
      numbers.add(number);
    }

    @Override
    public void lost(long firstEsi, long symbols) {
      lost += symbols;
    }
  }

  @ParameterizedTest
  @EnumSource(FecScheme.class)
  void streamsSurviveLoss(FecScheme scheme) throws Exception {
    FecConfiguration configuration =
        new FecConfiguration(scheme, new SchemeInformation(LARGEST_ADU + 3, 191), List.of(0, 1));
    FecReceiverSettings receiving =
        new FecReceiverSettings(new WindowSizes(60, 80, 160), LARGEST_ADU, Delivery.IN_ORDER);
    FecSenderSettings sending = FecSenderSettings.of(scheme, 60, 0.7);
    FecframeAddresses at = new FecframeAddresses(Map.of(0, ANY, 1, ANY), ANY);
    Impairment lossy = Impairment.NONE.withLoss(Loss.random(0.1));
    Arrivals arrivals = new Arrivals();
    try (FecframeReceiver receiver =
            FecframeReceiver.open(ENGINE, configuration, receiving, at, Duration.ofSeconds(20));
        ImpairedLink first = ImpairedLink.open(receiver.address(0), lossy, Impairment.NONE, 1);
        ImpairedLink second = ImpairedLink.open(receiver.address(1), lossy, Impairment.NONE, 2);
        ImpairedLink repair =
            ImpairedLink.open(receiver.repairAddress(), lossy, Impairment.NONE, 3);
        FecframeSender sender =
            FecframeSender.open(
                ENGINE,
                configuration,
                sending,
                new FecframeAddresses(
                    Map.of(0, first.address(), 1, second.address()), repair.address()))) {
      List<ImpairedLink> links = List.of(first, second, repair);
      long taken = 0;
      for (int i = 0; i < ADUS; i++) {
        sender.send(i % 2, MemorySegment.ofArray(payload(i)));
        taken = takeAll(sender, links, receiver, arrivals, taken);
      }
      for (int i = 0; i < 20; i++) {
        assertThat(sender.repair()).isTrue();
      }
      takeAll(sender, links, receiver, arrivals, taken);
      assertThat(sender.sourcePackets()).isEqualTo(ADUS);
      assertThat(sender.repairPackets()).isEqualTo((long) (ADUS * 0.3 / 0.7 + 1e-6) + 20);
      assertThat(receiver.statistics().solved()).isGreaterThan(ADUS / 20);
      assertThat(receiver.statistics().pathLoss().orElseThrow()).isBetween(0.05, 0.2);
      assertThat(receiver.statistics().refused()).isZero();
    }
    assertThat(arrivals.numbers).isSorted().doesNotHaveDuplicates();
    assertThat(arrivals.numbers).hasSizeGreaterThan(ADUS * 98 / 100);
    assertThat(arrivals.lost + arrivals.numbers.size()).isBetween(ADUS * 98L / 100, (long) ADUS);
  }

  /**
   * Receives until every datagram sent has been taken or lost, so that no two are out of order.
   *
   * @return the number of datagrams taken so far
   */
  private static long takeAll(
      FecframeSender sender,
      List<ImpairedLink> links,
      FecframeReceiver receiver,
      Arrivals arrivals,
      long before)
      throws IOException {
    long sent = sender.sourcePackets() + sender.repairPackets();
    long taken = before;
    while (taken + links.stream().mapToLong(link -> link.up().lost()).sum() < sent) {
      taken += receiver.receive(Duration.ofMillis(1), arrivals);
    }
    return taken;
  }

  /** A loss that nothing repairs ends the wait of later ADUs when the latency budget does. */
  @Test
  void latencyBudgetEndsTheWait() throws Exception {
    FecConfiguration configuration =
        new FecConfiguration(FecScheme.GF256, new SchemeInformation(2000, 191), List.of(0, 1));
    FecReceiverSettings receiving =
        new FecReceiverSettings(new WindowSizes(60, 80, 160), LARGEST_ADU, Delivery.IN_ORDER);
    FecSenderSettings sending = FecSenderSettings.of(FecScheme.GF256, 60, 1);
    FecframeAddresses at = new FecframeAddresses(Map.of(0, ANY, 1, ANY), ANY);
    Arrivals arrivals = new Arrivals();
    try (FecframeReceiver receiver =
            FecframeReceiver.open(ENGINE, configuration, receiving, at, Duration.ofMillis(50));
        FecframeReceiver nowhere =
            FecframeReceiver.open(ENGINE, configuration, receiving, at, Duration.ofMillis(50));
        FecframeSender sender =
            FecframeSender.open(
                ENGINE,
                configuration,
                sending,
                new FecframeAddresses(
                    Map.of(0, receiver.address(0), 1, nowhere.address(1)),
                    receiver.repairAddress()))) {
      for (int i = 0; i < 9; i++) {
        sender.send(i % 2, MemorySegment.ofArray(payload(i)));
      }
      while (arrivals.numbers.size() < 5) {
        receiver.receive(Duration.ofMillis(100), arrivals);
      }
    }
    assertThat(arrivals.numbers).containsExactly(0, 2, 4, 6, 8);
    assertThat(arrivals.lost).isEqualTo(4);
  }

  /** A receiver that was suspended finds its sockets full, and its latency budget over. */
  @Test
  void whatHasArrivedIsDelivered() throws Exception {
    FecConfiguration configuration = FecConfiguration.of(FecScheme.GF256, LARGEST_ADU);
    FecReceiverSettings receiving =
        new FecReceiverSettings(new WindowSizes(60, 80, 160), LARGEST_ADU, Delivery.IN_ORDER);
    FecSenderSettings sending = FecSenderSettings.of(FecScheme.GF256, 60, 0.8);
    FecframeAddresses at = new FecframeAddresses(Map.of(0, ANY), ANY);
    List<Long> arrivals = new ArrayList<>();
    try (FecframeReceiver receiver =
            FecframeReceiver.open(ENGINE, configuration, receiving, at, Duration.ofNanos(1));
        FecframeSender sender =
            FecframeSender.open(
                ENGINE,
                configuration,
                sending,
                new FecframeAddresses(Map.of(0, receiver.address(0)), receiver.repairAddress()))) {
      for (int i = 0; i < 50; i++) {
        sender.send(0, MemorySegment.ofArray(payload(i)));
      }
      long taken = 0;
      while (taken < sender.sourcePackets() + sender.repairPackets()) {
        taken += receiver.receive(Duration.ofMillis(100), (_, esi, _) -> arrivals.add(esi));
      }
    }
    assertThat(arrivals).hasSize(50).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    FecConfiguration configuration = FecConfiguration.of(FecScheme.GF256, 100);
    FecReceiverSettings receiving =
        new FecReceiverSettings(new WindowSizes(10, 20, 40), 100, Delivery.IN_ORDER);
    FecframeAddresses at = new FecframeAddresses(Map.of(0, ANY), ANY);
    try (FecframeReceiver receiver =
        FecframeReceiver.open(ENGINE, configuration, receiving, at, Duration.ofSeconds(1))) {
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(InterruptedIOException.class)
          .isThrownBy(() -> receiver.receive(Duration.ofMinutes(1), (_, _, _) -> {}))
          .withMessage("interrupted");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void flowsWithoutAddressAreRefused() throws Exception {
    FecConfiguration configuration = FecConfiguration.of(FecScheme.GF256, 100);
    FecframeAddresses addresses = new FecframeAddresses(Map.of(1, ANY), ANY);
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            FecframeSender.open(
                ENGINE, configuration, FecSenderSettings.of(FecScheme.GF256, 10, 1), addresses))
        .withMessage("flow 0 has no address");
    FecReceiverSettings receiving =
        new FecReceiverSettings(new WindowSizes(10, 20, 40), 100, Delivery.IN_ORDER);
    FecframeAddresses at = new FecframeAddresses(Map.of(0, ANY), ANY);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> FecframeReceiver.open(ENGINE, configuration, receiving, at, Duration.ZERO))
        .withMessage("latency PT0S is not positive");
    try (FecframeReceiver receiver =
        FecframeReceiver.open(ENGINE, configuration, receiving, at, Duration.ofSeconds(1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> receiver.address(-1))
          .withMessage("flow -1 has no address");
      assertThat(receiver.receive(Duration.ZERO, (_, _, _) -> {})).isZero();
    }
  }
}
