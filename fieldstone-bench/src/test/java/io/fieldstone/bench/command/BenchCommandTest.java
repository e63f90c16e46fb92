package io.fieldstone.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Gantt;
import io.fieldstone.bench.report.Machine;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Report;
import io.fieldstone.bench.report.Table;
import io.fieldstone.chart.Chart;
import io.fieldstone.cli.JsonDocument;
import io.fieldstone.cli.RunOf;
import io.fieldstone.engine.memory.Phase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchCommandTest {

  @Test
  void theCommandListsBenchAndNoProcessOfTheBenchmark() {
    assertThat(RunOf.fieldstone("--help").out())
        .containsPattern("\n  devices .*\n(.*\n)*?  bench .*\n(.*\n)*?  completion ")
        .doesNotContain("peer");
  }

  @Test
  void helpFitsATerminalAndHasAnExample() {
    RunOf run = RunOf.fieldstone("bench", "--help");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .startsWith("Usage: fieldstone bench")
        .contains("\nExamples:\n  fieldstone ");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void completionHasTheBenchmarks() {
    assertThat(RunOf.fieldstone("completion").out()).contains("_bench", "ceilings");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "bench ceilings -o - | the output must be a folder, not standard output",
        "bench tea | no benchmark 'tea'; there are: ceilings,",
        "bench celings | no benchmark 'celings'; did you mean 'ceilings'?",
        "bench net --section tea | 'net' has no section 'tea'; there are: goodput,",
        "bench net --section hop | 'net' has no section 'hop'; did you mean 'hops'?",
        "bench cpu --section hops | --section hops: 'cpu' has no named sections",
      })
  void misuseIsAUsageError(String line, String message) {
    RunOf run = RunOf.fieldstone(line.split(" "));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("fieldstone: " + message);
  }

  @Test
  void aFailureIsOneObjectToo(@TempDir Path directory) throws Exception {
    String file = Files.write(directory.resolve("file"), new byte[1]).toString();
    RunOf run = RunOf.fieldstone("bench", "files", "--bytes", "4000", "-o", file, "--json");
    JsonNode object = JsonMapper.shared().readTree(run.out());
    assertThat(object.propertyNames()).containsExactlyInAnyOrder("error", "exit");
    assertThat(object.get("exit").asInt()).isEqualTo(run.status()).isBetween(1, 2);
    assertThat(run.err()).contains("fieldstone: " + object.get("error").asString() + "\n");
  }

  @Test
  void benchTakesASizeForFilesOnly() {
    assertThat(RunOf.fieldstone("bench", "cpu", "--bytes", "1M").err())
        .contains("--bytes needs the benchmark 'files' or 'net'");
    assertThat(RunOf.fieldstone("bench", "files", "--bytes", "4001").err())
        .contains("--bytes 4001 is not a multiple of 4");
    assertThat(RunOf.fieldstone("bench", "files", "--bytes", "8").status()).isEqualTo(2);
  }

  @Test
  void benchTakesAFolderForFilesOnly() {
    assertThat(RunOf.fieldstone("bench", "cpu", "--folder", "/").err())
        .contains("--folder needs the benchmark 'files'");
    RunOf missing = RunOf.fieldstone("bench", "files", "--folder", "/no/such/folder");
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).contains("--folder /no/such/folder: no such folder");
  }

  /** Composed here, because the shortest benchmark takes a minute. */
  @Test
  void theDocumentHasTheFieldsOfBenchmarks() throws Exception {
    var series = List.of(new Chart.Series("cores", List.of(1.0), List.of(2.0), false));
    var table =
        Table.named("rates", "Rates", "method", "MB/s", "GPU")
            .row(Cell.of("plain"), Cell.of(1.5), Cell.empty())
            .note("Noisy.")
            .build();
    List<Part> parts =
        List.of(
            table,
            new Plot(new Chart.Lines("lines", "Lines", "bytes", "MB/s", series)),
            new Plot(new Chart.Bars("bars", "Bars", "MB/s", List.of("plain"), series)),
            new Gantt("time", "Time", List.of(new Phase("cpu", "read", 1, 2, 3))));
    Report report =
        new Report(
            "cpu",
            "Cores",
            Machine.current(),
            "fieldstone bench cpu",
            1.5,
            List.of("An introduction."),
            parts,
            List.of(new Measurement("plain", 1, 2, 3, 4)));
    JsonDocument.assertDocumented(
        "bench",
        List.of(JsonMapper.shared().valueToTree(new BenchCommand.Result(List.of(report)))));
  }
}
