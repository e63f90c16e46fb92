package io.fieldstone.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Gantt;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Report;
import io.fieldstone.bench.report.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs each benchmark with one sample of each candidate and few blocks. */
class BenchmarkTest {

  private static final int SHRINK = 32;

  /** Benchmarks whose work takes long even so: up to 10^8 records, files of up to 400 MB. */
  private static final Map<Benchmark, Integer> LARGER_SHRINK =
      Map.of(Benchmark.RADIX, 1024, Benchmark.NET, 128);

  private static BenchOptions trial(Benchmark benchmark, String engine) {
    int shrink = LARGER_SHRINK.getOrDefault(benchmark, SHRINK);
    return BenchOptions.DEFAULT
        .withEngine(engine)
        .withPace(new Pace(Duration.ZERO, Duration.ZERO, Duration.ZERO, 1, 1, false, shrink))
        .withThreads(2);
  }

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

  /** Reports of several tests, each measured once. */
  private static final Map<String, Report> REPORTS = new ConcurrentHashMap<>();

  private static Report check(Benchmark benchmark, String engine) {
    return REPORTS.computeIfAbsent(benchmark + " " + engine, _ -> measured(benchmark, engine));
  }

  private static Report measured(Benchmark benchmark, String engine) {
    List<int[]> progress = new ArrayList<>();
    List<Part> found = new ArrayList<>();
    Report report =
        benchmark.run(
            trial(benchmark, engine)
                .withStepListener((what, done, total) -> progress.add(new int[] {done, total}))
                .withReportListener((soFar, part) -> {
                  assertThat(soFar.parts()).contains(part);
                  found.add(part);
                }));

    assertThat(report.name()).isEqualTo(benchmark.toString());
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

  @Test
  void figuresOfAGpuStandBesideTheCeilingsOfTheRun() {
    Report report = check(Benchmark.GPU, StandInProvider.SPEC);
    Table encoding = table(report, "encoding");
    assertThat(encoding.rows()).hasSize(3);
    for (int row = 0; row < 3; row++) {
      assertRatio(
          encoding,
          row,
          "drawn, of the tensor ceiling",
          figure(encoding, row, "drawn, T GF-MAC/s"),
          figure(encoding, row, "tensor ceiling, T GF-MAC/s"));
    }
    assertRatio(
        encoding,
        2,
        "drawn, of the bus, down",
        figure(encoding, 2, "drawn, GB/s"),
        StandInProvider.BUS_DOWN);
    Table both = table(report, "host-to-host");
    assertRatio(
        both,
        0,
        "of the slower direction",
        figure(both, 0, "GB/s each way"),
        StandInProvider.BUS_UP);
    Table arrivals = table(report, "arrivals");
    assertRatio(
        arrivals,
        2,
        "block / launch and wait",
        figure(arrivals, 2, "µs per block"),
        StandInProvider.LAUNCH_MICROS);
  }

  @Test
  void checksumsStandBesideTheirPeersAndTheCeilingsOfTheRun() {
    Report report = check(Benchmark.PCRC, StandInProvider.SPEC);
    Table peers = table(report, "peers");
    assertThat(peers.rows()).hasSize(16);
    for (int row = 0; row < peers.rows().size(); row++) {
      assertRatio(
          peers,
          row,
          "auto / other",
          figure(peers, row, "auto, GB/s"),
          figure(peers, row, "its GB/s"));
    }
    assertThat(peers.rows().stream().map(row -> row.get(3).text()))
        .contains("bytewise", "slicing-16", "java.util.zip");
    assertThat(table(report, "threads").rows()).hasSize(3);
    Table large = table(report, "gpu-large");
    assertThat(large.rows()).hasSize(4);
    assertRatio(
        large,
        0,
        "of reading device memory",
        figure(large, 0, "resident, GB/s"),
        StandInProvider.MEMORY_READ);
    assertRatio(
        large,
        3,
        "of the bus, up",
        figure(large, 3, "from pinned main memory, GB/s"),
        StandInProvider.BUS_UP);
    assertThat(table(report, "gpu-packets").rows()).hasSize(2);
  }

  @Test
  void sortingStandsBesideTheJdkAndHasItsTimelines() {
    Report report = check(Benchmark.RADIX, StandInProvider.SPEC);
    Table threads = table(report, "threads");
    assertThat(threads.rows()).hasSize(5);
    for (int row = 0; row < 4; row++) {
      assertRatio(
          threads,
          row,
          "2 threads / parallelSort",
          figure(threads, row, "auto, 2 threads"),
          figure(threads, row, "Arrays.parallelSort, 2 workers"));
    }
    assertThat(threads.rows().getLast().getFirst().text()).isEqualTo("i32+4");
    assertThat(report.parts())
        .filteredOn(Gantt.class::isInstance)
        .extracting(Part::name)
        .contains("timeline-uniform-serial", "timeline-normal-auto");
  }

  @Test
  void operationsOfASortLessTheirOverlapAddUpToTheTotal() {
    Report report = check(Benchmark.RADIX, StandInProvider.SPEC);
    Table times = table(report, "figure-3");
    Table shares = table(report, "figure-4");
    assertThat(times.rows()).hasSize(2 * 7 * 2); // distributions, 10^2 to 10^8, methods
    for (int row = 0; row < times.rows().size(); row++) {
      double sum =
          figure(times, row, "input")
              + figure(times, row, "computation")
              + figure(times, row, "output")
              + figure(times, row, "no operation")
              - figure(times, row, "overlap");
      double total = figure(times, row, "total");
      assertThat(sum).isCloseTo(total, withinPercentage(1e-6));
      assertThat(figure(shares, row, "computation"))
          .isCloseTo(100 * figure(times, row, "computation") / total, withinPercentage(1e-6));
    }
  }

  @Test
  void checksumsHaveTheTimelinesOfThePaper() {
    Report report = check(Benchmark.PCRC, StandInProvider.SPEC);
    Table profiles = table(report, "figures-4-7");
    assertThat(profiles.rows().stream().map(row -> row.getFirst().text()))
        .contains("Fig. 4", "Fig. 5", "Figs. 6, 7");
    for (int row = 0; row < profiles.rows().size(); row++) {
      double sum =
          figure(profiles, row, "upload")
              + figure(profiles, row, "kernel")
              + figure(profiles, row, "download")
              + figure(profiles, row, "no operation")
              - figure(profiles, row, "overlap");
      assertThat(sum).isCloseTo(figure(profiles, row, "total"), withinPercentage(1e-6));
    }
    assertThat(report.parts())
        .filteredOn(Gantt.class::isInstance)
        .extracting(Part::name)
        .contains("timeline-pcrc-128-8192", "timeline-pcrc-streams-128-4-4-8192");
  }

  @Test
  void clientsAreServedByTheRealServer() {
    Table clients = table(check(Benchmark.NUCLEI, "cpu"), "clients");
    int last = clients.rows().size() - 1;
    assertThat(last).isPositive();
    assertThat(figure(clients, last, "served and verified"))
        .isEqualTo(figure(clients, last, "clients"));
    assertThat(figure(clients, last, "cores of the server")).isPositive();
  }

  @ParameterizedTest
  @CsvSource({
    "NUCLEI, figure-7, figure-7",
    "RADIX, table-1, table-1",
    "THREE_STAR, figure-10-listed, methods",
    "PCRC, timelines, figures-4-7"
  })
  void aSectionRunsAlone(Benchmark benchmark, String section, String table) {
    List<int[]> progress = new ArrayList<>();
    Report report =
        benchmark.run(
            trial(benchmark, StandInProvider.SPEC)
                .withSection(section)
                .withStepListener((what, done, total) -> progress.add(new int[] {done, total})));

    assertThat(report.command()).contains(" --section " + section);
    assertThat(table(report, table).rows()).isNotEmpty();
    assertThat(report.tables().size())
        .isLessThan(check(benchmark, StandInProvider.SPEC).tables().size());
    assertThat(progress).as("steps as announced").hasSize(progress.getLast()[1]);
  }

  @Test
  void tablesThatThePageOfThePapersNamesAreThere() throws IOException {
    for (PapersPage.Named named : PapersPage.tables()) {
      Benchmark benchmark = Benchmark.named(named.benchmark()).orElseThrow();
      if (benchmark == Benchmark.PCRC && named.table().matches("table-[acdef]")) {
        continue; // only the full pace measures them; table-b stands for all
      }
      assertThat(check(benchmark, StandInProvider.SPEC).tables())
          .as("%s", named)
          .anySatisfy(table -> assertThat(table.name()).isEqualTo(named.table()));
    }
  }

  @Test
  void relayMethodsAreRatiosToTheSequentialOne() {
    Report report = check(Benchmark.THREE_STAR, StandInProvider.SPEC);
    assertThat(table(report, "threads").rows()).hasSize(1);
    Table methods = table(report, "methods");
    int sequential =
        methods.rows().stream()
            .map(row -> row.getFirst().text())
            .toList()
            .indexOf("sequential, one core");
    assertThat(figure(methods, sequential, "× sequential")).isEqualTo(1);
  }

  @Test
  void methodsOfJointWeightsAreRatiosToThePapersLoop() {
    Table methods = table(check(Benchmark.JWD, StandInProvider.SPEC), "table-1");
    for (int row = 0; row < methods.rows().size(); row++) {
      if (methods.rows().get(row).get(1).text().equals("naive")) {
        assertThat(figure(methods, row, "× naive")).isEqualTo(1);
      }
    }
  }

  @Test
  void aMethodOfJointWeightsThatCannotRunIsLeftOutWithItsReason() {
    Table methods = table(check(Benchmark.JWD, "cpu"), "table-1");
    assertThat(methods.rows().stream().map(row -> row.get(1).text())).doesNotContain("dual");
    assertThat(methods.notes())
        .last()
        .asString()
        .startsWith("Left out on one core, 2 threads: method 'dual', because transforms of 2^119")
        .endsWith("whose sums fit 128 bits.");
  }

  private static Table table(Report report, String name) {
    return report.tables().stream()
        .filter(table -> table.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static double figure(Table table, int row, String column) {
    Cell cell = table.rows().get(row).get(table.columns().indexOf(column));
    return ((Cell.Figure) cell).value();
  }

  private static void assertRatio(
      Table table, int row, String column, double figure, double other) {
    assertThat(figure(table, row, column)).isCloseTo(figure / other, withinPercentage(1e-6));
  }

  @Test
  void partsAreMeasuredAloneAndTogether() {
    Table together = table(check(Benchmark.GPU, StandInProvider.SPEC + "+cpu"), "together");
    assertThat(together.columns()).contains("stand:0 GB/s", "cpu GB/s", "shared");
    assertThat(together.rows())
        .hasSize(7)
        .allSatisfy(row -> assertThat(row).doesNotHaveAnyElementsOfTypes(Cell.Empty.class));
  }

  @Test
  void ceilingsOfEnginesStandOncePerHardware() {
    Table engines = table(check(Benchmark.CEILINGS, "cpu"), "engines");
    List<String> names = engines.rows().stream().map(row -> row.getFirst().text()).toList();
    assertThat(names).filteredOn(StandInProvider.SPEC::equals).hasSize(7);
    // Where the cores have affine products: on one thread and on all.
    assertThat(names)
        .filteredOn(name -> !name.equals(StandInProvider.SPEC))
        .allMatch("cpu"::equals)
        .hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void benchmarksHaveNames() {
    assertThat(Benchmark.named("nuclei")).contains(Benchmark.NUCLEI);
    assertThat(Benchmark.named("3-star")).contains(Benchmark.THREE_STAR);
    assertThat(Benchmark.named("gpu")).contains(Benchmark.GPU);
    assertThat(Benchmark.named("NUCLEI")).isEmpty();
  }
}
