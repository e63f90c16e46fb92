package io.fieldstone.bench.live;

import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.measure.WorkFolder;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.impairment.Direction;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.LinkCounts;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.net.live.ClientSettings;
import io.fieldstone.net.live.ReceiverStatistics;
import io.fieldstone.net.live.StreamReceiver;
import io.fieldstone.net.live.StreamRelay;
import io.fieldstone.net.live.StreamServer;
import io.fieldstone.net.live.StreamSettings;
import io.fieldstone.net.trust.Fingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Many receivers of one stream over QUIC on loopback, each behind a lossy link of its own, with and
 * without a relay.
 *
 * @param engine codes, for all ends
 * @param receivers the numbers of receivers
 * @param seconds the length of each stream
 */
record ReceiversSection(Engine engine, List<Integer> receivers, int seconds) implements Section {

  private static final double LOSS = 0.05;
  private static final Duration DEADLINE = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** The seconds in which the policy learns the paths, and the JVM compiles. */
  private static final int WARM_UP = 10;

  private static final double PER_MILLION = 1e6;
  private static final int PACKETS_PER_SECOND = (int) (1_000_000_000L / LiveStream.INTERVAL_NANOS);

  private static final long POLL_NANOS = 10_000_000;

  /** A port that the system chooses. */
  private static final InetSocketAddress ANY = InetSocketAddress.createUnresolved("127.0.0.1", 0);

  @Override
  public int steps() {
    return 2 * receivers.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "receivers",
            "One stream to many receivers, each with 5 % loss each way",
            "receivers",
            "behind",
            "left, of 10^6",
            "left at the worst",
            "bytes sent / payload",
            "50 %, ms",
            "99 %, ms, worst",
            "cores, all ends and links");
    for (int count : receivers) {
      for (boolean isRelayed : List.of(false, true)) {
        String behind = isRelayed ? "relay" : "server";
        run.beginStep("%d receivers of a %s".formatted(count, behind));
        try (WorkFolder folder = WorkFolder.temporaryIn(run.options().folder());
            Stream stream = new Stream(folder.path(), count, isRelayed)) {
          stream.send(run.blocks(WARM_UP));
          stream.begin();
          stream.send(run.blocks(seconds));
          stream.add(table, behind);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return List.of(
        table
            .note(
                "%d s of 5 Mbit/s, deadline %d ms, a round trip of %d ms on each path. The first %d s are not counted."
                    .formatted(
                        run.blocks(seconds),
                        DEADLINE.toMillis(),
                        LiveStream.ROUND_TRIP_NANOS / 1_000_000,
                        run.blocks(WARM_UP)))
            .note(
                "Bytes sent are those of all IP packets to the receivers. Cores are the processor"
                    + " time of the process, which runs the server, the relay, all receivers and"
                    + " all links, by time.")
            .build());
  }

  /** A server, perhaps a relay, and receivers behind links. */
  private final class Stream implements AutoCloseable {
    private final Closer closer = new Closer();
    private final StreamServer server;
    private final List<StreamReceiver> ends = new ArrayList<>();
    private final List<ImpairedLink> links = new ArrayList<>();
    private final MemorySegment packet = MemorySegment.ofArray(new byte[LiveStream.PACKET_BYTES]);
    private List<ReceiverStatistics> before = List.of();
    private long packets;
    private long packetsBefore;
    private List<LinkCounts> countsBefore = List.of();
    private long cpuBefore;
    private long startNanos;

    Stream(Path folder, int count, boolean isRelayed) throws IOException {
      try {
        EndpointSettings listen = EndpointSettings.of(folder.resolve("server")).withListen(ANY);
        server = closer.register(StreamServer.start(engine, StreamSettings.of(listen, DEADLINE)));
        if (isRelayed) {
          ImpairedLink link = closer.register(open(server.address(), -1));
          ClientSettings upstream = client(folder, link, server.fingerprint());
          EndpointSettings endpoint = EndpointSettings.of(folder.resolve("relay")).withListen(ANY);
          StreamRelay relay = closer.register(StreamRelay.start(engine, upstream, endpoint));
          await(() -> server.statistics().receivers() == 1);
          connect(folder, count, relay.address(), relay.fingerprint());
          await(() -> relay.statistics().receivers() == count);
        } else {
          connect(folder, count, server.address(), server.fingerprint());
          await(() -> server.statistics().receivers() == count);
        }
      } catch (IOException | RuntimeException e) {
        closer.close();
        throw e;
      }
    }

    private void connect(Path folder, int count, InetSocketAddress from, Fingerprint fingerprint)
        throws IOException {
      for (int i = 0; i < count; i++) {
        ImpairedLink link = closer.register(open(from, i));
        links.add(link);
        ends.add(
            closer.register(
                StreamReceiver.start(
                    engine,
                    client(folder, link, fingerprint),
                    Optional.empty(),
                    Optional.empty(),
                    _ -> {})));
      }
    }

    private static ImpairedLink open(InetSocketAddress from, int number) throws IOException {
      Impairment path =
          Impairment.NONE.withDelay(LiveStream.ROUND_TRIP_NANOS / 2, 0).withLoss(Loss.random(LOSS));
      return ImpairedLink.open(from, path, path, number);
    }

    private static ClientSettings client(Path folder, ImpairedLink link, Fingerprint fingerprint) {
      return ClientSettings.of(link.address(), folder.resolve("client"))
          .withTrusted(List.of(fingerprint));
    }

    /** Sends for some seconds at the rate of the stream. */
    void send(int seconds) {
      long start = System.nanoTime();
      long count = (long) seconds * PACKETS_PER_SECOND;
      for (long i = 0; i < count; i++) {
        long wait = start + i * LiveStream.INTERVAL_NANOS - System.nanoTime();
        if (wait > 0) {
          LockSupport.parkNanos(wait);
        }
        server.send(packet);
        packets++;
      }
    }

    /** Begins to count. */
    void begin() {
      before = ends.stream().map(StreamReceiver::statistics).toList();
      packetsBefore = packets;
      countsBefore = counts();
      cpuBefore = cpuNanos();
      startNanos = System.nanoTime();
    }

    private List<LinkCounts> counts() {
      return links.stream().map(ImpairedLink::down).toList();
    }

    /** Returns the bytes of all IP packets to the receivers since the beginning, also lost ones. */
    private double sentBytes() {
      List<LinkCounts> after = counts();
      double bytes = 0;
      for (int i = 0; i < after.size(); i++) {
        LinkCounts one = after.get(i).minus(countsBefore.get(i));
        double mean = (double) one.forwardedBytes() / Math.max(one.forwarded(), 1);
        bytes += one.arrived() * (mean + Direction.UDP_HEADER_BYTES);
      }
      return bytes;
    }

    /** Adds what was counted to the table. */
    void add(Table.Builder table, String behind) {
      double cores = (double) (cpuNanos() - cpuBefore) / (System.nanoTime() - startNanos);
      double bytes = sentBytes();
      List<ReceiverStatistics> after = ends.stream().map(StreamReceiver::statistics).toList();
      long left = 0;
      double worst = 0;
      for (int i = 0; i < after.size(); i++) {
        long one = after.get(i).residual() - before.get(i).residual();
        left += one;
        worst = Math.max(worst, (double) one);
      }
      double sent = (double) (packets - packetsBefore);
      int count = ends.size();
      table.row(
          Cell.of(count),
          Cell.of(behind),
          Cell.of(Math.rint(PER_MILLION * left / (sent * count))),
          Cell.of(Math.rint(PER_MILLION * worst / sent)),
          Cell.of(bytes / (sent * count * LiveStream.PACKET_BYTES)),
          Cell.of(median(after)),
          Cell.of(
              after.stream().mapToDouble(ReceiverStatistics::delayMillis99).max().orElseThrow()),
          Cell.of(cores));
    }

    private static double median(List<ReceiverStatistics> all) {
      double[] delays = all.stream().mapToDouble(ReceiverStatistics::delayMillis50).toArray();
      Arrays.sort(delays);
      return delays[delays.length / 2];
    }

    @Override
    public void close() {
      closer.close();
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "the receivers did not connect within %d s".formatted(PATIENCE.toSeconds()));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static long cpuNanos() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }
}
