package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Lateness;
import java.util.ArrayList;
import java.util.List;

/**
 * Goodput of one file over a link on which packets overtake each other.
 *
 * @param runner moves the file
 * @param peers the programs in the order of their rows
 */
record LateSection(TransferRunner runner, List<FilePeer> peers) implements Section {

  private static final Lateness LATENESS = new Lateness(0.3, 80_000_000, 200_000_000);
  private static final long JITTER_NANOS = 80_000_000;

  private record Condition(String name, Impairment link) {}

  private static final List<Condition> CONDITIONS =
      List.of(
          new Condition("clean", clean(0)),
          new Condition("30 % late", clean(0).withLateness(LATENESS)),
          new Condition("30 % late, 5 % lost", clean(0.05).withLateness(LATENESS)),
          new Condition(
              "80 ms of jitter", clean(0).withDelay(TransferRunner.DELAY_NANOS, JITTER_NANOS)));

  private static Impairment clean(double loss) {
    return TransferRunner.link(TransferRunner.LARGE_QUEUE_BYTES, loss);
  }

  @Override
  public int steps() {
    return peers.size() * CONDITIONS.size();
  }

  @Override
  public List<Part> measure(Run run) {
    List<String> columns = new ArrayList<>(List.of("program"));
    CONDITIONS.forEach(condition -> columns.add(condition.name));
    Table.Builder table =
        Table.named(
            "late",
            "One file over a link that delays some packets, Mbit/s",
            columns.toArray(String[]::new));
    for (FilePeer peer : peers) {
      List<Cell> row = new ArrayList<>(List.of(Cell.of(peer.name())));
      for (Condition condition : CONDITIONS) {
        String title = "late packets, " + condition.name;
        run.beginStep(title + ": " + peer.name());
        double megabits =
            runner.measure(run, peer, title, condition.link).transfer().megabitsPerSecond();
        row.add(megabits == 0 ? Cell.empty() : Cell.of(megabits));
      }
      table.row(row);
    }
    runner.noteFailures(table);
    return List.of(
        table
            .note(
                "The same link as above. Three in ten packets are 80 to 200 ms late, or each waits"
                    + " up to 80 ms; later packets overtake them. Data only.")
            .build());
  }
}
