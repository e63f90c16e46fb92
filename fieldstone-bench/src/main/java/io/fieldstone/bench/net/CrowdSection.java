package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Many clients of one server on the loopback interface, each at the rate of a video.
 *
 * @param runner has the file
 * @param crowds numbers of receivers
 * @param goals takes the figures
 */
record CrowdSection(TransferRunner runner, List<Integer> crowds, Goals goals) implements Section {

  /** The maximum cores of the server, by the number of receivers. */
  private static final Map<Integer, Double> MAX_CORES = Map.of(300, 0.4, 1000, 1.0);

  private static final long BYTES_PER_SECOND = 768_000 / 8;

  /**
   * The outcome of many receivers.
   *
   * @param complete the receivers that got and verified the whole file
   * @param stalled the receivers whose player would have stopped
   * @param seconds the time until the last receiver ended
   */
  record Crowd(int complete, int stalled, double seconds) {

    /** Parses the line {@code crowd COMPLETE STALLED SECONDS}. */
    static Crowd parse(String line) {
      String[] words = line.split(" ", -1);
      if (words.length != 4 || !words[0].equals("crowd")) {
        throw new IllegalArgumentException("'%s' is not a crowd".formatted(line));
      }
      return new Crowd(
          Integer.parseInt(words[1]), Integer.parseInt(words[2]), Double.parseDouble(words[3]));
    }
  }

  @Override
  public int steps() {
    return crowds.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "crowd",
            "Receivers of 768 kbit/s from one server, on the loopback interface",
            "receivers",
            "complete and verified",
            "would have stalled",
            "server, s / time of playing",
            "receivers, s / time of playing",
            "Gbit per second of a server's core",
            "time / time of playing");
    for (int receivers : crowds) {
      run.beginStep("%d receivers of 768 kbit/s".formatted(receivers));
      CpuMeter server = new CpuMeter();
      CpuMeter clients = new CpuMeter();
      Optional<Crowd> crowd = runner.crowd(receivers, BYTES_PER_SECOND, server, clients);
      if (crowd.isPresent()) {
        add(run, table, receivers, crowd.get(), server, clients);
      } else {
        table.row(
            Cell.of(receivers),
            Cell.of(0),
            Cell.empty(),
            Cell.empty(),
            Cell.empty(),
            Cell.empty(),
            Cell.empty());
      }
    }
    runner.noteFailures(table);
    return List.of(
        table
            .note(
                ("Each receiver decodes and verifies a video of %.0f s. It plays from 4 s after its"
                        + " first byte, and stalls if a byte comes too late. All receivers are"
                        + " one process and start within 5 s.")
                    .formatted((double) runner.crowdBytes() / BYTES_PER_SECOND))
            .note(
                "Seconds are the processor time of all threads of a process, after a warm-up with"
                    + " up to 100 receivers. Divided by the time of playing, they are the cores"
                    + " that it needs so that nobody stalls. Both processes share the cores.")
            .build());
  }

  private void add(
      Run run, Table.Builder table, int receivers, Crowd crowd, CpuMeter server, CpuMeter clients) {
    double played = (double) runner.crowdBytes() / BYTES_PER_SECOND;
    double bytes = (double) receivers * runner.crowdBytes();
    run.record("%d receivers".formatted(receivers), bytes, crowd.seconds());
    addGoals(receivers, crowd, server.seconds() / played);
    table.row(
        Cell.of(receivers),
        Cell.of(crowd.complete()),
        Cell.of(crowd.stalled()),
        Cell.of(server.seconds() / played),
        Cell.of(clients.seconds() / played),
        Cell.of(8 * bytes / 1e9 / server.seconds()),
        Cell.of(crowd.seconds() / played));
  }

  private void addGoals(int receivers, Crowd crowd, double serverCores) {
    Double maxCores = MAX_CORES.get(receivers);
    if (maxCores != null) {
      String at = ", %d receivers of 768 kbit/s".formatted(receivers);
      goals.atMost(5, "cores of the server" + at, maxCores, serverCores, "");
      goals.atMost(
          5,
          "receivers that stalled or failed" + at,
          0,
          crowd.stalled() + (receivers - crowd.complete()),
          "");
    }
  }
}
