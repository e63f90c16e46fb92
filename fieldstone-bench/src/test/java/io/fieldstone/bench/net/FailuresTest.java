package io.fieldstone.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.net.hosts.Hosts;
import io.fieldstone.bench.net.hosts.VirtualNetwork;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Names the programs that fail, and lists no figures of them. */
class FailuresTest {

  private static final Pace TRIAL =
      new Pace(Duration.ZERO, Duration.ZERO, Duration.ZERO, 1, 1, false, 32);

  /** A program that cannot start. */
  private record Broken() implements FilePeer {
    @Override
    public String name() {
      return "broken";
    }

    @Override
    public Transfer transfer(Hosts hosts, Job job) throws IOException {
      throw new IOException("no such program");
    }
  }

  private static Run run(Section section) {
    BenchOptions options = BenchOptions.DEFAULT.withPace(TRIAL);
    return new Run(options, new Heading("net", "", List.of()), section.steps());
  }

  private static Table measured(Section section) {
    return (Table) section.measure(run(section)).getFirst();
  }

  private static List<List<String>> rows(Table table) {
    return table.rows().stream().map(row -> row.stream().map(Cell::text).toList()).toList();
  }

  @Test
  void aFailedTransferOnLoopbackHasNoFigures() throws IOException {
    Goals goals = new Goals();
    try (TransferRunner runner = new TransferRunner(TRIAL, OptionalLong.empty())) {
      LoopbackSection.Pair pair =
          new LoopbackSection.Pair(
              0, 1, new QuicStream("NONE"), new Fieldstone(false, 0), List.of(new Broken()));
      Table table = measured(new LoopbackSection(runner, List.of(pair), goals));

      assertThat(rows(table))
          .containsExactly(
              List.of("QUIC stream, NONE", "", "", "", "", ""),
              List.of("Fieldstone, 0 bytes", "", "", "", "", ""),
              List.of("broken", "", "", "", "", ""));
      assertThat(table.notes())
          .anyMatch(note -> note.startsWith("Failed: QUIC stream, NONE: "))
          .anyMatch(note -> note.startsWith("Failed: Fieldstone, 0 bytes: "))
          .contains("Failed: broken: no such program");
      assertThat(goals.measure(run(goals))).isEmpty();
    }
  }

  @Test
  void aProgramThatFailsSharesNothing() throws IOException {
    Optional<String> obstacle = VirtualNetwork.obstacle();
    assumeTrue(obstacle.isEmpty(), () -> "no virtual network: " + obstacle.orElseThrow());
    try (TransferRunner runner = new TransferRunner(TRIAL, OptionalLong.empty())) {
      Section section =
          new SharingSection(
              runner, List.of(new Broken()), List.of(new KernelTcp("cubic")), new Goals());
      Table table = measured(section);

      assertThat(rows(table))
          .containsExactly(
              List.of("broken", "TCP CUBIC, kernel", "40", "", "", ""),
              List.of("broken", "TCP CUBIC, kernel", "250", "", "", ""));
      assertThat(table.notes()).contains("Failed: broken: no such program");
    }
  }
}
