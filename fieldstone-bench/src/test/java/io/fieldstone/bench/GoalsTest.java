package io.fieldstone.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Ceiling;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class GoalsTest {

  private static OptionalDouble of(double value) {
    return OptionalDouble.of(value);
  }

  @Test
  void aRateMeetsItsAimFromBelow() {
    assertThat(Goals.Goal.rate("a", "GB/s", of(700), 700).met()).isEqualTo("yes");
    assertThat(Goals.Goal.rate("a", "GB/s", of(699), 700).met()).isEqualTo("no");
    assertThat(Goals.Goal.rate("a", "GB/s", OptionalDouble.empty(), 700).met()).isEmpty();
  }

  @Test
  void aRatioIsJudgedAgainstWhatWasMeasuredBesideIt() {
    Goals.Goal goal = Goals.Goal.ratio("a", "GB/s", of(52), "bus", of(54), 0.95);
    assertThat(goal.ratio()).hasValue(52.0 / 54);
    assertThat(goal.met()).isEqualTo("yes");
    assertThat(Goals.Goal.ratio("a", "GB/s", of(51), "bus", of(54), 0.95).met()).isEqualTo("no");
    assertThat(Goals.Goal.ratio("a", "GB/s", of(51), "bus", OptionalDouble.empty(), 0.95).met())
        .isEmpty();
  }

  @Test
  void aLatencyMeetsItsAimFromAbove() {
    assertThat(Goals.Goal.latency("a", "µs", of(19), "launch", of(10), 2).met()).isEqualTo("yes");
    assertThat(Goals.Goal.latency("a", "µs", of(21), "launch", of(10), 2).met()).isEqualTo("no");
  }

  @Test
  void aFigureBesideARateChangesNoJudgement() {
    Goals.Goal goal = Goals.Goal.rate("a", "T", of(110), 100).beside("ceiling", of(121));
    assertThat(goal.met()).isEqualTo("yes");
    assertThat(goal.ratio()).hasValue(110.0 / 121);
  }

  @Test
  void theTableSaysWhatIsAimedAt() {
    Goals goals = new Goals();
    goals.add(Goals.Goal.latency("a block", "µs", of(15), "launch", of(10), 2));
    assertThat(goals.table().rows().getFirst().stream().map(Cell::text))
        .containsExactly("a block", "µs", "15", "launch", "10", "≤ 2", "1.50", "yes");
    goals.add(Goals.Goal.rate("many", "GB/s", of(700), 690));
    assertThat(goals.table().rows().getLast().stream().map(Cell::text))
        .containsExactly("many", "GB/s", "≥ 690", "700", "", "", "", "", "yes");
  }

  @Test
  void limitsKnowTheirUnits() {
    assertThat(new Limits(List.of(new Ceiling("tensor", 7744, "T bit-MAC/s"))).tensorRate())
        .hasValue(121_000);
    assertThat(new Limits(List.of(new Ceiling("tensor", 121, "T GF-MAC/s"))).tensorRate())
        .hasValue(121_000);
    assertThat(new Limits(List.of(new Ceiling("tensor", 5, "G GF-MAC/s"))).tensorRate())
        .hasValue(5);
    Limits bus =
        new Limits(
            List.of(new Ceiling("bus, up", 54, "GB/s"), new Ceiling("bus, down", 55, "GB/s")));
    assertThat(bus.slowerDirection()).hasValue(54);
    assertThat(bus.tensorRate()).isEmpty();
    assertThat(new Limits(List.of()).slowerDirection()).isEmpty();
  }
}
