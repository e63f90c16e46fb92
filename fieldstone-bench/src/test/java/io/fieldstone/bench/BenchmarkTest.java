package io.fieldstone.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each benchmark for real, with one sample of each candidate and few blocks. */
class BenchmarkTest {

  private static final Pace TRIAL =
      new Pace(Duration.ZERO, Duration.ZERO, Duration.ZERO, 1, 1, false, 32);

  @ParameterizedTest
  @EnumSource
  void measuresAndReports(Benchmark benchmark) {
    List<int[]> progress = new ArrayList<>();
    Report report =
        benchmark.run(
            BenchOptions.DEFAULT
                .withPace(TRIAL)
                .withThreads(2)
                .withProgress((what, done, total) -> progress.add(new int[] {done, total})));

    assertThat(report.name()).isEqualTo(benchmark.toString());
    assertThat(report.tables())
        .isNotEmpty()
        .allSatisfy(table -> assertThat(table.rows()).isNotEmpty());
    assertThat(report.measurements())
        .isNotEmpty()
        .allSatisfy(one -> assertThat(one.bestRate()).isPositive().isFinite());
    assertThat(report.introduction()).last().asString().contains("divided by 32");
    assertThat(progress).as("steps as announced").hasSize(progress.getLast()[1]);
    assertThat(progress.getLast()[0]).isEqualTo(progress.size() - 1);
  }

  @Test
  void benchmarksHaveNames() {
    assertThat(Benchmark.named("nuclei")).contains(Benchmark.NUCLEI);
    assertThat(Benchmark.named("NUCLEI")).isEmpty();
  }
}
