package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import java.util.List;

/**
 * Programs beside a TCP connection on one link.
 *
 * @param runner runs both
 * @param peers the programs in the order of their rows
 * @param neighbours the programs beside them
 * @param goals takes the figures
 */
record SharingSection(
    TransferRunner runner, List<FilePeer> peers, List<KernelTcp> neighbours, Goals goals)
    implements Section {

  private static final List<Integer> QUEUES =
      List.of(TransferRunner.SMALL_QUEUE_BYTES, TransferRunner.LARGE_QUEUE_BYTES);

  @Override
  public int steps() {
    return peers.size() * neighbours.size() * QUEUES.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "sharing",
            "Beside one TCP connection on one link, without random loss",
            "program",
            "neighbour",
            "queue, kB",
            "program, Mbit/s",
            "neighbour, Mbit/s",
            "program / neighbour");
    for (FilePeer neighbour : neighbours) {
      for (int queue : QUEUES) {
        for (FilePeer peer : peers) {
          String title =
              "%s beside %s, queue of %d kB".formatted(peer.name(), neighbour.name(), queue / 1000);
          run.beginStep(title);
          List<Long> bytes = runner.sharedBytes(peer, neighbour, queue);
          double seconds = runner.windowSeconds();
          if (peer.name().equals(Goals.OWN) && neighbour.equals(new KernelTcp("cubic"))) {
            goals.between(
                3,
                "rate / rate of one TCP CUBIC beside it, queue of %d kB".formatted(queue / 1000),
                0.3,
                3,
                (double) bytes.get(0) / bytes.get(1),
                "");
          }
          table.row(
              Cell.of(peer.name()),
              Cell.of(neighbour.name()),
              Cell.of(queue / 1000.0),
              Cell.of(bytes.get(0) * 8e-6 / seconds),
              Cell.of(bytes.get(1) * 8e-6 / seconds),
              Cell.of((double) bytes.get(0) / bytes.get(1)));
        }
      }
    }
    return List.of(
        table
            .note(
                "Both start together; bytes of IP packets over %.0f s, counted once each has 4 MB."
                    .formatted(runner.windowSeconds()))
            .note("1 is an equal share.")
            .build());
  }
}
