package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.server.ServerSettings;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One file from eight peers, some of which send wrong blocks.
 *
 * @param runner has the file
 * @param goals takes the figures
 */
record PollutersSection(TransferRunner runner, Goals goals) implements Section {

  private static final int PEERS = 8;

  /** The positions of the peers that send wrong blocks; the server is the last peer. */
  private static final Set<Integer> EVIL = Set.of(0, 3, 5);

  private static final double LINK_MEGABITS = 10;
  private static final int QUEUE_BYTES = 50_000;
  private static final Impairment LINK = TransferRunner.lossless(LINK_MEGABITS, QUEUE_BYTES);

  /**
   * The bans and the overhead of a transfer.
   *
   * @param named the polluters that were banned
   * @param wronglyNamed the honest peers that were banned
   * @param wasted the blocks beyond those needed, in generations
   */
  private record Outcome(int named, int wronglyNamed, double wasted) {}

  @Override
  public int steps() {
    return 2;
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "polluters",
            "One file from eight peers, some of which send wrong blocks",
            "peers",
            "goodput, Mbit/s",
            "right file",
            "polluters named",
            "others named",
            "generations wasted");
    Optional<Outcome> honest = add(run, table, "8 honest", Set.of());
    Optional<Outcome> polluted =
        add(
            run,
            table,
            "%d honest, %d send wrong blocks".formatted(PEERS - EVIL.size(), EVIL.size()),
            EVIL);
    polluted.ifPresent(outcome -> addGoals(outcome, honest));
    runner.noteFailures(table);
    return List.of(
        table
            .note(
                "A server, and relays that fetch from it; each peer is behind a link of %.0f Mbit/s"
                        .formatted(LINK_MEGABITS)
                    + " and 20 ms round trip. Polluters change a bit of every block.")
            .note(
                "Generations wasted are the blocks that arrived beyond those needed, divided by %d."
                    .formatted(ServerSettings.DEFAULT_SHAPE.blocks()))
            .build());
  }

  private void addGoals(Outcome polluted, Optional<Outcome> honest) {
    goals.atLeast(9, "polluters named, of 3 among 8 peers", EVIL.size(), polluted.named, "");
    goals.atMost(9, "honest peers named", 0, polluted.wronglyNamed, "");
    goals.atMost(
        9,
        "generations wasted",
        2.0 * EVIL.size(),
        polluted.wasted,
        honest
            .map(outcome ->
                "Without polluters, blocks of %s generations are not needed."
                    .formatted(Cell.of(outcome.wasted).text()))
            .orElse(""));
  }

  private Optional<Outcome> add(Run run, Table.Builder table, String name, Set<Integer> evil) {
    run.beginStep("polluters: " + name);
    List<FetchResult> results =
        runner.onMesh(
            name,
            LINK,
            mesh -> {
              InetSocketAddress server = mesh.server();
              List<InetSocketAddress> links = new ArrayList<>();
              for (int peer = 0; peer < PEERS - 1; peer++) {
                links.add(
                    mesh.link(
                        evil.contains(peer)
                            ? mesh.polluter()
                            : mesh.relay(false, List.of(server))));
              }
              links.add(mesh.link(server));
              return mesh.fetch(runner.file(), List.of(links));
            });
    if (results.isEmpty()) {
      table.row(
          Cell.of(name), Cell.empty(), Cell.of("no"), Cell.empty(), Cell.empty(), Cell.empty());
      return Optional.empty();
    }
    FetchResult result = results.getFirst();
    int named = 0;
    int wronglyNamed = 0;
    for (int peer = 0; peer < PEERS; peer++) {
      if (result.sources().get(peer).isBanned()) {
        named += evil.contains(peer) ? 1 : 0;
        wronglyNamed += evil.contains(peer) ? 0 : 1;
      }
    }
    double wasted =
        (double) (result.blocksReceived() - result.blocksNeeded())
            / ServerSettings.DEFAULT_SHAPE.blocks();
    double seconds = result.nanos() / 1e9;
    run.record(name, (double) runner.fileBytes(), seconds);
    table.row(
        Cell.of(name),
        Cell.of(new Transfer(runner.fileBytes(), seconds).megabitsPerSecond()),
        Cell.of("yes"),
        Cell.of(named),
        Cell.of(wronglyNamed),
        Cell.of(wasted));
    return Optional.of(new Outcome(named, wronglyNamed, wasted));
  }
}
