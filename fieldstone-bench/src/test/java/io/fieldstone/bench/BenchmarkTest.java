package io.fieldstone.bench;

import static io.fieldstone.bench.BenchmarkRuns.assertRatio;
import static io.fieldstone.bench.BenchmarkRuns.figure;
import static io.fieldstone.bench.BenchmarkRuns.report;
import static io.fieldstone.bench.BenchmarkRuns.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Report;
import io.fieldstone.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs each benchmark of this machine with one sample of each candidate and few blocks. */
class BenchmarkTest {

  static List<Benchmark> benchmarks() {
    return new MachineBenchmarks().benchmarks();
  }

  @ParameterizedTest
  @MethodSource("benchmarks")
  void measuresAndReports(Benchmark benchmark) {
    Report report = report(benchmark.name(), "cpu");
    if (benchmark.name().equals("gpu")) {
      BenchmarkRuns.assertNoGpu(report);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ceilings", "gpu"})
  void measuresAGpuBesideTheCores(String benchmark) {
    BenchmarkRuns.fullReport(benchmark, StandInProvider.SPEC);
  }

  @ParameterizedTest
  @CsvSource({"code, packets", "delay, delay", "deadline, deadline"})
  void aSectionOfLiveRunsAlone(String section, String table) {
    BenchmarkRuns.checkSection("live", "cpu", section, table);
  }

  @Test
  void codesOverWindowsStandBesideTheProductOfTheirShape() {
    Report report = report("live", "cpu");
    Table code = table(report, "code");
    assertThat(code.rows()).hasSize(3);
    for (int row = 0; row < 3; row++) {
      double macs = figure(code, row, "window") * 1318;
      assertRatio(
          code,
          row,
          "encoder / product",
          figure(code, row, "repairs/s of the encoder") * macs / 1e9,
          figure(code, row, "product, G GF-MAC/s"));
    }
    assertThat(report.parts()).filteredOn(Plot.class::isInstance).hasSize(1);
  }

  @Test
  void figuresOfAGpuStandBesideTheCeilingsOfTheRun() {
    Report report = report("gpu", StandInProvider.SPEC);
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
  void partsAreMeasuredAloneAndTogether() {
    Table together = table(report("gpu", StandInProvider.SPEC + "+cpu"), "together");
    assertThat(together.columns()).contains("stand:0 GB/s", "cpu GB/s", "shared");
    assertThat(together.rows())
        .hasSize(7)
        .allSatisfy(row -> assertThat(row).doesNotHaveAnyElementsOfTypes(Cell.Empty.class));
  }

  @Test
  void ceilingsOfEnginesStandOncePerHardware() {
    Table engines = table(report("ceilings", "cpu"), "engines");
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
    assertThat(Benchmark.named("gpu")).map(Benchmark::name).contains("gpu");
    assertThat(Benchmark.named("GPU")).isEmpty();
    assertThat(Benchmark.all()).extracting(Benchmark::name).doesNotHaveDuplicates();
  }
}
