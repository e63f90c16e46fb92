package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

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
          Optional<List<Long>> bytes = runner.sharedBytes(peer, neighbour, queue);
          OptionalDouble own = megabitsPerSecond(bytes, 0);
          OptionalDouble others = megabitsPerSecond(bytes, 1);
          table.row(
              Cell.of(peer.name()),
              Cell.of(neighbour.name()),
              Cell.of(queue / 1000.0),
              Cell.of(own),
              Cell.of(others),
              Cell.ratio(own, others));
          if (peer.name().equals(Goals.OWN)
              && neighbour.equals(new KernelTcp("cubic"))
              && bytes.isPresent()) {
            goals.between(
                3,
                "rate / rate of one TCP CUBIC beside it, queue of %d kB".formatted(queue / 1000),
                0.3,
                3,
                own.getAsDouble() / others.getAsDouble(),
                "");
          }
        }
      }
    }
    runner.noteFailures(table);
    return List.of(
        table
            .note(
                "Both start together; bytes of IP packets over %.0f s, counted once each has 4 MB."
                    .formatted(runner.windowSeconds()))
            .note("1 is an equal share.")
            .build());
  }

  private OptionalDouble megabitsPerSecond(Optional<List<Long>> bytes, int program) {
    return bytes.stream()
        .mapToDouble(all -> all.get(program) * 8e-6 / runner.windowSeconds())
        .findFirst();
  }
}
