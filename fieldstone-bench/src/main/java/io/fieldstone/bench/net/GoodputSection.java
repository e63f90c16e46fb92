package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Table;
import io.fieldstone.chart.Chart;
import io.fieldstone.chart.SeriesBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Goodput of one file over one link, by random loss.
 *
 * @param runner moves the file
 * @param peers the programs in the order of their rows
 * @param losses shares of lost packets
 * @param goals takes the figures
 */
record GoodputSection(TransferRunner runner, List<FilePeer> peers, List<Double> losses, Goals goals)
    implements Section {

  /** IP, UDP and QUIC headers of a packet with one datagram of 1200 bytes. */
  private static final double HEADER_BYTES = 28 + 32;

  private static final double DATAGRAM_BYTES = 1200;

  /** The share of datagrams in the bytes of a link that carries nothing else. */
  static final double CARRIER_SHARE = DATAGRAM_BYTES / (DATAGRAM_BYTES + HEADER_BYTES);

  /** The minimum ratio to a stream of the same stack with a congestion control, at a loss. */
  private record StreamGoal(double loss, String control, double minRatio) {}

  private static final List<StreamGoal> STREAM_GOALS =
      List.of(
          new StreamGoal(0.05, "BBR", 1.25),
          new StreamGoal(0.05, "CUBIC", 10),
          new StreamGoal(0.1, "BBR", 3.5),
          new StreamGoal(0.2, "BBR", 8));

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
            "bytes that passed the link / bytes of packets with the blocks needed");
    List<Chart.Series> series = new ArrayList<>();
    Map<Double, Map<String, Double>> rates = new LinkedHashMap<>();
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
        rates.computeIfAbsent(losses.get(i), _ -> new LinkedHashMap<>()).put(peer.name(), megabits);
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
    rates.forEach(this::addGoals);
    runner.noteFailures(table);
    Table blocks =
        overhead
            .note(
                ("All IP packets in the direction of the data that were not lost count, also"
                        + " acknowledgements. A packet with a block has %.0f bytes.")
                    .formatted(DATAGRAM_BYTES + HEADER_BYTES))
            .build();
    List<Part> parts = new ArrayList<>();
    parts.add(table.build());
    parts.add(
        new Plot(new Chart.Bars("goodput", "One file by random loss", "Mbit/s", labels, series)));
    if (!blocks.rows().isEmpty()) {
      parts.add(blocks);
    }
    return parts;
  }

  /** Adds the figures at one loss, by the name of the program. */
  private void addGoals(double loss, Map<String, Double> rates) {
    double own = rates.getOrDefault(Goals.OWN, 0.0);
    if (loss == 0 || own == 0) {
      return;
    }
    double line = TransferRunner.LINK_MEGABITS * CARRIER_SHARE * (1 - loss);
    goals.atLeast(
        2,
        "goodput / (1 - loss) x rate of datagrams" + at(loss),
        0.97,
        own / line,
        "%s Mbit/s. %s".formatted(Cell.of(own).text(), Goals.beside(own, rates, "Mbit/s")).strip());
    for (StreamGoal goal : STREAM_GOALS) {
      double stream = rates.getOrDefault(new QuicStream(goal.control).name(), 0.0);
      if (goal.loss == loss && stream > 0) {
        addStreamGoal(goal, own / stream, stream, line, rates);
      }
    }
  }

  private void addStreamGoal(
      StreamGoal goal, double ratio, double stream, double line, Map<String, Double> rates) {
    KernelTcp kernel = new KernelTcp(goal.control.toLowerCase(Locale.ROOT));
    goals.atLeast(
        2,
        "goodput / %s stream of the same QUIC stack%s".formatted(goal.control, at(goal.loss)),
        goal.minRatio,
        ratio,
        "The stream has %s Mbit/s, and the kernel's TCP with %s %s."
                .formatted(
                    Cell.of(stream).text(),
                    goal.control,
                    Cell.of(rates.getOrDefault(kernel.name(), 0.0)).text())
            + " The link allows at most %s times the stream."
                .formatted(Cell.of(line / stream).text()));
  }

  private static String at(double loss) {
    return " at %d %% loss".formatted(Math.round(100 * loss));
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
    double received = transfer.blocksReceived() / needed;
    double passed =
        sample.counters().up().getFirst().forwardedBytes()
            / (all * (DATAGRAM_BYTES + HEADER_BYTES));
    overhead.row(Cell.of(peer.name()), Cell.of(100 * loss), Cell.of(received), Cell.of(passed));
    if (peer.name().equals(Goals.OWN)) {
      goals.atMost(4, "blocks received / needed" + at(loss), 1.01, received, "");
      goals.atMost(4, "bytes passed / bytes of the blocks needed" + at(loss), 1.03, passed, "");
    }
  }
}
