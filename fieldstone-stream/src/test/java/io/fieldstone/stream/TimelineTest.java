package io.fieldstone.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.memory.Phase;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TimelineTest {

  /** The clock may pass from positive to negative. */
  private static final long ORIGIN = Long.MAX_VALUE - 50;

  private static Phase phase(String place, String name, long start, long end, long bytes) {
    return new Phase(place, name, ORIGIN + start, ORIGIN + end, bytes);
  }

  @Test
  void phasesOfANameAreSummedWhereverTheyWere() {
    Timeline timeline = new Timeline();
    timeline.onPhase(phase("lane 1", "sort", 100, 400, 0));
    timeline.onPhase(phase("lane 0", "upload", 0, 100, 8));
    timeline.onPhase(phase("lane 1", "upload", 20, 120, 16));

    assertThat(timeline.phases())
        .extracting(Phase::track)
        .containsExactly("lane 0", "lane 1", "lane 1");
    assertThat(timeline.profile())
        .containsExactly(
            new StageProfile("upload", 200, 2, 24), new StageProfile("sort", 300, 1, 0));
    assertThat(timeline.seconds()).isEqualTo(400e-9);

    timeline.clear();
    assertThat(timeline.phases()).isEmpty();
    assertThat(timeline.profile()).isEmpty();
    assertThat(timeline.seconds()).isZero();
  }

  @Test
  void lanesReportThePhasesOfTheirStages() throws Exception {
    Timeline timeline = new Timeline();
    AtomicInteger left = new AtomicInteger(5);
    List<StageProfile> profile =
        new Pipeline<int[], RuntimeException>("test", List.of(new int[1], new int[1]))
            .inOrder("read", _ -> left.getAndDecrement() > 0 ? 10 : Stage.END)
            .anyOrder("write", _ -> 7)
            .withPhaseListener(timeline)
            .run();

    assertThat(timeline.phases())
        .hasSize(10)
        .extracting(Phase::track)
        .isSubsetOf("fieldstone-test-0", "fieldstone-test-1");
    assertThat(timeline.profile()).extracting(StageProfile::name).containsExactly("read", "write");
    assertThat(timeline.profile()).extracting(StageProfile::bytes).containsExactly(50L, 35L);
    assertThat(timeline.profile().getLast().busyNs()).isEqualTo(profile.getLast().busyNs());
    assertThat(timeline.seconds()).isPositive();
  }
}
