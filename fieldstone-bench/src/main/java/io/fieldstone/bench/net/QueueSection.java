package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.net.impairment.LinkCounts;
import java.util.List;

/**
 * Measures the queue of a link without random loss during a transfer.
 *
 * @param runner moves the file
 * @param peers the programs in the order of their rows
 * @param goals takes the figures
 */
record QueueSection(TransferRunner runner, List<FilePeer> peers, Goals goals) implements Section {

  private static final List<Integer> QUEUES =
      List.of(TransferRunner.SMALL_QUEUE_BYTES, TransferRunner.LARGE_QUEUE_BYTES);

  @Override
  public int steps() {
    return peers.size() * QUEUES.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "queue",
            "The queue of the link, without random loss",
            "program",
            "queue, kB",
            "goodput, Mbit/s",
            "mean wait, ms",
            "99th percentile, ms",
            "dropped by the queue, %");
    for (int queue : QUEUES) {
      for (FilePeer peer : peers) {
        String title = "queue of %d kB".formatted(queue / 1000);
        run.beginStep(title + ": " + peer.name());
        TransferRunner.Sample sample =
            runner.measure(run, peer, title, TransferRunner.link(queue, 0));
        LinkCounts link = sample.counters().up().getFirst();
        if (peer.name().equals(Goals.OWN)) {
          addGoals(queue, link);
        }
        table.row(
            Cell.of(peer.name()),
            Cell.of(queue / 1000.0),
            Cell.of(sample.transfer().megabitsPerSecond()),
            Cell.of(link.meanWaitNanos() / 1e6),
            Cell.of(link.percentileWaitNanos() / 1e6),
            Cell.of(100 * link.queueDroppedShare()));
      }
    }
    runner.noteFailures(table);
    return List.of(
        table
            .note("The wait in the queue is the delay that the transfer adds to the path.")
            .note("The same link as above: 50 Mbit/s, 20 ms round trip.")
            .build());
  }

  private void addGoals(int queue, LinkCounts link) {
    String at = ", queue of %d kB".formatted(queue / 1000);
    goals.atMost(3, "added delay, mean, ms" + at, 10, link.meanWaitNanos() / 1e6, "");
    if (queue == TransferRunner.SMALL_QUEUE_BYTES) {
      goals.atMost(
          3, "packets dropped by the queue, %" + at, 2, 100 * link.queueDroppedShare(), "");
    }
  }
}
