package io.fieldstone.bench.net;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.fetch.Fetch;
import io.fieldstone.net.fetch.FetchFailedException;
import io.fieldstone.net.fetch.FetchListener;
import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.fetch.FetchSettings;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.PollutingServer;
import io.fieldstone.net.relay.Relay;
import io.fieldstone.net.relay.RelaySettings;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Servers, relays and receivers in this process, with a link of its own for each connection. For
 * one thread.
 */
final class Mesh implements AutoCloseable {

  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private final Engine engine = Engine.open("cpu");
  private final Path work;
  private final List<Path> files;
  private final Impairment down;
  private final Impairment up;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private long links;
  private int receivers;

  /**
   * Creates a mesh without peers.
   *
   * @param work an empty folder
   * @param files the files that servers offer
   * @param down the impairment of the packets of a sender, on each link
   * @param up the impairment of the other direction
   */
  Mesh(Path work, List<Path> files, Impairment down, Impairment up) {
    this.work = work;
    this.files = List.copyOf(files);
    this.down = down;
    this.up = up;
    engine.warmUp(Gf256.DEFAULT);
    opened.push(engine);
  }

  /** Starts a server of all files. */
  InetSocketAddress server() throws IOException, InterruptedException {
    Server server = Server.start(engine, serving("server"), ProgressListener.NONE);
    opened.push(server);
    return server.address();
  }

  /** Starts a peer that sends wrong blocks of all files. */
  InetSocketAddress polluter() throws IOException, InterruptedException {
    PollutingServer polluter =
        PollutingServer.start(engine, serving("polluter" + opened.size()), 0);
    opened.push(polluter);
    return polluter.address();
  }

  private ServerSettings serving(String state) {
    return ServerSettings.of(files, endpoint(state));
  }

  private EndpointSettings endpoint(String state) {
    return EndpointSettings.of(work.resolve(state)).withListen(anyPort()).withThreads(1);
  }

  /** Starts a relay that reaches each of some senders over a new link. */
  InetSocketAddress relay(boolean isImmediate, List<InetSocketAddress> senders)
      throws IOException, InterruptedException {
    List<InetSocketAddress> from = new ArrayList<>();
    for (InetSocketAddress sender : senders) {
      from.add(link(sender));
    }
    Relay relay =
        Relay.start(
            engine,
            RelaySettings.of(from, endpoint("relay" + opened.size())).withImmediate(isImmediate));
    opened.push(relay);
    return relay.address();
  }

  /** Puts a link before a sender, and returns its address. */
  InetSocketAddress link(InetSocketAddress sender) throws IOException {
    ImpairedLink link = ImpairedLink.open(sender, up, down, ++links);
    opened.push(link);
    return link.address();
  }

  private static InetSocketAddress anyPort() {
    return InetSocketAddress.createUnresolved("127.0.0.1", 0);
  }

  /**
   * Fetches a file to several receivers at once.
   *
   * @param file one of the files
   * @param sources for each receiver the links that it draws from
   * @return the results in the order of the receivers; each file is compared with the original
   * @throws IOException if a receiver does not get the file, or gets a wrong one
   */
  List<FetchResult> fetch(Path file, List<List<InetSocketAddress>> sources)
      throws IOException, InterruptedException {
    List<FetchResult> results = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
      List<Future<FetchResult>> pending = new ArrayList<>();
      for (List<InetSocketAddress> from : sources) {
        Path state = Files.createDirectory(work.resolve("receiver" + receivers++));
        pending.add(threads.submit(() -> fetch(file, from, state)));
      }
      for (Future<FetchResult> each : pending) {
        results.add(each.get());
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
    return results;
  }

  private FetchResult fetch(Path file, List<InetSocketAddress> from, Path state)
      throws IOException, InterruptedException, FetchFailedException {
    FetchSettings settings =
        FetchSettings.of(file.getFileName().toString(), from, state)
            .withPatience(PATIENCE_NANOS, PATIENCE_NANOS);
    Path output = state.resolve("output");
    FetchResult result = new Fetch(engine, settings, 1, FetchListener.NONE).toFile(output);
    if (Files.mismatch(file, output) != -1) {
      throw new IOException("a receiver has a wrong file");
    }
    return result;
  }

  /** Closes all peers and links. */
  @Override
  public void close() throws IOException {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        throw new IOException("cannot close the network", e);
      }
    }
  }
}
