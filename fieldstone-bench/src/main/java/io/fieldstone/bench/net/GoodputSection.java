package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Chart;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.SeriesBuilder;
import io.fieldstone.bench.report.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * Goodput of one file over one link, by random loss.
 *
 * @param runner moves the file
 * @param peers the programs in the order of their rows
 * @param losses shares of lost packets
 */
record GoodputSection(TransferRunner runner, List<FilePeer> peers, List<Double> losses)
    implements Section {

  @Override
  public int steps() {
    return peers.size() * losses.size();
  }

  @Override
  public List<Part> measure(Run run) {
    List<String> columns = new ArrayList<>(List.of("program"));
    List<String> labels = losses.stream().map(loss -> Math.round(100 * loss) + " %").toList();
    columns.addAll(labels);
    Table.Builder table =
        Table.named(
            "goodput",
            "One file over one lossy link, Mbit/s by random loss",
            columns.toArray(String[]::new));
    Table.Builder overhead =
        Table.named(
            "overhead",
            "Blocks of the transfers above",
            "program",
            "loss, %",
            "blocks received / needed",
            "packets sent x (1 - loss) / blocks needed");
    List<Chart.Series> series = new ArrayList<>();
    for (FilePeer peer : peers) {
      List<Cell> row = new ArrayList<>(List.of(Cell.of(peer.name())));
      SeriesBuilder bars = new SeriesBuilder();
      for (int i = 0; i < losses.size(); i++) {
        String title = "goodput at %s loss".formatted(labels.get(i));
        run.beginStep(title + ": " + peer.name());
        TransferRunner.Sample sample =
            runner.measure(
                run,
                peer,
                title,
                TransferRunner.link(TransferRunner.LARGE_QUEUE_BYTES, losses.get(i)));
        addOverhead(overhead, peer, losses.get(i), sample);
        double megabits = sample.transfer().megabitsPerSecond();
        row.add(megabits == 0 ? Cell.empty() : Cell.of(megabits));
        if (megabits > 0) {
          bars.add(i, megabits);
        }
      }
      table.row(row);
      series.add(bars.series(peer.name(), false));
    }
    table
        .note(
            "50 Mbit/s of IP packets, 20 ms round trip, a queue of 250 kB; losses are independent"
                + " and in the direction of the data only.")
        .note(
            "A transfer that takes longer is stopped after %.0f s; its goodput is that of this time."
                .formatted(runner.limitSeconds()));
    runner.takeFailures().forEach(why -> table.note("Failed: " + why));
    Table blocks =
        overhead
            .note(
                "Packets sent are those of any kind in the direction of the data, dropped ones and"
                    + " acknowledgements too.")
            .build();
    List<Part> parts = new ArrayList<>();
    parts.add(table.build());
    parts.add(new Chart.Bars("goodput", "One file by random loss", "Mbit/s", labels, series));
    if (!blocks.rows().isEmpty()) {
      parts.add(blocks);
    }
    return parts;
  }

  /** Adds a row for a program that codes and got the whole file. */
  private void addOverhead(
      Table.Builder overhead, FilePeer peer, double loss, TransferRunner.Sample sample) {
    Transfer transfer = sample.transfer();
    if (transfer.blocksNeeded() == 0) {
      return;
    }
    double needed = transfer.blocksNeeded();
    double all = needed * (runner.fileBytes() + runner.warmUpBytes()) / runner.fileBytes();
    overhead.row(
        Cell.of(peer.name()),
        Cell.of(100 * loss),
        Cell.of(transfer.blocksReceived() / needed),
        Cell.of(sample.counters().up().getFirst().arrived() * (1 - loss) / all));
  }
}
