package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.measure.WorkFolder;
import io.fieldstone.bench.net.hosts.RouterEnd;
import io.fieldstone.bench.net.hosts.Tools;
import io.fieldstone.bench.net.hosts.VirtualNetwork;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.LinkCounts;
import io.fieldstone.net.impairment.Loss;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * TCP connections inside tunnels, and without one, over a long path that loses packets in both
 * directions.
 *
 * @param paths the tunnels in the order of their rows
 * @param losses shares of lost packets of each direction
 * @param seconds the time of each measurement, after a third of it that does not count
 */
record TunnelSection(List<TcpPath> paths, List<Double> losses, int seconds) implements Section {

  private static final double BYTES_PER_SECOND = 50e6 / 8;
  private static final int QUEUE_BYTES = 400_000;
  private static final long DELAY_NANOS = 55_000_000;
  private static final int PORT = 5201;
  private static final long SEED = 1;

  @Override
  public int steps() {
    return paths.size() * losses.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "tunnel",
            "TCP CUBIC inside tunnels",
            "loss each way, %",
            "inside",
            "TCP, Mbit/s",
            "bytes sent / bytes of TCP",
            "message, 50 %, ms",
            "message, 99 %, ms");
    for (double loss : losses) {
      for (TcpPath path : paths) {
        run.beginStep("TCP inside %s at %d %% loss".formatted(path.name(), Math.round(100 * loss)));
        measure(run, path, loss, table);
      }
    }
    return List.of(
        table
            .note(
                ("50 Mbit/s of IP packets with a queue of %d kB and a delay of %d ms, each way."
                        + " Losses are independent, and in both directions.")
                    .formatted(QUEUE_BYTES / 1000, DELAY_NANOS / 1_000_000))
            .note(
                "Data for %d s, after %d s that do not count. Bytes sent are those of all IP packets in its direction."
                    .formatted(run.blocks(seconds), run.blocks(seconds) / 3))
            .note(
                "Before it a message of 200 bytes each 20 ms over a connection of its own: the time"
                    + " until it is back.")
            .build());
  }

  private void measure(Run run, TcpPath path, double loss, Table.Builder table) {
    Impairment link =
        Impairment.NONE
            .withRate(BYTES_PER_SECOND, QUEUE_BYTES)
            .withDelay(DELAY_NANOS, 0)
            .withLoss(Loss.random(loss));
    List<RouterEnd> ends = List.of(new RouterEnd(link, link, "cubic"), RouterEnd.unlimited());
    try (WorkFolder work = WorkFolder.temporary();
        VirtualNetwork network = VirtualNetwork.open(SEED, ends)) {
      try {
        Process server =
            network.start(
                TcpPath.SERVER, Tools.java(TcpService.class, "serve", Integer.toString(PORT)));
        Output.await(server, "ready");
        TcpPath.Entry entry = path.open(network, work.path(), PORT);
        Process client =
            network.start(
                TcpPath.CLIENT,
                Tools.java(
                    TcpService.class,
                    "measure",
                    entry.host(),
                    Integer.toString(entry.port()),
                    Integer.toString(run.blocks(seconds))));
        String[] delays = Output.await(client, "delay ").split(" ", -1);
        Output.await(client, "begin");
        LinkCounts before = network.counters().up().getFirst();
        Transfer transfer = Output.result(Output.await(client, "result "));
        LinkCounts sent = network.counters().up().getFirst().minus(before);
        double meanBytes = (double) sent.forwardedBytes() / Math.max(1, sent.forwarded());
        table.row(
            Cell.of(100 * loss),
            Cell.of(path.name()),
            Cell.of(transfer.megabitsPerSecond()),
            Cell.of(sent.arrived() * meanBytes / transfer.bytes()),
            Cell.of(Double.parseDouble(delays[1])),
            Cell.of(Double.parseDouble(delays[2])));
      } catch (IOException e) {
        if (network.isClosed()) {
          throw new CancellationException("stopped");
        }
        table.note("Failed: %s: %s".formatted(path.name(), e.getMessage()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    }
  }
}
