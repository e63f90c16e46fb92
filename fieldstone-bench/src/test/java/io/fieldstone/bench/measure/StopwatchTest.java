package io.fieldstone.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.bench.report.Measurement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the arithmetic of the stopwatch, on a clock that candidates move. */
class StopwatchTest {

  private final List<String> runs = new ArrayList<>();
  private long now;
  private long compiled;

  private Stopwatch stopwatch(Duration warmUp, Duration measured, Duration sample, int most) {
    return new Stopwatch(
        new Pace(warmUp, measured, sample, 1, most, true, 1), () -> now, () -> compiled);
  }

  /** Makes a candidate whose runs take the given times in turn; the last time recurs. */
  private Candidate taking(String name, double work, long... nanos) {
    Deque<Long> times = new ArrayDeque<>();
    for (long one : nanos) {
      times.add(one);
    }
    return new Candidate(
        name,
        work,
        () -> {
          runs.add(name);
          now += times.size() > 1 ? times.remove() : times.getFirst();
        });
  }

  @Test
  void bestAndMedianLeaveOutTheWarmUp() {
    Measurement odd =
        stopwatch(Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO, 3)
            .measure(taking("a", 600, 9_000, 300, 100, 200));
    assertThat(odd).isEqualTo(new Measurement("a", 600, 3, 100, 200));
    Measurement even =
        stopwatch(Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO, 4)
            .measure(taking("b", 600, 1, 300, 100, 200, 400));
    assertThat(even.medianNanos()).isEqualTo(250);
  }

  @Test
  void preparingEachRunIsNotMeasured() {
    Candidate plain = taking("a", 600, 9_000, 300, 100, 200);
    Candidate prepared = new Candidate("a", 600, Optional.of(() -> now += 5_000), plain.body());
    assertThat(stopwatch(Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO, 3).measure(prepared))
        .isEqualTo(new Measurement("a", 600, 3, 100, 200));
    // Ten runs fill a sample; each is prepared, and the sample is the sum of the measured times.
    Candidate repeated =
        new Candidate("b", 600, Optional.of(() -> now += 5_000), taking("b", 600, 100).body());
    assertThat(
            stopwatch(Duration.ZERO, Duration.ofSeconds(1), Duration.ofNanos(1_000), 2)
                .measure(repeated))
        .isEqualTo(new Measurement("b", 600, 2, 100, 100));
  }

  @Test
  void roundsHaveNoWarmUpAndOneRunOfEach() {
    List<Measurement> measured =
        stopwatch(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(1), 9)
            .compareInRounds(2, List.of(taking("a", 600, 300, 100), taking("b", 600, 50)));
    assertThat(runs).containsExactly("a", "b", "a", "b");
    assertThat(measured)
        .containsExactly(
            new Measurement("a", 600, 2, 100, 200), new Measurement("b", 600, 2, 50, 50));
  }

  @Test
  void ratesAreWorkANanosecond() {
    Measurement fast = new Measurement("fast", 128.0 * 128 * 4096, 5, 1e6, 2e6);
    Measurement slow = new Measurement("slow", 64.0 * 128 * 4096, 5, 2e6, 2e6);
    assertThat(fast.bestRate()).isEqualTo(67.108864);
    assertThat(fast.medianRate()).isEqualTo(33.554432);
    assertThat(fast.bestMillions()).isEqualTo(67_108.864);
    assertThat(fast.medianMillions()).isEqualTo(33_554.432);
    assertThat(fast.bestMillis()).isEqualTo(1);
    assertThat(fast.timesFasterThan(slow)).isEqualTo(4);
  }

  @Test
  void candidatesTakeTurns() {
    stopwatch(Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO, 2)
        .compare(List.of(taking("a", 1, 10), taking("b", 1, 1000)));
    assertThat(runs).containsExactly("a", "b", "a", "b", "a", "b");
  }

  @Test
  void warmUpLastsItsTime() {
    stopwatch(Duration.ofNanos(100), Duration.ZERO, Duration.ZERO, 1).measure(taking("a", 1, 30));
    assertThat(runs).hasSize(4 + 1);
  }

  @Test
  void warmUpGoesOnWhileTheCompilerIsBusy() {
    Candidate busy =
        new Candidate(
            "busy",
            1,
            () -> {
              runs.add("busy");
              now += 10;
              compiled += runs.size() <= 3 ? 1000 : 0;
            });
    stopwatch(Duration.ofNanos(10), Duration.ZERO, Duration.ZERO, 1).measure(busy);
    assertThat(runs).hasSize(3 + 1 + 1);
  }

  @Test
  void shortRunsAreRepeatedWithinASample() {
    Measurement measurement =
        stopwatch(Duration.ZERO, Duration.ofNanos(2500), Duration.ofNanos(1000), 100)
            .measure(taking("a", 1, 300));
    // A sample of at least 1000 ns takes 4 runs of 300; 1200 + 1200 < 2500 asks for a third.
    assertThat(measurement.samples()).isEqualTo(3);
    assertThat(measurement.bestNanos()).isEqualTo(300);
    assertThat(runs).hasSize(1 + 3 * 4);
  }

  @Test
  void aSlowCandidateIsSampledOnceThoughTimeIsUp() {
    Measurement measurement =
        stopwatch(Duration.ZERO, Duration.ofNanos(1), Duration.ZERO, 100)
            .measure(taking("slow", 1, 1_000_000));
    assertThat(measurement.samples()).isEqualTo(1);
  }

  @Test
  void misuseIsRefused() {
    assertThatThrownBy(() -> new Candidate("a", 0, () -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'a'");
    assertThatThrownBy(() -> new Pace(Duration.ZERO, Duration.ZERO, Duration.ZERO, 3, 2, true, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("max samples 2");
    assertThatThrownBy(() -> BenchOptions.DEFAULT.withThreads(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("threads 0");
  }
}
