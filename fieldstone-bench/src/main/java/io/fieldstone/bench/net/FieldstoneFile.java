package io.fieldstone.bench.net;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.net.fetch.Fetch;
import io.fieldstone.net.fetch.FetchFailedException;
import io.fieldstone.net.fetch.FetchListener;
import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.fetch.FetchSettings;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Fieldstone's server or client, as a process.
 *
 * <p>{@code serve PORT STATE CUBIC FILE…} prints {@code ready}. {@code fetch WARM-UP NAME OUTPUT
 * STATE CUBIC SECONDS HOST:PORT…} fetches two files, and of the second prints {@code result BYTES
 * SECONDS NEEDED RECEIVED}: the bytes verified, the time, and the numbers of blocks.
 */
final class FieldstoneFile {

  private static final int THREADS = 2;

  private FieldstoneFile() {}

  /** Runs one side; see the class. */
  public static void main(String[] args)
      throws IOException, InterruptedException, FetchFailedException {
    try (Engine engine = Engine.open("cpu")) {
      engine.warmUp(Gf256.DEFAULT);
      switch (args[0]) {
        case "serve" -> serve(engine, args);
        case "fetch" -> fetch(engine, args);
        default -> throw new IllegalArgumentException(args[0]);
      }
    }
    System.exit(0); // a transfer that was cut short may leave threads
  }

  private static void serve(Engine engine, String[] args) throws IOException, InterruptedException {
    ServerSettings settings =
        ServerSettings.of(Arrays.stream(args).skip(4).map(Path::of).toList(), Path.of(args[2]))
            .withListen(new InetSocketAddress("0.0.0.0", Integer.parseInt(args[1])))
            .withPacing(Long.MAX_VALUE, Boolean.parseBoolean(args[3]));
    try (Server server = Server.start(engine, settings, ProgressListener.NONE)) {
      System.out.println("ready");
      server.awaitEnd();
    }
  }

  private static void fetch(Engine engine, String[] args)
      throws IOException, InterruptedException, FetchFailedException {
    List<InetSocketAddress> servers =
        Arrays.stream(args).skip(7).map(FieldstoneFile::address).toList();
    Path output = Path.of(args[3]);
    boolean cubic = Boolean.parseBoolean(args[5]);
    FetchSettings warmUp =
        FetchSettings.of(args[1], servers, Path.of(args[4])).withPacing(Long.MAX_VALUE, cubic);
    long limitNanos = Math.round(Double.parseDouble(args[6]) * 1e9);
    Thread warmUpWatch = watch(limitNanos, new AtomicLong());
    new Fetch(engine, warmUp, THREADS, FetchListener.NONE).toFile(output);
    warmUpWatch.interrupt();
    FetchSettings settings =
        FetchSettings.of(args[2], servers, Path.of(args[4])).withPacing(Long.MAX_VALUE, cubic);
    AtomicLong verified = new AtomicLong();
    FetchListener listener = (done, _, _) -> verified.set(done);
    long start = System.nanoTime();
    Thread watch = watch(limitNanos, verified);
    FetchResult result = new Fetch(engine, settings, THREADS, listener).toFile(output);
    long nanos = System.nanoTime() - start;
    watch.interrupt();
    print(result.manifest().length(), nanos, result.blocksNeeded(), result.blocksReceived());
  }

  /** Starts a thread that ends the process with what there is, unless it is interrupted before. */
  private static Thread watch(long limitNanos, AtomicLong verified) {
    long start = System.nanoTime();
    return Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            Thread.sleep(limitNanos / 1_000_000);
            print(verified.get(), System.nanoTime() - start, 0, 0);
            Runtime.getRuntime().halt(0);
          } catch (InterruptedException complete) {
            Thread.currentThread().interrupt();
          }
        });
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
