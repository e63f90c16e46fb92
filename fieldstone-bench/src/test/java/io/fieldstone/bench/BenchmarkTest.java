package io.fieldstone.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
    Report report = check(benchmark, "cpu");
    if (Set.of(
            Benchmark.NUCLEI,
            Benchmark.HPDS,
            Benchmark.GPU,
            Benchmark.PCRC,
            Benchmark.JWD,
            Benchmark.THREE_STAR,
            Benchmark.RADIX)
        .contains(benchmark)) {
      assertThat(report.introduction())
          .anySatisfy(paragraph ->
              assertThat(paragraph).startsWith("GPU: none").contains("'cpu' was asked for"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CEILINGS", "NUCLEI", "HPDS", "GPU", "PCRC", "JWD", "THREE_STAR", "RADIX"})
  void measuresAGpuBesideTheCores(Benchmark benchmark) {
    Report report = check(benchmark, StandInProvider.SPEC);
    for (Table table : report.tables()) {
      for (int column = 0; column < table.columns().size(); column++) {
        int at = column;
        assertThat(table.rows())
            .as("column '%s' of table '%s'", table.columns().get(at), table.name())
            .anySatisfy(row -> assertThat(row.get(at)).isNotInstanceOf(Cell.Empty.class));
      }
    }
  }

  /** Reports of what some tests look at, each measured once. */
  private static final Map<String, Report> REPORTS = new ConcurrentHashMap<>();

  private static Report check(Benchmark benchmark, String engine) {
    return REPORTS.computeIfAbsent(benchmark + " " + engine, _ -> measured(benchmark, engine));
  }

  private static Report measured(Benchmark benchmark, String engine) {
    List<int[]> progress = new ArrayList<>();
    List<Part> found = new ArrayList<>();
    Report report =
        benchmark.run(
            BenchOptions.DEFAULT
                .withEngine(engine)
                .withPace(TRIAL)
                .withThreads(2)
                .withProgress((what, done, total) -> progress.add(new int[] {done, total}))
                .withFindings((soFar, part) -> {
                  assertThat(soFar.parts()).contains(part);
                  found.add(part);
                }));

    assertThat(report.name()).isEqualTo(benchmark.toString());
    assertThat(report.tables())
        .isNotEmpty()
        .allSatisfy(table -> assertThat(table.rows()).isNotEmpty());
    assertThat(found).as("told of").containsExactlyInAnyOrderElementsOf(report.parts());
    assertThat(report.parts().stream().map(part -> part.getClass() + part.name()))
        .as("names of files")
        .doesNotHaveDuplicates();
    assertThat(report.measurements())
        .isNotEmpty()
        .allSatisfy(one -> assertThat(one.bestRate()).isPositive().isFinite());
    assertThat(report.introduction()).last().asString().contains("divided by 32");
    assertThat(progress).as("steps as announced").hasSize(progress.getLast()[1]);
    assertThat(progress.getLast()[0]).isEqualTo(progress.size() - 1);
    return report;
  }

  @Test
  void theGoalsOfAGpuAreJudgedByTheCeilingsOfTheRun() {
    Report report = check(Benchmark.GPU, StandInProvider.SPEC);
    Table goals = report.tables().getFirst();
    assertThat(goals.name()).isEqualTo("goals");
    assertThat(goals.rows()).hasSize(9);
    int met = goals.columns().indexOf("met");
    assertThat(goals.rows()).allSatisfy(row -> assertThat(row.get(met).text()).isIn("yes", "no"));
  }

  @Test
  void theGoalsOfChecksumsAreJudgedByWhatIsMeasuredBesideThem() {
    Table goals = check(Benchmark.PCRC, StandInProvider.SPEC).tables().getFirst();
    assertThat(goals.name()).isEqualTo("goals");
    assertThat(goals.rows()).hasSize(20);
    int met = goals.columns().indexOf("met");
    assertThat(goals.rows()).allSatisfy(row -> assertThat(row.get(met).text()).isIn("yes", "no"));
  }

  @Test
  void theGoalsOfSortingAreJudgedByWhatIsMeasuredBesideThem() {
    Report report = check(Benchmark.RADIX, StandInProvider.SPEC);
    Table goals = report.tables().getFirst();
    assertThat(goals.name()).isEqualTo("goals");
    assertThat(goals.rows()).hasSize(9);
    int met = goals.columns().indexOf("met");
    assertThat(goals.rows()).allSatisfy(row -> assertThat(row.get(met).text()).isIn("yes", "no"));
    assertThat(report.parts())
        .filteredOn(Chart.Spans.class::isInstance)
        .extracting(Part::name)
        .contains("timeline-uniform-serial", "timeline-normal-auto");
  }

  @Test
  void partsAreMeasuredAloneAndTogether() {
    Table together =
        check(Benchmark.GPU, StandInProvider.SPEC + "+cpu").tables().stream()
            .filter(table -> table.name().equals("together"))
            .findFirst()
            .orElseThrow();
    assertThat(together.columns()).contains("stand:0 GB/s", "cpu GB/s", "shared");
    assertThat(together.rows())
        .hasSize(7)
        .allSatisfy(row -> assertThat(row).doesNotHaveAnyElementsOfTypes(Cell.Empty.class));
  }

  @Test
  void ceilingsOfEnginesStandOncePerHardware() {
    Table engines =
        check(Benchmark.CEILINGS, "cpu").tables().stream()
            .filter(table -> table.name().equals("engines"))
            .findFirst()
            .orElseThrow();
    assertThat(engines.rows().stream().map(row -> row.getFirst().text()))
        .containsOnly(StandInProvider.SPEC)
        .hasSize(6);
  }

  @Test
  void benchmarksHaveNames() {
    assertThat(Benchmark.named("nuclei")).contains(Benchmark.NUCLEI);
    assertThat(Benchmark.named("3-star")).contains(Benchmark.THREE_STAR);
    assertThat(Benchmark.named("gpu")).contains(Benchmark.GPU);
    assertThat(Benchmark.named("NUCLEI")).isEmpty();
  }
}
