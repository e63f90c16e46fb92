package io.fieldstone.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LossyLinkTest {

  private static final int PACKETS = 20_000;

  /** Sends packets 0, 1, … ten a tick, and returns their numbers as they arrive. */
  private static List<Integer> arrivals(LossyLink link, int packets) {
    List<Integer> arrived = new ArrayList<>();
    for (int number = 0; number < packets + 20; number++) {
      if (number < packets) {
        link.send(MemorySegment.ofArray(new int[] {number}));
      }
      if (number % 10 == 9) {
        link.tick();
        for (MemorySegment packet : link.arrivals()) {
          arrived.add(packet.get(ValueLayout.JAVA_INT, 0));
        }
      }
    }
    return arrived;
  }

  @Test
  void aPerfectLinkDeliversEverythingInOrder() {
    LossyLink link = new LossyLink(LinkQuality.PERFECT, new SplittableRandom(1));

    List<Integer> arrived = arrivals(link, 1000);

    assertThat(arrived).hasSize(1000).isSorted().doesNotHaveDuplicates();
    assertThat(link.counts()).isEqualTo(new LinkCounts(1000, 0, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.2, 0.9})
  void losesItsShareAndCountsIt(double loss) {
    LossyLink link = new LossyLink(new LinkQuality(loss, 0, 0), new SplittableRandom(2));

    List<Integer> arrived = arrivals(link, PACKETS);

    LinkCounts counts = link.counts();
    assertThat(counts.sent()).isEqualTo(PACKETS);
    assertThat(counts.lost() / (double) PACKETS).isCloseTo(loss, within(0.02));
    assertThat(arrived).hasSize((int) (PACKETS - counts.lost())).isSorted();
  }

  @Test
  void doublesItsShareAndCountsIt() {
    LossyLink link = new LossyLink(new LinkQuality(0, 0.3, 0), new SplittableRandom(3));

    List<Integer> arrived = arrivals(link, PACKETS);

    assertThat(link.counts().duplicated() / (double) PACKETS).isCloseTo(0.3, within(0.02));
    assertThat(arrived).hasSize((int) (PACKETS + link.counts().duplicated()));
    assertThat(arrived.stream().distinct()).hasSize(PACKETS);
  }

  @Test
  void latePacketsArriveBehindThoseOfTheNextTick() {
    LossyLink link = new LossyLink(new LinkQuality(0, 0, 0.25), new SplittableRandom(4));

    List<Integer> arrived = arrivals(link, PACKETS);

    assertThat(link.counts().reordered() / (double) PACKETS).isCloseTo(0.25, within(0.02));
    assertThat(arrived).hasSize(PACKETS).doesNotHaveDuplicates();
    assertThat(arrived).isNotEqualTo(arrived.stream().sorted().toList());
    for (int at = 0; at < arrived.size(); at++) {
      assertThat(Math.abs(arrived.get(at) - at)).isLessThan(30);
    }
  }

  @Test
  void theSameSeedDoesTheSame() {
    LinkQuality quality = new LinkQuality(0.3, 0.1, 0.1);

    List<Integer> first = arrivals(new LossyLink(quality, new SplittableRandom(5)), 1000);

    assertThat(arrivals(new LossyLink(quality, new SplittableRandom(5)), 1000)).isEqualTo(first);
    assertThat(arrivals(new LossyLink(quality, new SplittableRandom(6)), 1000)).isNotEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1, 2, Double.NaN})
  void rejectsLossRatesOutOfRange(double loss) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LinkQuality(loss, 0, 0))
        .withMessage("loss " + loss + " is not in [0, 1)");
  }
}
