package io.fieldstone.papers;

import static io.fieldstone.bench.BenchmarkRuns.assertRatio;
import static io.fieldstone.bench.BenchmarkRuns.figure;
import static io.fieldstone.bench.BenchmarkRuns.report;
import static io.fieldstone.bench.BenchmarkRuns.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.fieldstone.bench.Benchmark;
import io.fieldstone.bench.BenchmarkRuns;
import io.fieldstone.bench.StandInProvider;
import io.fieldstone.bench.report.Gantt;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Report;
import io.fieldstone.bench.report.Table;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs each benchmark of a paper with one sample of each candidate and few blocks. */
class PaperBenchmarksTest {

  static List<Benchmark> benchmarks() {
    return new PaperBenchmarks().benchmarks();
  }

  @Test
  void theCommandFindsThem() {
    assertThat(benchmarks()).hasSize(6);
    assertThat(benchmarks()).allSatisfy(one -> assertThat(Benchmark.named(one.name())).isPresent());
  }

  @ParameterizedTest
  @MethodSource("benchmarks")
  void measuresAndReports(Benchmark benchmark) {
    BenchmarkRuns.assertNoGpu(report(benchmark.name(), "cpu"));
  }

  @ParameterizedTest
  @MethodSource("benchmarks")
  void measuresAGpuBesideTheCores(Benchmark benchmark) {
    BenchmarkRuns.fullReport(benchmark.name(), StandInProvider.SPEC);
  }

  @ParameterizedTest
  @CsvSource({
    "nuclei, figure-7, figure-7",
    "radix, table-1, table-1",
    "3-star, figure-10-listed, methods",
    "pcrc, timelines, figures-4-7"
  })
  void aSectionRunsAlone(String benchmark, String section, String table) {
    BenchmarkRuns.checkSection(benchmark, StandInProvider.SPEC, section, table);
  }

  @Test
  void checksumsStandBesideTheirPeersAndTheCeilingsOfTheRun() {
    Report report = report("pcrc", StandInProvider.SPEC);
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
    Report report = report("radix", StandInProvider.SPEC);
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
    Report report = report("radix", StandInProvider.SPEC);
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
    Report report = report("pcrc", StandInProvider.SPEC);
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
    Table clients = table(report("nuclei", "cpu"), "clients");
    int last = clients.rows().size() - 1;
    assertThat(last).isPositive();
    assertThat(figure(clients, last, "served and verified"))
        .isEqualTo(figure(clients, last, "clients"));
    assertThat(figure(clients, last, "cores of the server")).isPositive();
  }

  @Test
  void tablesThatThePageOfThePapersNamesAreThere() throws IOException {
    for (PapersPage.Named named : PapersPage.tables()) {
      if (named.benchmark().equals("pcrc") && named.table().matches("table-[acdef]")) {
        continue; // only the full pace measures them; table-b stands for all
      }
      assertThat(report(named.benchmark(), StandInProvider.SPEC).tables())
          .as("%s", named)
          .anySatisfy(table -> assertThat(table.name()).isEqualTo(named.table()));
    }
  }

  @Test
  void relayMethodsAreRatiosToTheSequentialOne() {
    Report report = report("3-star", StandInProvider.SPEC);
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
    Table methods = table(report("jwd", StandInProvider.SPEC), "table-1");
    for (int row = 0; row < methods.rows().size(); row++) {
      if (methods.rows().get(row).get(1).text().equals("naive")) {
        assertThat(figure(methods, row, "× naive")).isEqualTo(1);
      }
    }
  }

  @Test
  void aMethodOfJointWeightsThatCannotRunIsLeftOutWithItsReason() {
    Table methods = table(report("jwd", "cpu"), "table-1");
    assertThat(methods.rows().stream().map(row -> row.get(1).text())).doesNotContain("dual");
    assertThat(methods.notes())
        .last()
        .asString()
        .startsWith("Left out on one core, 2 threads: method 'dual', because transforms of 2^119")
        .endsWith("whose sums fit 128 bits.");
  }
}
