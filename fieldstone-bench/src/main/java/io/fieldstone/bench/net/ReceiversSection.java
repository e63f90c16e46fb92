package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.net.hosts.RouterEnd;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.LinkCounts;
import io.fieldstone.net.impairment.Loss;
import java.util.ArrayList;
import java.util.List;

/**
 * One file from one sender to several receivers, each of which loses other packets.
 *
 * @param runner moves the file
 * @param peers the programs in the order of their rows
 */
record ReceiversSection(TransferRunner runner, List<FilePeer> peers) implements Section {

  private static final int RECEIVERS = 4;
  private static final double LOSS = 0.05;

  @Override
  public int steps() {
    return peers.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "receivers",
            "One file to %d receivers, each with 5 %% loss".formatted(RECEIVERS),
            "program",
            "goodput of the slowest, Mbit/s",
            "bytes sent / bytes of the file");
    List<RouterEnd> ends = new ArrayList<>();
    ends.add(
        new RouterEnd(
            TransferRunner.link(TransferRunner.LARGE_QUEUE_BYTES, 0),
            TransferRunner.back(),
            "cubic"));
    for (int i = 0; i < RECEIVERS; i++) {
      ends.add(
          new RouterEnd(Impairment.NONE, Impairment.NONE.withLoss(Loss.random(LOSS)), "cubic"));
    }
    for (FilePeer peer : peers) {
      String title = "%d receivers".formatted(RECEIVERS);
      run.beginStep(title + ": " + peer.name());
      List<RouterEnd> same = new ArrayList<>(ends);
      same.set(0, ends.getFirst().withCongestionControl(peer.congestionControl()));
      TransferRunner.Sample sample = runner.measure(run, peer, title, same, 1);
      LinkCounts up = sample.counters().up().getFirst();
      double bytes = sample.transfer().bytes();
      table.row(
          Cell.of(peer.name()),
          bytes == 0 ? Cell.empty() : Cell.of(sample.transfer().megabitsPerSecond()),
          bytes < runner.fileBytes() ? Cell.empty() : Cell.of(up.forwardedBytes() / bytes));
    }
    runner.noteFailures(table);
    return List.of(
        table
            .note("The sender's link has 50 Mbit/s; unicast must send the file to each receiver.")
            .note(
                "Bytes sent are those of all IP packets that passed the sender's link; the cell is"
                    + " empty if a receiver did not get all.")
            .build());
  }
}
