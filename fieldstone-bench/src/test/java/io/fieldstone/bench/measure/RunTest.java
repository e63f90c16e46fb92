package io.fieldstone.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.bench.report.Measurement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunTest {

  private static final Pace ONE_SAMPLE =
      new Pace(Duration.ZERO, Duration.ZERO, Duration.ZERO, 1, 1, true, 1);

  @Test
  void loadsStayOpenUntilTheyAreMeasured() {
    List<String> events = new ArrayList<>();
    Run run =
        new Run(
            BenchOptions.DEFAULT.withPace(ONE_SAMPLE), new Heading("name", "Title", List.of()), 1);
    Results results =
        run.compare(
            "comparison",
            loads -> {
              loads.register(() -> events.add("closed"));
              return List.of(new Candidate("one", 1, () -> events.add("measured")));
            });
    assertThat(events).startsWith("measured").endsWith("closed").containsOnlyOnce("closed");
    assertThat(results.of("one", Measurement::work)).hasValue(1);
    assertThat(run.report().measurements().getFirst().name()).isEqualTo("comparison: one");
  }
}
