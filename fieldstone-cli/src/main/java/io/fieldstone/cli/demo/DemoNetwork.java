package io.fieldstone.cli.demo;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.fetch.Fetch;
import io.fieldstone.net.fetch.FetchFailedException;
import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.fetch.FetchSettings;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.LinkCounts;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.net.impairment.PollutingServer;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.relay.Relay;
import io.fieldstone.net.relay.RelaySettings;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.file.Folders;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a server, relays and receivers as real endpoints on loopback. Each sender is behind a link
 * that loses packets in both directions, repeats some and lets some overtake others. The first
 * relay is killed, its link first, once half of the bytes have arrived.
 *
 * <p>Receivers hash what they get and keep nothing, and the caches of relays are bounded, so files
 * may be larger than the memory or the disk.
 */
public final class DemoNetwork implements AutoCloseable {

  /** The share of packets that links repeat. */
  public static final double DUPLICATED = 0.01;

  /** The share of packets that overtake others. */
  public static final double REORDERED = 0.05;

  private static final Impairment DEAD = Impairment.NONE.withLoss(Loss.random(1));
  private static final long DELAY_NANOS = 2_000_000;
  private static final long MEMORY_BYTES = 64L << 20;
  private static final long CACHE_BYTES = 256L << 20;
  private static final long WINDOW_BYTES = 16L << 20;
  private static final long POLL_MILLIS = 20;
  private static final long STALL_NANOS = 10_000_000_000L;
  private static final long PATIENCE_NANOS = 60_000_000_000L;
  private static final int READ_BYTES = 1 << 16;

  private final Engine engine;
  private final DemoSettings settings;
  private final Path folder;
  private final List<AutoCloseable> closing = new ArrayList<>();
  private final List<ImpairedLink> links = new ArrayList<>();
  private final List<InetSocketAddress> senders = new ArrayList<>();
  private final List<Relay> relays = new ArrayList<>();
  private final SplittableRandom seeds;
  private @Nullable Server server;
  private @Nullable PollutingServer evil;

  private DemoNetwork(Engine engine, DemoSettings settings, Path folder) {
    this.engine = engine;
    this.settings = settings;
    this.folder = folder;
    this.seeds = new SplittableRandom(settings.seed());
  }

  /**
   * Sends a file from the server to every receiver.
   *
   * @param engine encodes and decodes; is not closed
   * @param threads the threads of the server and of each relay, at least 1
   * @param progress receives the mean number of bytes that receivers have verified
   * @throws IOException if the file cannot be read, or an endpoint not be opened
   * @throws Failure if it is not a regular file
   * @throws FetchFailedException if a receiver cannot get the object
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static DemoReport run(
      Engine engine, DemoSettings settings, Path file, int threads, LongConsumer progress)
      throws IOException, Failure, FetchFailedException, InterruptedException {
    Path folder = Files.createTempDirectory("fieldstone-demo");
    try (DemoNetwork network = new DemoNetwork(engine, settings, folder)) {
      CatalogueEntry object = network.open(file, threads);
      return network.transfer(file, object, progress);
    } catch (IOException e) {
      // An interrupt closes the file that is being read or written.
      if (Thread.interrupted()) {
        throw (InterruptedException) new InterruptedException().initCause(e);
      }
      throw e;
    }
  }

  private EndpointSettings endpoint(String state, int threads) {
    return EndpointSettings.of(folder.resolve(state))
        .withListen(anyPort())
        .withMemoryBytes(MEMORY_BYTES)
        .withThreads(threads);
  }

  private CatalogueEntry open(Path file, int threads)
      throws IOException, Failure, InterruptedException {
    ServerSettings serving = ServerSettings.of(List.of(file), endpoint("server", threads));
    Server source = Server.start(engine, serving, ProgressListener.NONE);
    server = source;
    closing.add(source);
    if (source.catalogue().isEmpty()) {
      throw new Failure("not a regular file, or it changes all the time", file);
    }
    InetSocketAddress origin = link(source.address());
    for (int i = 0; i < settings.relays(); i++) {
      Relay relay =
          Relay.start(
              engine,
              RelaySettings.of(List.of(origin), endpoint("relay" + i, threads))
                  .withCacheBytes(CACHE_BYTES));
      relays.add(relay);
      closing.add(relay);
      InetSocketAddress _ = link(relay.address());
    }
    if (settings.isEvil()) {
      PollutingServer polluting =
          PollutingServer.start(
              engine, ServerSettings.of(List.of(file), endpoint("evil", threads)), 0);
      evil = polluting;
      closing.add(polluting);
      InetSocketAddress _ = link(polluting.address());
    }
    return source.catalogue().getFirst();
  }

  private static InetSocketAddress anyPort() {
    return InetSocketAddress.createUnresolved("127.0.0.1", 0);
  }

  /** Puts a link before a sender, and returns its address. */
  private InetSocketAddress link(InetSocketAddress sender) throws IOException {
    Impairment impairment =
        Impairment.NONE
            .withDelay(DELAY_NANOS, 0)
            .withLoss(Loss.random(settings.loss()))
            .withDisorder(REORDERED, DUPLICATED, 0);
    ImpairedLink link = ImpairedLink.open(sender, impairment, impairment, seeds.nextLong());
    links.add(link);
    closing.add(link);
    senders.add(link.address());
    return link.address();
  }

  private DemoReport transfer(Path file, CatalogueEntry object, LongConsumer progress)
      throws IOException, FetchFailedException, InterruptedException {
    String sha256 = sha256(file);
    List<AtomicLong> done = new ArrayList<>();
    List<Future<Received>> pending = new ArrayList<>();
    ExecutorService threads =
        Executors.newFixedThreadPool(
            settings.receivers(), Thread.ofPlatform().daemon().name("receiver-", 0).factory());
    long start = System.nanoTime();
    boolean isRelayKilled = false;
    try {
      for (int i = 0; i < settings.receivers(); i++) {
        AtomicLong bytes = new AtomicLong();
        done.add(bytes);
        Path state = folder.resolve("receiver" + i);
        pending.add(threads.submit(() -> receive(object, state, bytes)));
      }
      List<Received> received = new ArrayList<>();
      for (Future<Received> each : pending) {
        Optional<Received> end = Optional.empty();
        while (end.isEmpty()) {
          end = poll(each);
          long mean = done.stream().mapToLong(AtomicLong::get).sum() / settings.receivers();
          progress.accept(mean);
          if (!isRelayKilled && !relays.isEmpty() && 2 * mean > object.length()) {
            killRelay();
            isRelayKilled = true;
          }
        }
        received.add(end.get());
      }
      return report(object, sha256, received, isRelayKilled, System.nanoTime() - start);
    } finally {
      threads.shutdownNow();
      threads.close();
    }
  }

  /** Kills the first relay after its link, which is the second one, after that of the server. */
  private void killRelay() {
    links.get(1).impair(DEAD, DEAD);
    relays.getFirst().close();
  }

  private static Optional<Received> poll(Future<Received> pending)
      throws IOException, FetchFailedException, InterruptedException {
    try {
      return Optional.of(pending.get(POLL_MILLIS, TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof FetchFailedException failed) {
        throw failed;
      }
      throw new IOException(e.getCause());
    }
  }

  /** The result of a receiver and the SHA-256 of what it got. */
  private record Received(FetchResult result, String sha256) {}

  private Received receive(CatalogueEntry object, Path state, AtomicLong done)
      throws IOException, FetchFailedException, InterruptedException {
    FetchSettings fetching =
        FetchSettings.of(object.id().toString(), senders, state)
            .withWindowBytes(WINDOW_BYTES)
            .withPatience(STALL_NANOS, PATIENCE_NANOS);
    MessageDigest digest = Sha256.newDigest();
    try (OutputStream hashed = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      FetchResult result =
          new Fetch(engine, fetching, 1, (bytes, total, sources) -> done.set(bytes))
              .toStream(hashed, "a receiver");
      return new Received(result, HexFormat.of().formatHex(digest.digest()));
    }
  }

  private DemoReport report(
      CatalogueEntry object,
      String sha256,
      List<Received> received,
      boolean isRelayKilled,
      long nanos) {
    List<DemoReport.Receiver> receivers = new ArrayList<>();
    for (Received each : received) {
      FetchResult result = each.result;
      receivers.add(
          new DemoReport.Receiver(
              result.blocksReceived(),
              result.sources().stream().mapToLong(FetchResult.Source::blocks).sum(),
              result.overhead(),
              result.nanos(),
              each.sha256.equals(sha256)));
    }
    return new DemoReport(
        object.length(),
        received.getFirst().result.blocksNeeded(),
        sha256,
        receivers,
        counts(),
        server == null ? 0 : server.status().packetsSent(),
        isRelayKilled,
        Optional.ofNullable(evil).map(peer -> evil(peer.fingerprint(), received)),
        nanos);
  }

  private DemoReport.Evil evil(Fingerprint identity, List<Received> received) {
    String name = KnownServers.name(senders.getLast());
    int bannedBy = 0;
    int wronglyBanned = 0;
    String reason = "";
    for (Received each : received) {
      for (FetchResult.Source source : each.result.sources()) {
        if (source.isBanned() && source.server().equals(name)) {
          bannedBy++;
          reason = source.problem();
        } else if (source.isBanned()) {
          wronglyBanned++;
        }
      }
    }
    return new DemoReport.Evil(identity.toString(), bannedBy, wronglyBanned, reason);
  }

  private DemoReport.Links counts() {
    long packets = 0;
    long lost = 0;
    long duplicated = 0;
    long reordered = 0;
    for (ImpairedLink link : links) {
      LinkCounts down = link.down();
      packets += down.arrived();
      lost += down.lost();
      duplicated += down.duplicated();
      reordered += down.reordered();
    }
    return new DemoReport.Links(packets, lost, duplicated, reordered);
  }

  private static String sha256(Path file) throws IOException {
    MessageDigest digest = Sha256.newDigest();
    byte[] buffer = new byte[READ_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Closes all endpoints, and removes the folder of their states. */
  @Override
  public void close() throws IOException {
    IOException failure = new IOException("cannot close the network");
    for (AutoCloseable each : closing.reversed()) {
      try {
        each.close();
      } catch (Exception e) {
        failure.addSuppressed(e);
      }
    }
    Folders.delete(folder);
    if (failure.getSuppressed().length > 0) {
      throw failure;
    }
  }
}
