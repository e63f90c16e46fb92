package io.fieldstone.net.impairment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DirectionTest {
  private static final int PACKETS = 20_000;
  private static final int HEADER_BYTES = Direction.UDP_HEADER_BYTES;

  /** The time of a packet of 1250 bytes at 50 Mbit/s. */
  private static final long PACKET_NANOS = 200_000;

  @Test
  void keepsRateDelayAndOrder() {
    Direction<String> direction =
        new Direction<>(
            Impairment.NONE.withRate(1_000_000, 1 << 30).withDelay(5_000_000, 0), HEADER_BYTES, 1);
    for (int i = 0; i < 100; i++) {
      direction.offer(packet(i, 972), "x", 0);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(direction.nextNanos()).isEqualTo((i + 1) * 1_000_000L + 5_000_000);
      assertThat(direction.poll(direction.nextNanos() - 1)).isNull();
      assertThat(direction.poll(direction.nextNanos()).bytes().getInt(0)).isEqualTo(i);
    }
    assertThat(direction.nextNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void dropsWhatDoesNotFitTheQueue() {
    Direction<String> direction =
        new Direction<>(Impairment.NONE.withRate(1_000_000, 10_000), HEADER_BYTES, 1);
    for (int i = 0; i < 100; i++) {
      direction.offer(packet(i, 972), "x", 0);
    }
    assertThat(direction.counts().queueDropped()).isEqualTo(90);
    direction.offer(packet(0, 972), "x", 1_000_000);
    assertThat(direction.counts().queueDropped()).isEqualTo(90);
  }

  @Test
  void transmitsTheGivenHeadersBesideThePacket() {
    Direction<String> bare = new Direction<>(Impairment.NONE.withRate(1_000_000, 10_000), 0, 1);
    Direction<String> udp =
        new Direction<>(Impairment.NONE.withRate(1_000_000, 10_000), HEADER_BYTES, 1);
    bare.offer(packet(0, 972), "x", 0);
    udp.offer(packet(0, 972), "x", 0);
    assertThat(bare.nextNanos()).isEqualTo(972_000);
    assertThat(udp.nextNanos()).isEqualTo(1_000_000);
    assertThat(bare.poll(972_000).bytes().remaining()).isEqualTo(972);
    assertThat(bare.counts().forwardedBytes()).isEqualTo(972);
  }

  @Test
  void addsTheWaitInTheQueue() {
    Direction<String> direction =
        new Direction<>(Impairment.NONE.withRate(6_250_000, 40_000), 0, 1);
    for (int i = 0; i < 3; i++) {
      direction.offer(packet(i, 1250), "x", i < 2 ? 0 : 1_000_000_000);
    }
    LinkCounts counts = direction.counts();
    assertThat(counts.waitedNanos()).isEqualTo(PACKET_NANOS);
    assertThat(counts.meanWaitNanos()).isCloseTo(PACKET_NANOS / 3.0, within(1.0));
    assertThat(counts.percentileWaitNanos()).isEqualTo(PACKET_NANOS);
    assertThat(counts.queueDroppedShare()).isZero();
  }

  @Test
  void carriesItsRateAndNoMore() {
    Direction<String> direction =
        new Direction<>(
            Impairment.NONE.withRate(6_250_000, 40_000).withLoss(Loss.random(0.2)), 0, 3);
    long end = 10_000_000_000L;
    for (long now = 0; now < end; now += PACKET_NANOS / 2) { // twice the rate
      direction.offer(packet(0, 1250), "x", now);
    }
    LinkCounts counts = direction.counts();
    double transmitted = counts.arrived() - counts.queueDropped();
    assertThat(transmitted * PACKET_NANOS / end).isCloseTo(1, within(0.001));
    assertThat(counts.lost() / transmitted).isCloseTo(0.2, within(0.01));
    assertThat(counts.queueDroppedShare()).isCloseTo(0.5, within(0.01));
    assertThat(counts.percentileWaitNanos())
        .as("the queue holds 6.4 ms")
        .isBetween(6_000_000L, 6_400_000L);
  }

  @Test
  void losesTheShareThatIsAskedFor() {
    assertThat(lost(Loss.random(0.2))).isCloseTo(0.2, within(0.01));
    assertThat(lost(Loss.bursts(0.1, 5))).isCloseTo(0.1, within(0.02));
    assertThat(lost(Loss.NONE)).isZero();
    assertThat(Loss.bursts(0.1, 5).mean()).isCloseTo(0.1, within(1e-12));
  }

  @Test
  void losesRunsOfPackets() {
    List<Integer> numbers = numbers(run(Impairment.NONE.withLoss(Loss.bursts(0.1, 8)), 1));
    int runs = 0;
    int lost = PACKETS - numbers.size();
    for (int i = 1; i < numbers.size(); i++) {
      if (numbers.get(i) != numbers.get(i - 1) + 1) {
        runs++;
      }
    }
    assertThat((double) lost / runs).isBetween(6.5, 9.5);
  }

  @Test
  void reordersRepeatsAndDamages() {
    Direction<String> direction =
        run(Impairment.NONE.withDelay(100_000, 0).withDisorder(0.1, 0.05, 0.02), 3);
    LinkCounts counts = direction.counts();
    assertThat(counts.reordered()).isBetween(PACKETS / 12L, PACKETS / 8L);
    assertThat(counts.duplicated()).isBetween(PACKETS / 25L, PACKETS / 16L);
    assertThat(counts.corrupted()).isBetween(PACKETS / 65L, PACKETS / 40L);
    List<ByteBuffer> packets = packets(direction);
    assertThat(packets).hasSize((int) (PACKETS + counts.duplicated()));
    long inversions = 0;
    for (int i = 1; i < packets.size(); i++) {
      inversions += packets.get(i).getInt(0) < packets.get(i - 1).getInt(0) ? 1 : 0;
    }
    assertThat(inversions).isGreaterThan(PACKETS / 20);
  }

  @Test
  void latePacketsComeLaterByATimeInTheRange() {
    Direction<String> direction =
        new Direction<>(
            Impairment.NONE.withLateness(new Lateness(0.3, 80_000_000, 200_000_000)), 0, 1);
    for (int i = 0; i < PACKETS; i++) {
      direction.offer(packet(i, 100), "x", 0);
    }
    int late = 0;
    for (int i = 0; i < PACKETS; i++) {
      long nanos = direction.nextNanos();
      assertThat(nanos)
          .satisfiesAnyOf(
              each -> assertThat(each).isZero(),
              each -> assertThat(each).isBetween(80_000_000L, 200_000_000L));
      late += nanos > 0 ? 1 : 0;
      assertThat(direction.poll(nanos)).isNotNull();
    }
    assertThat(direction.counts().reordered()).isEqualTo(late).isBetween(5_700L, 6_300L);
    assertThatThrownBy(() -> new Lateness(0.3, 2, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2…1");
  }

  @Test
  void jitterKeepsTheOrder() {
    Direction<String> direction = run(Impairment.NONE.withDelay(1000, 5_000_000), 1);
    assertThat(numbers(direction)).isSorted().hasSize(PACKETS);
  }

  @Test
  void theSeedDecides() {
    Impairment impairment = Impairment.NONE.withLoss(Loss.random(0.5));
    assertThat(numbers(run(impairment, 7))).isEqualTo(numbers(run(impairment, 7)));
    assertThat(numbers(run(impairment, 7))).isNotEqualTo(numbers(run(impairment, 8)));
  }

  @Test
  void refusesSharesOutOfRange() {
    assertThatThrownBy(() -> Loss.random(1.1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1.1");
    assertThatThrownBy(() -> Impairment.NONE.withDisorder(0, -0.1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("duplicated -0.1");
    assertThatThrownBy(() -> Impairment.NONE.withRate(-1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Loss.bursts(0.1, 0.5)).isInstanceOf(IllegalArgumentException.class);
  }

  private static double lost(Loss loss) {
    return (double) run(Impairment.NONE.withLoss(loss), 5).counts().lost() / PACKETS;
  }

  private static Direction<String> run(Impairment impairment, long seed) {
    Direction<String> direction = new Direction<>(impairment, HEADER_BYTES, seed);
    for (int i = 0; i < PACKETS; i++) {
      direction.offer(packet(i, 100), "x", i * 10_000L);
    }
    return direction;
  }

  private static List<ByteBuffer> packets(Direction<String> direction) {
    List<ByteBuffer> packets = new ArrayList<>();
    for (var p = direction.poll(Long.MAX_VALUE); p != null; p = direction.poll(Long.MAX_VALUE)) {
      packets.add(p.bytes());
    }
    return packets;
  }

  private static List<Integer> numbers(Direction<String> direction) {
    return packets(direction).stream().map(each -> each.getInt(0)).toList();
  }

  private static ByteBuffer packet(int number, int bytes) {
    return ByteBuffer.allocate(bytes).putInt(0, number);
  }
}
