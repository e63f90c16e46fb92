package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.impairment.Impairment;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * One file to two receivers through the butterfly of relays, all of whose links have one rate. The
 * server sends to relays a and b, these to relay c and to one receiver each, and c through relay d
 * to both receivers. Relays that only forward carry 1.5 times the rate of a link to each receiver,
 * and relays that code twice.
 *
 * @param runner has the file
 * @param goals takes the figures
 */
record ButterflySection(TransferRunner runner, Goals goals) implements Section {

  private static final double LINK_MEGABITS = 10;
  private static final int QUEUE_BYTES = 50_000;
  private static final Impairment LINK = TransferRunner.lossless(LINK_MEGABITS, QUEUE_BYTES);

  /** Builds a network and returns the links that each receiver draws from. */
  @FunctionalInterface
  private interface Layout {
    List<List<InetSocketAddress>> build(Mesh mesh) throws Exception;
  }

  @Override
  public int steps() {
    return 3;
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "butterfly",
            "Two receivers behind a butterfly of relays",
            "network",
            "goodput of the slower receiver, Mbit/s",
            "of one link",
            "blocks received / needed");
    double link =
        add(run, table, "one link", 0, mesh -> List.of(List.of(mesh.link(mesh.server()))));
    double forwarding = add(run, table, "butterfly, relay", link, mesh -> butterfly(mesh, false));
    double coding =
        add(run, table, "butterfly, relay --immediate", link, mesh -> butterfly(mesh, true));
    if (link > 0) {
      goals.atLeast(
          7,
          "butterfly with relay --immediate, of one link",
          1.9,
          coding / link,
          "Relays that verify carry %s; without coding 1.5 is the limit."
              .formatted(Cell.of(forwarding / link).text()));
    }
    runner.noteFailures(table);
    return List.of(
        table
            .note(
                "Each link has %.0f Mbit/s, 20 ms round trip and a queue of %d kB, and loses nothing;"
                        .formatted(LINK_MEGABITS, QUEUE_BYTES / 1000)
                    + " all peers are one process.")
            .note(
                "A recoded packet carries its 64 coefficients, so that two links of them carry 1.91"
                    + " times the blocks of one link of source blocks.")
            .build());
  }

  private static List<List<InetSocketAddress>> butterfly(Mesh mesh, boolean isImmediate)
      throws Exception {
    InetSocketAddress server = mesh.server();
    InetSocketAddress a = mesh.relay(isImmediate, List.of(server));
    InetSocketAddress b = mesh.relay(isImmediate, List.of(server));
    InetSocketAddress c = mesh.relay(isImmediate, List.of(a, b));
    InetSocketAddress d = mesh.relay(isImmediate, List.of(c));
    return List.of(List.of(mesh.link(a), mesh.link(d)), List.of(mesh.link(b), mesh.link(d)));
  }

  /** Adds a row, and returns the goodput of the slower receiver; 0 if the transfer failed. */
  private double add(Run run, Table.Builder table, String name, double link, Layout layout) {
    run.beginStep("butterfly: " + name);
    List<FetchResult> results =
        runner.onMesh(
            name,
            LINK,
            mesh -> {
              List<List<InetSocketAddress>> sources = layout.build(mesh);
              mesh.fetch(runner.warmUpFile(), sources);
              return mesh.fetch(runner.file(), sources);
            });
    if (results.isEmpty()) {
      table.row(Cell.of(name), Cell.empty(), Cell.empty(), Cell.empty());
      return 0;
    }
    double seconds = results.stream().mapToLong(FetchResult::nanos).max().orElseThrow() / 1e9;
    double megabits = new Transfer(runner.fileBytes(), seconds).megabitsPerSecond();
    double overhead = results.stream().mapToDouble(FetchResult::overhead).max().orElseThrow();
    run.record(name, (double) runner.fileBytes(), seconds);
    table.row(
        Cell.of(name),
        Cell.of(megabits),
        Cell.of(link == 0 ? 1 : megabits / link),
        Cell.of(1 + overhead));
    return megabits;
  }
}
