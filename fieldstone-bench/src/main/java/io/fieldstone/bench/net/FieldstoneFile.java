package io.fieldstone.bench.net;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.endpoint.OfferOptions;
import io.fieldstone.net.fetch.Fetch;
import io.fieldstone.net.fetch.FetchFailedException;
import io.fieldstone.net.fetch.FetchListener;
import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.fetch.FetchSettings;
import io.fieldstone.net.relay.Relay;
import io.fieldstone.net.relay.RelaySettings;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.stream.ProgressListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Fieldstone's server, relay or client, as a process.
 *
 * <p>{@code serve PORT STATE CUBIC PACKET_BYTES FILE…} and {@code relay PORT STATE IMMEDIATE
 * HOST:PORT…} print {@code ready}. {@code fetch WARM-UP NAME OUTPUT STATE CUBIC SECONDS HOST:PORT…}
 * fetches two files, the first one in rounds ({@link WarmUpRounds}). It prints {@code begin} before
 * the second, and then {@code result BYTES SECONDS NEEDED RECEIVED}: the bytes verified, the time,
 * and the numbers of blocks. PACKET_BYTES is the UDP payload of a packet with a block.
 */
public final class FieldstoneFile {

  private static final int THREADS = 2;

  /** The bytes of a packet beside its block. */
  static final int HEADER_BYTES = 46;

  private FieldstoneFile() {}

  /** Runs one side; see the class. */
  public static void main(String[] args)
      throws IOException, InterruptedException, FetchFailedException {
    try (Engine engine = Engine.open("cpu")) {
      engine.warmUp(Gf256.DEFAULT);
      switch (args[0]) {
        case "serve" -> serve(engine, args);
        case "relay" -> relay(engine, args);
        case "fetch" -> fetch(engine, args);
        default -> throw new IllegalArgumentException(args[0]);
      }
    }
  }

  private static void serve(Engine engine, String[] args) throws IOException, InterruptedException {
    int blockSize = Integer.parseInt(args[4]) - HEADER_BYTES;
    ServerSettings settings =
        ServerSettings.of(
                Arrays.stream(args).skip(5).map(Path::of).toList(),
                EndpointSettings.of(Path.of(args[2]))
                    .withListen(anyAddress(args[1]))
                    .withPacing(Long.MAX_VALUE, Boolean.parseBoolean(args[3])))
            .withOffers(OfferOptions.of(ServerSettings.DEFAULT_SHAPE.withBlockSize(blockSize)));
    try (Server server = Server.start(engine, settings, ProgressListener.NONE)) {
      WarmUpRounds.answer();
      System.out.println("ready");
      server.awaitEnd();
    }
  }

  private static void relay(Engine engine, String[] args) throws IOException, InterruptedException {
    RelaySettings settings =
        RelaySettings.of(
                Arrays.stream(args).skip(4).map(FieldstoneFile::address).toList(),
                EndpointSettings.of(Path.of(args[2]))
                    .withListen(anyAddress(args[1]))
                    .withThreads(THREADS))
            .withImmediate(Boolean.parseBoolean(args[3]));
    try (Relay relay = Relay.start(engine, settings)) {
      WarmUpRounds.answer();
      System.out.println("ready");
      relay.awaitEnd();
    }
  }

  private static InetSocketAddress anyAddress(String port) {
    return new InetSocketAddress("0.0.0.0", Integer.parseInt(port));
  }

  private static void fetch(Engine engine, String[] args)
      throws IOException, InterruptedException, FetchFailedException {
    List<InetSocketAddress> servers =
        Arrays.stream(args).skip(7).map(FieldstoneFile::address).toList();
    Path output = Path.of(args[3]);
    boolean isCubic = Boolean.parseBoolean(args[5]);
    long limitMillis = Math.round(Double.parseDouble(args[6]) * 1000);
    AtomicLong verified = new AtomicLong();
    BufferedReader input = WarmUpRounds.input();
    Function<String, FetchSettings> settings =
        name ->
            FetchSettings.of(name, servers, Path.of(args[4])).withPacing(Long.MAX_VALUE, isCubic);
    long start = System.nanoTime();
    try {
      do {
        Fetch fetch = new Fetch(engine, settings.apply(args[1]), THREADS, FetchListener.NONE);
        withinTime(limitMillis, fetch, output);
      } while (WarmUpRounds.isAgainWanted(input));
      System.out.println("begin");
      start = System.nanoTime();
      Fetch fetch =
          new Fetch(engine, settings.apply(args[2]), THREADS, (done, _, _) -> verified.set(done));
      FetchResult result = withinTime(limitMillis, fetch, output);
      print(
          result.manifest().length(),
          System.nanoTime() - start,
          result.blocksNeeded(),
          result.blocksReceived());
    } catch (InterruptedException timeIsOver) {
      print(verified.get(), System.nanoTime() - start, 0, 0);
    }
  }

  /** Fetches a file; interrupts this thread, and so ends the fetch, if that takes too long. */
  private static FetchResult withinTime(long limitMillis, Fetch fetch, Path output)
      throws IOException, InterruptedException, FetchFailedException {
    Thread fetching = Thread.currentThread();
    Thread clock =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                Thread.sleep(limitMillis);
                fetching.interrupt();
              } catch (InterruptedException complete) {
                Thread.currentThread().interrupt();
              }
            });
    try {
      return fetch.toFile(output);
    } finally {
      clock.interrupt();
      clock.join(); // so that it does not interrupt the next fetch
    }
  }

  private static void print(long bytes, long nanos, long needed, long received) {
    System.out.println(
        String.format(Locale.ROOT, "result %d %.6f %d %d", bytes, nanos / 1e9, needed, received));
  }

  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    return InetSocketAddress.createUnresolved(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }
}
