package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.net.hosts.RouterEnd;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.net.impairment.Impairment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One file over two lossy links in a row: with a relay between them, and from end to end.
 *
 * @param runner moves the file
 * @param peers the programs that work from end to end, in the order of their rows
 * @param goals takes the figures
 */
record HopsSection(TransferRunner runner, List<FilePeer> peers, Goals goals) implements Section {

  private static final double LOSS = 0.2;
  private static final Fieldstone DIRECT = new Fieldstone(false);
  private static final List<FilePeer> RELAYS =
      List.of(new Fieldstone.Chain(false), new Fieldstone.Chain(true));

  @Override
  public int steps() {
    return 1 + RELAYS.size() + peers.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "hops",
            "One file over two links in a row that lose 20 % each",
            "program",
            "goodput, Mbit/s",
            "of one link without loss");
    Impairment whole = TransferRunner.link(TransferRunner.LARGE_QUEUE_BYTES, 0);
    Impairment lossy = TransferRunner.link(TransferRunner.LARGE_QUEUE_BYTES, LOSS);
    run.beginStep("one link without loss: " + DIRECT.name());
    double link =
        runner.measure(run, DIRECT, "one link without loss", whole).transfer().megabitsPerSecond();
    table.row(Cell.of("Fieldstone, one link without loss"), Cell.of(link), Cell.of(1));
    RouterEnd sender = new RouterEnd(lossy, TransferRunner.back(), "cubic");
    RouterEnd receiver = new RouterEnd(TransferRunner.back(), lossy, "cubic");
    Map<String, Double> rates = new LinkedHashMap<>();
    for (FilePeer peer : RELAYS) {
      List<RouterEnd> ends = List.of(sender, RouterEnd.unlimited(), receiver);
      rates.put(peer.name(), add(run, table, peer, link, ends));
    }
    for (FilePeer peer : peers) {
      List<RouterEnd> ends =
          List.of(sender.withCongestionControl(peer.congestionControl()), receiver);
      rates.put(peer.name(), add(run, table, peer, link, ends));
    }
    if (link > 0) {
      double best =
          RELAYS.stream()
              .mapToDouble(peer -> rates.getOrDefault(peer.name(), 0.0))
              .max()
              .orElseThrow();
      goals.atLeast(
          7,
          "two hops that lose 20 % each, with a relay, of one link without loss",
          0.78,
          best / link,
          "From end to end Fieldstone carries %s, and 0.64 is the limit. %s"
              .formatted(
                  Cell.of(rates.getOrDefault(DIRECT.name(), 0.0) / link).text(),
                  Goals.beside(best, rates, "Mbit/s from end to end"))
              .strip());
    }
    runner.noteFailures(table);
    return List.of(
        table
            .note(
                "Each link has 50 Mbit/s, 20 ms round trip and a queue of 250 kB; losses are"
                    + " independent and in the direction of the data only.")
            .note("Programs without a relay send over both links from end to end.")
            .build());
  }

  private double add(
      Run run, Table.Builder table, FilePeer peer, double link, List<RouterEnd> ends) {
    run.beginStep("two hops: " + peer.name());
    double megabits =
        runner.measure(run, peer, "two hops", ends, ends.size() - 1).transfer().megabitsPerSecond();
    table.row(
        Cell.of(peer.name()),
        megabits == 0 ? Cell.empty() : Cell.of(megabits),
        megabits == 0 || link == 0 ? Cell.empty() : Cell.of(megabits / link));
    return megabits;
  }
}
