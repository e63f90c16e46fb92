package io.fieldstone.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Report;
import io.fieldstone.bench.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Runs benchmarks with one sample of each candidate and few blocks, each once in a process. */
public final class BenchmarkRuns {

  private static final int SHRINK = 32;

  /** Benchmarks whose work takes long even so: up to 10^8 records, files of up to 400 MB. */
  private static final Map<String, Integer> LARGER_SHRINK =
      Map.of("radix", 1024, Benchmark.NET, 128);

  /** Reports of several tests, each measured once. */
  private static final Map<String, Report> REPORTS = new ConcurrentHashMap<>();

  private BenchmarkRuns() {}

  /** Returns the options of a short run of a benchmark. */
  public static BenchOptions options(String benchmark, String engine) {
    int shrink = LARGER_SHRINK.getOrDefault(benchmark, SHRINK);
    return BenchOptions.DEFAULT
        .withEngine(engine)
        .withPace(new Pace(Duration.ZERO, Duration.ZERO, Duration.ZERO, 1, 1, false, shrink))
        .withThreads(2);
  }

  /** Returns the checked report of a benchmark. */
  public static Report report(String benchmark, String engine) {
    return REPORTS.computeIfAbsent(benchmark + " " + engine, _ -> measured(benchmark, engine));
  }

  /** Returns the checked report of a benchmark, whose every column of a table has a figure. */
  public static Report fullReport(String benchmark, String engine) {
    Report report = report(benchmark, engine);
    for (Table table : report.tables()) {
      for (int column = 0; column < table.columns().size(); column++) {
        int at = column;
        assertThat(table.rows())
            .as("column '%s' of table '%s'", table.columns().get(at), table.name())
            .anySatisfy(row -> assertThat(row.get(at)).isNotInstanceOf(Cell.Empty.class));
      }
    }
    return report;
  }

  /** Checks that a report gives the reason why it has no figures of a GPU. */
  public static void assertNoGpu(Report report) {
    assertThat(report.introduction())
        .anySatisfy(paragraph ->
            assertThat(paragraph).startsWith("GPU: none").contains("'cpu' was asked for"));
  }

  private static Report measured(String benchmark, String engine) {
    List<int[]> progress = new ArrayList<>();
    List<Part> found = new ArrayList<>();
    Report report =
        named(benchmark)
            .run(
                options(benchmark, engine)
                    .withStepListener((what, done, total) -> progress.add(new int[] {done, total}))
                    .withReportListener((soFar, part) -> {
                      assertThat(soFar.parts()).contains(part);
                      found.add(part);
                    }));

    assertThat(report.name()).isEqualTo(benchmark);
    assertThat(report.tables())
        .isNotEmpty()
        .allSatisfy(table -> assertThat(table.rows()).isNotEmpty());
    assertThat(found).as("published").containsExactlyInAnyOrderElementsOf(report.parts());
    assertThat(report.parts().stream().map(part -> part.getClass() + part.name()))
        .as("names of files")
        .doesNotHaveDuplicates();
    assertThat(report.measurements())
        .isNotEmpty()
        .allSatisfy(one -> assertThat(one.bestRate()).isPositive().isFinite());
    assertThat(report.introduction()).last().asString().contains("divided by ");
    assertThat(progress).as("steps as announced").hasSize(progress.getLast()[1]);
    assertThat(progress.getLast()[0]).isEqualTo(progress.size() - 1);
    return report;
  }

  /** Runs a section of a benchmark alone, and checks that it has a table. */
  public static void checkSection(String benchmark, String engine, String section, String table) {
    List<int[]> progress = new ArrayList<>();
    Report report =
        named(benchmark)
            .run(
                options(benchmark, engine)
                    .withSection(section)
                    .withStepListener(
                        (what, done, total) -> progress.add(new int[] {done, total})));

    assertThat(report.command()).contains(" --section " + section);
    assertThat(table(report, table).rows()).isNotEmpty();
    assertThat(report.tables().size()).isLessThan(report(benchmark, engine).tables().size());
    assertThat(progress).as("steps as announced").hasSize(progress.getLast()[1]);
  }

  private static Benchmark named(String benchmark) {
    return Benchmark.named(benchmark).orElseThrow();
  }

  /** Returns the table of a name. */
  public static Table table(Report report, String name) {
    return report.tables().stream()
        .filter(table -> table.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the number in a cell. */
  public static double figure(Table table, int row, String column) {
    Cell cell = table.rows().get(row).get(table.columns().indexOf(column));
    return ((Cell.Figure) cell).value();
  }

  /** Checks that a cell has the ratio of two numbers. */
  public static void assertRatio(Table table, int row, String column, double figure, double other) {
    assertThat(figure(table, row, column)).isCloseTo(figure / other, withinPercentage(1e-6));
  }
}
