package io.fieldstone.bench.net;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.fetch.Fetch;
import io.fieldstone.net.fetch.FetchFailedException;
import io.fieldstone.net.fetch.FetchListener;
import io.fieldstone.net.fetch.FetchSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Many clients of one server, as a process: {@code NAME STATE HOST PORT RECEIVERS
 * BYTES_PER_SECOND}. Each fetches, decodes and verifies the file in order, at a rate, as a player
 * would. It prints {@code crowd COMPLETE STALLED SECONDS}: the number of receivers that got the
 * whole file, the number whose player would have stopped, and the time.
 */
public final class FieldstoneCrowd {

  /** The playing time in the buffer of a player when it begins. */
  private static final double BUFFER_SECONDS = 4;

  /** The rate that is asked for, as a share of the rate of playing. */
  private static final double HEADROOM = 1.1;

  /** The processors for which there is one loop and one thread that decodes. */
  private static final int PROCESSORS_PER_CARRIER = 4;

  /** The time within which all receivers start. */
  private static final long ARRIVAL_NANOS = 5_000_000_000L;

  /** The longest time between two receivers. */
  private static final long MAX_GAP_NANOS = 50_000_000;

  /** Three generations. */
  private static final long WINDOW_BYTES = 1 << 18;

  private static final long PATIENCE_NANOS = 30_000_000_000L;

  /** The receivers before those that are measured, during which code is compiled. */
  private static final int WARM_UP_RECEIVERS = 100;

  private static final long WARM_UP_SPEED = 10;

  private final Engine engine;
  private final List<Services> services;

  private FieldstoneCrowd(Engine engine, List<Services> services) {
    this.engine = engine;
    this.services = services;
  }

  /** A carrier and a thread for decoding, which several receivers use. */
  private record Services(Carrier carrier, ExecutorService worker) implements AutoCloseable {
    static Services open() {
      return new Services(
          QuicCarrier.openClient(QuicOptions.DEFAULT), Executors.newSingleThreadExecutor());
    }

    @Override
    public void close() {
      carrier.close();
      worker.close();
    }
  }

  /** Runs the clients; see the class. */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    InetSocketAddress server =
        InetSocketAddress.createUnresolved(args[2], Integer.parseInt(args[3]));
    int receivers = Integer.parseInt(args[4]);
    long bytesPerSecond = Long.parseLong(args[5]);
    FetchSettings settings =
        FetchSettings.of(args[0], List.of(server), Files.createDirectories(Path.of(args[1])))
            .withWindowBytes(WINDOW_BYTES)
            .withPatience(PATIENCE_NANOS, PATIENCE_NANOS);
    int carriers = Math.max(1, Runtime.getRuntime().availableProcessors() / PROCESSORS_PER_CARRIER);
    List<Services> services = Stream.generate(Services::open).limit(carriers).toList();
    try (Engine engine = Engine.open("cpu")) {
      engine.warmUp(Gf256.DEFAULT);
      FieldstoneCrowd crowd = new FieldstoneCrowd(engine, services);
      // The first client pins the server's fingerprint for the others.
      crowd.play(settings, services.getFirst(), new Player(bytesPerSecond));
      crowd.playAll(
          settings, Math.min(receivers, WARM_UP_RECEIVERS), WARM_UP_SPEED * bytesPerSecond);
      System.out.println("ready");
      long start = System.nanoTime();
      Outcome outcome = crowd.playAll(settings, receivers, bytesPerSecond);
      System.out.printf(
          Locale.ROOT,
          "crowd %d %d %.3f%n",
          outcome.complete(),
          outcome.stalled(),
          (System.nanoTime() - start) / 1e9);
    } finally {
      services.forEach(Services::close);
    }
  }

  private record Outcome(int complete, int stalled) {}

  /** Runs receivers that start one after another. */
  private Outcome playAll(FetchSettings settings, int receivers, long bytesPerSecond)
      throws InterruptedException, ExecutionException {
    FetchSettings paced = settings.withPacing(Math.round(bytesPerSecond * HEADROOM), false);
    List<Player> players = new ArrayList<>();
    List<Future<Boolean>> ends = new ArrayList<>();
    int complete = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < receivers; i++) {
        LockSupport.parkNanos(Math.min(MAX_GAP_NANOS, ARRIVAL_NANOS / receivers));
        Player player = new Player(bytesPerSecond);
        players.add(player);
        Services used = services.get(i % services.size());
        ends.add(threads.submit(() -> play(paced, used, player)));
      }
      for (Future<Boolean> end : ends) {
        complete += end.get() ? 1 : 0;
      }
    }
    return new Outcome(
        complete, (int) players.stream().filter(player -> player.hasStalled).count());
  }

  private boolean play(FetchSettings settings, Services used, Player player)
      throws IOException, InterruptedException {
    try {
      new Fetch(engine, settings, 1, FetchListener.NONE, used.carrier(), used.worker())
          .toStream(player, "player");
      return true;
    } catch (FetchFailedException e) {
      System.out.println("failed: " + e.getMessage());
      return false;
    }
  }

  /** Notes whether bytes came too late for a player that began a buffer after the first byte. */
  private static final class Player extends OutputStream {
    private final long bytesPerSecond;
    private long firstNanos;
    private long bytes;
    private boolean hasStalled;

    Player(long bytesPerSecond) {
      this.bytesPerSecond = bytesPerSecond;
    }

    @Override
    public void write(int value) {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] content, int offset, int length) {
      long now = System.nanoTime();
      if (bytes == 0) {
        firstNanos = now;
      }
      double played = ((now - firstNanos) / 1e9 - BUFFER_SECONDS) * bytesPerSecond;
      hasStalled |= bytes < played;
      bytes += length;
    }
  }
}
