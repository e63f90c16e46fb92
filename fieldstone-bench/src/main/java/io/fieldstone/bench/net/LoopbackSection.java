package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Processor time of a large file on the loopback interface.
 *
 * @param runner moves the file
 * @param pairs the programs to measure
 * @param goals takes the figures
 */
record LoopbackSection(TransferRunner runner, List<Pair> pairs, Goals goals) implements Section {

  private static final double MIN_OF_STREAM = 0.7;

  /**
   * A program beside the plain stream of its transport.
   *
   * @param packetBytes the UDP payload of both
   * @param minGigabits the Gbit that the program should move with a second of a core
   * @param others programs in further rows
   */
  record Pair(
      int packetBytes,
      double minGigabits,
      QuicStream stream,
      Fieldstone program,
      List<FilePeer> others) {
    Pair {
      others = List.copyOf(others);
    }

    /** Returns all programs, in the order of their rows. */
    List<FilePeer> peers() {
      return Stream.concat(Stream.of(stream, program), others.stream()).toList();
    }
  }

  @Override
  public int steps() {
    return pairs.stream().mapToInt(pair -> pair.peers().size()).sum();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "loopback",
            "One file on the loopback interface",
            "program",
            "goodput, Gbit/s",
            "Gbit per second of a server's core",
            "of the stream",
            "warm-up, s",
            "compiler in its last round");
    for (Pair pair : pairs) {
      Map<String, Double> perCore = new LinkedHashMap<>();
      for (FilePeer peer : pair.peers()) {
        add(run, table, peer, pair.stream().name(), perCore);
      }
      addGoals(pair, perCore);
    }
    runner.noteFailures(table);
    return List.of(
        table
            .note(
                "Sender and receiver share the cores. The processor time is that of all threads of"
                    + " the server's process from the end of the warm-up, compilation that is left"
                    + " included.")
            .note(
                "Files as long are moved first, until in a round no JVM compiles for more than a"
                    + " twentieth of the time, or a time is over. The last column is the part of"
                    + " the last round in which the busiest JVM compiled.")
            .build());
  }

  /** Adds a row, and the Gbit that a second of a server's core moves unless the program fails. */
  private void add(
      Run run, Table.Builder table, FilePeer peer, String stream, Map<String, Double> perCore) {
    run.beginStep("loopback: " + peer.name());
    CpuMeter meter = new CpuMeter();
    Transfer transfer = runner.measureOnLoopback(run, peer, meter);
    if (transfer.bytes() == 0) {
      table.row(
          Cell.of(peer.name()),
          Cell.empty(),
          Cell.empty(),
          Cell.empty(),
          Cell.empty(),
          Cell.empty());
      return;
    }
    double gigabits = transfer.bytes() * 8e-9;
    double own = gigabits / meter.seconds();
    perCore.put(peer.name(), own);
    Double ofStream = perCore.get(stream);
    table.row(
        Cell.of(peer.name()),
        Cell.of(gigabits / transfer.seconds()),
        Cell.of(own),
        ofStream == null ? Cell.empty() : Cell.of(own / ofStream),
        meter.warmUp().map(end -> Cell.of(end.seconds())).orElseGet(Cell::empty),
        meter.warmUp().map(end -> Cell.of(end.compiling())).orElseGet(Cell::empty));
  }

  private void addGoals(Pair pair, Map<String, Double> perCore) {
    double own = perCore.getOrDefault(pair.program().name(), 0.0);
    double stream = perCore.getOrDefault(pair.stream().name(), 0.0);
    if (own == 0 || stream == 0) {
      return;
    }
    String at = ", packets of %d bytes".formatted(pair.packetBytes());
    String remark = Goals.beside(own, perCore, "Gbit");
    goals.atLeast(1, "Gbit for a second of a server's core" + at, pair.minGigabits(), own, remark);
    goals.atLeast(1, "of the plain stream" + at, MIN_OF_STREAM, own / stream, "");
  }
}
