package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.net.hosts.RouterEnd;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.net.impairment.Loss;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One file from four servers at once, and from four of which one is killed.
 *
 * @param runner moves the file
 * @param peers the programs in the order of their rows
 * @param goals takes the figures
 */
record SourcesSection(TransferRunner runner, List<FilePeer> peers, Goals goals) implements Section {

  private static final int SERVERS = 4;
  private static final double SERVER_MEGABITS = 25;
  private static final double LOSS = 0.05;

  /** The share of its part that the killed server has sent, about. */
  private static final double KILL_SHARE = 0.3;

  @Override
  public int steps() {
    return 2 * peers.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "sources",
            "One file from four servers at once",
            "program",
            "all four, Mbit/s",
            "of what the links carry",
            "one is killed, Mbit/s",
            "time added, s");
    double capacity = SERVERS * SERVER_MEGABITS * (1 - LOSS);
    Map<String, Double> rates = new LinkedHashMap<>();
    Optional<Double> added = Optional.empty();
    Optional<Double> duplicates = Optional.empty();
    for (FilePeer peer : peers) {
      run.beginStep("four servers: " + peer.name());
      Transfer all = measure(run, peer, "four servers", () -> FilePeer.Events.NONE);
      run.beginStep("four servers, one killed: " + peer.name());
      long killMillis = Math.round(all.seconds() * 1000 * KILL_SHARE);
      Transfer killed =
          measure(run, peer, "four servers, one killed", () -> new Killer(killMillis));
      boolean isComplete = all.bytes() == runner.fileBytes();
      boolean areComplete = isComplete && killed.bytes() == runner.fileBytes();
      if (isComplete) {
        rates.put(peer.name(), all.megabitsPerSecond());
      }
      if (areComplete && peer.name().equals(Goals.OWN)) {
        duplicates = Optional.of((double) all.blocksReceived() / all.blocksNeeded());
        // Three servers need a third more time for what is left.
        double inevitable = all.seconds() * (1 - KILL_SHARE) / (SERVERS - 1);
        added = Optional.of(killed.seconds() - all.seconds() - inevitable);
      }
      table.row(
          Cell.of(peer.name()),
          isComplete ? Cell.of(all.megabitsPerSecond()) : Cell.empty(),
          isComplete ? Cell.of(all.megabitsPerSecond() / capacity) : Cell.empty(),
          areComplete ? Cell.of(killed.megabitsPerSecond()) : Cell.empty(),
          areComplete ? Cell.of(killed.seconds() - all.seconds()) : Cell.empty());
    }
    double own = rates.getOrDefault(Goals.OWN, 0.0);
    if (own > 0) {
      goals.atLeast(
          6,
          "four servers, of what the links carry in datagrams",
          0.97,
          own / (capacity * GoodputSection.CARRIER_SHARE),
          Goals.beside(own, rates, "Mbit/s"));
    }
    duplicates.ifPresent(
        ratio -> goals.atMost(6, "blocks received / needed, four servers", 1.01, ratio, ""));
    added.ifPresent(seconds ->
        goals.atMost(
            6, "time that a killed server costs, beyond its missing rate, s", 1, seconds, ""));
    runner.noteFailures(table);
    return List.of(
        table
            .note(
                "A cell is empty if the file was not complete after %.0f s."
                    .formatted(runner.limitSeconds()))
            .note(
                "Each server's link has 25 Mbit/s, 20 ms round trip and 5 % loss: together they"
                    + " carry %.0f Mbit/s.".formatted(capacity))
            .note(
                "One server is killed when %.0f %% of the time without it have passed. Three"
                        .formatted(100 * KILL_SHARE)
                    + " servers alone need %.2f times as long for the rest."
                        .formatted(SERVERS / (SERVERS - 1.0)))
            .build());
  }

  private Transfer measure(Run run, FilePeer peer, String title, Supplier<FilePeer.Events> events) {
    RouterEnd server =
        new RouterEnd(
            TransferRunner.lossless(SERVER_MEGABITS, TransferRunner.LARGE_QUEUE_BYTES / 2)
                .withLoss(Loss.random(LOSS)),
            TransferRunner.back(),
            peer.congestionControl());
    List<RouterEnd> ends = new ArrayList<>(Collections.nCopies(SERVERS, server));
    ends.add(RouterEnd.unlimited());
    return runner.measure(run, peer, title, ends, SERVERS, events).transfer();
  }

  /** Kills one server some time after the transfer begins. */
  private static final class Killer implements FilePeer.Events {
    private final long afterMillis;
    private final List<Process> servers = new ArrayList<>();

    Killer(long afterMillis) {
      this.afterMillis = afterMillis;
    }

    @Override
    public void serverStarted(int host, Process server) {
      servers.add(server);
    }

    @Override
    public void begin() {
      Process victim = servers.getFirst();
      Thread.ofVirtual()
          .start(() -> {
            try {
              TimeUnit.MILLISECONDS.sleep(afterMillis);
              victim.destroyForcibly();
            } catch (InterruptedException stopped) {
              Thread.currentThread().interrupt();
            }
          });
    }
  }
}
