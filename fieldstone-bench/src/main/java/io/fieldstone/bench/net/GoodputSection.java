package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Chart;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.SeriesBuilder;
import io.fieldstone.bench.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
  private static final double HEADER_BYTES = 28 + 44;

  private static final double DATAGRAM_BYTES = 1200;

  /** The share of datagrams in the bytes of a link that carries nothing else. */
  static final double CARRIER_SHARE = DATAGRAM_BYTES / (DATAGRAM_BYTES + HEADER_BYTES);

  /** The minimum ratios to the BBR stream of the same stack, by loss. */
  private static final Map<Double, Double> BBR_RATIOS = Map.of(0.05, 1.25, 0.1, 3.5, 0.2, 8.0);

  private static final double CUBIC_LOSS = 0.05;
  private static final double CUBIC_RATIO = 10;

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

  /** Adds the figures at one loss, by the name of the program. */
  private void addGoals(double loss, Map<String, Double> rates) {
    double own = rates.getOrDefault(Goals.OWN, 0.0);
    if (loss == 0 || own == 0) {
      return;
    }
    double line = TransferRunner.LINK_MEGABITS * CARRIER_SHARE * (1 - loss);
    String at = " at %d %% loss".formatted(Math.round(100 * loss));
    goals.atLeast(
        2,
        "goodput / (1 - loss) x rate of datagrams" + at,
        0.97,
        own / line,
        "%s Mbit/s. %s".formatted(Cell.of(own).text(), Goals.beside(own, rates, "Mbit/s")).strip());
    double bbr = rates.getOrDefault(new QuicStream("BBR").name(), 0.0);
    double minRatio = BBR_RATIOS.getOrDefault(loss, 0.0);
    if (minRatio > 0 && bbr > 0) {
      double kernel = rates.getOrDefault(new KernelTcp("bbr").name(), 0.0);
      goals.atLeast(
          2,
          "goodput / BBR stream of the same QUIC stack" + at,
          minRatio,
          own / bbr,
          "The stream has %s Mbit/s, and the kernel's TCP with BBR %s."
                  .formatted(Cell.of(bbr).text(), Cell.of(kernel).text())
              + " "
              + "The link allows at most %s times the stream."
                  .formatted(Cell.of(line / bbr).text()));
    }
    double cubic = rates.getOrDefault(new QuicStream("CUBIC").name(), 0.0);
    if (loss == CUBIC_LOSS && cubic > 0) {
      goals.atLeast(
          2,
          "goodput / CUBIC stream of the same QUIC stack" + at,
          CUBIC_RATIO,
          own / cubic,
          "The stream has %s Mbit/s, and the kernel's TCP with CUBIC %s."
                  .formatted(
                      Cell.of(cubic).text(),
                      Cell.of(rates.getOrDefault(new KernelTcp("cubic").name(), 0.0)).text())
              + " "
              + "The link allows at most %s times the stream."
                  .formatted(Cell.of(line / cubic).text()));
    }
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
    double sent = sample.counters().up().getFirst().arrived() * (1 - loss) / all;
    overhead.row(Cell.of(peer.name()), Cell.of(100 * loss), Cell.of(received), Cell.of(sent));
    if (peer.name().equals(Goals.OWN)) {
      String at = " at %d %% loss".formatted(Math.round(100 * loss));
      goals.atMost(4, "blocks received / needed" + at, 1.01, received, "");
      goals.atMost(4, "packets sent x (1 - loss) / blocks needed" + at, 1.03, sent, "");
    }
  }
}
