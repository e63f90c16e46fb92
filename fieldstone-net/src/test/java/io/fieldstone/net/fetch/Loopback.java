package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.relay.Relay;
import io.fieldstone.net.relay.RelaySettings;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Servers and fetches of a test, on loopback. */
public final class Loopback implements AutoCloseable {

  public static final long SECOND = 1_000_000_000L;

  /** Transport whose timeouts no test meets, on whatever machine. */
  public static final QuicOptions PATIENT =
      QuicOptions.DEFAULT.withTimeouts(Duration.ofMinutes(5), Duration.ofMinutes(2));

  private static final int PORTS_OF_A_PROCESS = 200;

  /** Held as long as this process lives: the ports after its own are for no other process. */
  private static final DatagramSocket RESERVATION = reserve();

  private static final AtomicInteger NEXT_PORT = new AtomicInteger();

  private static DatagramSocket reserve() {
    for (int port = 20_000; port < 32_000; port += PORTS_OF_A_PROCESS) {
      try {
        return new DatagramSocket(loopback(port));
      } catch (SocketException e) {
        // of another process
      }
    }
    throw new IllegalStateException("no ports are free");
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  public final Path folder;
  public final Engine engine = Engine.open("cpu");
  private final List<Server> servers = new ArrayList<>();
  private final List<Relay> relays = new ArrayList<>();

  public Loopback(Path folder) {
    this.folder = folder;
  }

  /** Writes random bytes that depend on the length only. */
  public Path write(String name, int length) throws IOException {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, bytes);
  }

  /** Waits until a condition holds, for a minute at most. */
  public static void await(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("nanoseconds waited").isLessThan(60 * SECOND);
      LockSupport.parkNanos(1_000_000); // leaves the processor to the peers
    }
  }

  /**
   * Returns an address with a free port that no socket gets by chance, so that a server which ends
   * finds it free when it starts again. Ephemeral ports begin at 32,768.
   */
  public static InetSocketAddress ownAddress() {
    while (true) {
      InetSocketAddress address =
          loopback(
              RESERVATION.getLocalPort()
                  + 1
                  + NEXT_PORT.getAndIncrement() % (PORTS_OF_A_PROCESS - 1));
      try (DatagramSocket _ = new DatagramSocket(address)) {
        return at(address.getPort());
      } catch (SocketException e) {
        // another process has it
      }
    }
  }

  /** Returns the settings of an endpoint with a state and a port of its own. */
  public EndpointSettings endpoint(String state) {
    return EndpointSettings.of(folder.resolve(state)).withListen(ownAddress()).withThreads(2);
  }

  /** Starts a server with a state of its own. */
  public Server serve(String state, Path... paths) throws Exception {
    return serve(state, settings -> settings, paths);
  }

  public Server serve(String state, UnaryOperator<ServerSettings> change, Path... paths)
      throws Exception {
    ServerSettings settings =
        ServerSettings.of(List.of(paths), endpoint(state))
            .withRescanNanos(SECOND / 20)
            .withMaxAwayNanos(SECOND / 10);
    Server server = Server.start(engine, change.apply(settings), ProgressListener.NONE);
    servers.add(server);
    return server;
  }

  /** Starts a relay with a state of its own. */
  public Relay relay(String state, InetSocketAddress... from) throws Exception {
    return relay(state, settings -> settings, from);
  }

  public Relay relay(String state, UnaryOperator<RelaySettings> change, InetSocketAddress... from)
      throws Exception {
    RelaySettings settings = RelaySettings.of(List.of(from), endpoint(state));
    Relay relay = Relay.start(engine, change.apply(settings));
    relays.add(relay);
    return relay;
  }

  /** Returns the settings of a client whose state is in {@code client}. */
  public FetchSettings settings(String query, Server... from) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (Server server : from) {
      addresses.add(at(server.address().getPort()));
    }
    return settings(query, addresses);
  }

  public FetchSettings settings(String query, List<InetSocketAddress> addresses) {
    return FetchSettings.of(query, addresses, folder.resolve("client"))
        .withPatience(5 * SECOND, 60 * SECOND);
  }

  public static InetSocketAddress at(int port) {
    return InetSocketAddress.createUnresolved(
        InetAddress.getLoopbackAddress().getHostAddress(), port);
  }

  public static InetSocketAddress at(Server server) {
    return at(server.address().getPort());
  }

  public static InetSocketAddress at(Relay relay) {
    return at(relay.address().getPort());
  }

  public Fetch fetch(FetchSettings settings, FetchListener listener) {
    return new Fetch(engine, settings, 2, listener);
  }

  /** Fetches to {@code out/NAME}, and compares with a file. */
  public FetchResult fetched(FetchSettings settings, Path original) throws Exception {
    Path output = output(original);
    FetchResult result = fetch(settings, FetchListener.NONE).toFile(output);
    assertThat(output).hasSameBinaryContentAs(original);
    assertThat(PartFile.partOf(output)).doesNotExist();
    return result;
  }

  /**
   * Fetches as {@link #fetched} does, again if a source gave nothing: on a busy host the others may
   * have sent everything before it has sent its first block. Five times at most.
   */
  public FetchResult fetchedFromAll(FetchSettings settings, Path original) throws Exception {
    FetchResult result = fetched(settings, original);
    for (int i = 1; i < 5 && result.sources().stream().anyMatch(each -> each.blocks() == 0); i++) {
      result = fetched(settings, original);
    }
    return result;
  }

  public Path output(Path original) throws IOException {
    return Files.createDirectories(folder.resolve("out")).resolve(original.getFileName());
  }

  @Override
  public void close() {
    relays.forEach(Relay::close);
    servers.forEach(Server::close);
    engine.close();
  }
}
