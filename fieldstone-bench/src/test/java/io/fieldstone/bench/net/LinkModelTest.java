package io.fieldstone.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Sends packets over a modelled link in virtual time. */
@Execution(ExecutionMode.CONCURRENT)
class LinkModelTest {

  private static final int PACKET_BYTES = 1250;

  /** The time of a packet at 50 Mbit/s. */
  private static final long PACKET_NANOS = 200_000;

  private static final long DELAY_NANOS = 10_000_000;

  @Test
  void delaysEachPacketByItsTransmissionAndThePath() {
    LinkModel link = new LinkModel(LinkSettings.of(50, 10, 250_000), 1);
    assertThat(link.offer(PACKET_BYTES, 0)).isEqualTo(PACKET_NANOS + DELAY_NANOS);
    assertThat(link.offer(PACKET_BYTES, 0))
        .as("after the first")
        .isEqualTo(2 * PACKET_NANOS + DELAY_NANOS);
    long later = 1_000_000_000;
    assertThat(link.offer(PACKET_BYTES, later)).isEqualTo(later + PACKET_NANOS + DELAY_NANOS);
    assertThat(link.counters())
        .isEqualTo(new LinkCounters(3, 3 * PACKET_BYTES, 0, 0, PACKET_NANOS / 3000, 200));
  }

  @Test
  void dropsWhatAFullQueueCannotTake() {
    LinkModel link = new LinkModel(LinkSettings.of(50, 10, 10 * PACKET_BYTES), 1);
    int accepted = 0;
    for (int i = 0; i < 25; i++) {
      accepted += link.offer(PACKET_BYTES, 0) == LinkModel.OVERFLOWED ? 0 : 1;
    }
    assertThat(accepted).isEqualTo(10);
    assertThat(link.counters().overflowed()).isEqualTo(15);
    assertThat(link.counters().overflowShare()).isEqualTo(0.6);
    assertThat(link.offer(PACKET_BYTES, PACKET_NANOS)).as("one has left").isPositive();
    assertThat(link.offer(PACKET_BYTES, PACKET_NANOS)).isEqualTo(LinkModel.OVERFLOWED);
  }

  @Test
  void carriesItsRateAndNoMore() {
    LinkModel link = new LinkModel(LinkSettings.of(50, 10, 40_000).withLoss(0.2), 3);
    long second = 1_000_000_000;
    for (long now = 0; now < 10 * second; now += PACKET_NANOS / 2) { // twice the rate
      link.offer(PACKET_BYTES, now);
    }
    LinkCounters counters = link.counters();
    assertThat((counters.arrived() + counters.lost()) * PACKET_NANOS / 1e10)
        .as("transmitted, of the rate")
        .isCloseTo(1, within(0.001));
    assertThat((double) counters.lost() / (counters.arrived() + counters.lost()))
        .isCloseTo(0.2, within(0.01));
    assertThat(counters.overflowShare()).isCloseTo(0.5, within(0.01));
    assertThat(counters.p99QueueMicros()).as("of 6.4 ms").isBetween(6000L, 6400L);
  }

  @Test
  void losesInBurstsOfTheirMeanLength() {
    LinkModel link = new LinkModel(LinkSettings.PERFECT.withBursts(0.05, 8), 5);
    int packets = 400_000;
    long lost = 0;
    long bursts = 0;
    boolean losing = false;
    for (int i = 0; i < packets; i++) {
      boolean isLost = link.offer(PACKET_BYTES, i) == LinkModel.LOST;
      lost += isLost ? 1 : 0;
      bursts += isLost && !losing ? 1 : 0;
      losing = isLost;
    }
    assertThat((double) lost / packets).isCloseTo(0.05, within(0.005));
    assertThat((double) lost / bursts).isCloseTo(8, within(0.5));
  }

  @Test
  void repeatsItselfForTheSameSeed() {
    LinkSettings settings = LinkSettings.PERFECT.withLoss(0.3);
    assertThat(arrivals(settings, 7)).isEqualTo(arrivals(settings, 7));
    assertThat(arrivals(settings, 7)).isNotEqualTo(arrivals(settings, 8));
  }

  private static List<Long> arrivals(LinkSettings settings, long seed) {
    LinkModel link = new LinkModel(settings, seed);
    List<Long> arrivals = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      arrivals.add(link.offer(PACKET_BYTES, i));
    }
    return arrivals;
  }

  @Test
  void settingsAreReadAsTheyAreWritten() {
    LinkSettings settings = LinkSettings.of(49.5, 10.25, 40_000).withBursts(0.013, 2.5);
    assertThat(LinkSettings.parse(settings.toString())).isEqualTo(settings);
    RouterEnd end = new RouterEnd(settings, LinkSettings.PERFECT, "bbr").behind(2, "cubic");
    assertThat(RouterEnd.parse(end.toString())).isEqualTo(end);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LinkSettings.parse("1/2/3"))
        .withMessage("'1/2/3' has no 5 fields");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LinkSettings.PERFECT.withLoss(1))
        .withMessageContaining("loss 1.0");
  }
}
