package io.fieldstone.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.bench.report.Measurement;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowCandidateFilterTest {

  @Test
  void slowCandidatesAreLeftOut() {
    SlowCandidateFilter filter = new SlowCandidateFilter(0.5);
    assertThat(filter.allows("slow", 1e18)).as("unknown rate").isTrue();
    filter.learn(
        List.of("slow", "missing"),
        new Results(List.of(new Measurement("slow", 1000, 3, 100, 200))));
    // 5 units per nanosecond: 2.5e9 in half a second.
    assertThat(filter.allows("slow", 2.4e9)).isTrue();
    assertThat(filter.allows("slow", 2.6e9)).isFalse();
    assertThat(filter.allows("missing", 1e18)).isTrue();
  }
}
