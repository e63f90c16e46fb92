package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** Servers and fetches of a test, on loopback. */
final class Loopback implements AutoCloseable {

  static final long SECOND = 1_000_000_000L;

  final Path folder;
  final Engine engine = Engine.open("cpu");
  private final List<Server> servers = new ArrayList<>();

  Loopback(Path folder) {
    this.folder = folder;
  }

  /** Writes random bytes that depend on the length only. */
  Path write(String name, int length) throws IOException {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, bytes);
  }

  /** Starts a server with a state of its own. */
  Server serve(String state, Path... paths) throws Exception {
    return serve(state, settings -> settings, paths);
  }

  Server serve(String state, UnaryOperator<ServerSettings> change, Path... paths) throws Exception {
    ServerSettings settings =
        ServerSettings.of(List.of(paths), folder.resolve(state))
            .withListen(InetSocketAddress.createUnresolved("127.0.0.1", 0))
            .withThreads(2)
            .withRescanNanos(SECOND / 20);
    Server server = Server.start(engine, change.apply(settings), ProgressListener.NONE);
    servers.add(server);
    return server;
  }

  /** Returns the settings of a client whose state is in {@code client}. */
  FetchSettings settings(String query, Server... from) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (Server server : from) {
      addresses.add(at(server.address().getPort()));
    }
    return settings(query, addresses);
  }

  FetchSettings settings(String query, List<InetSocketAddress> addresses) {
    return FetchSettings.of(query, addresses, folder.resolve("client"))
        .withPatience(5 * SECOND, 60 * SECOND);
  }

  static InetSocketAddress at(int port) {
    return InetSocketAddress.createUnresolved(
        InetAddress.getLoopbackAddress().getHostAddress(), port);
  }

  Fetch fetch(FetchSettings settings, FetchListener listener) {
    return new Fetch(engine, settings, 2, listener);
  }

  /** Fetches to {@code out/NAME}, and compares with a file. */
  FetchResult fetched(FetchSettings settings, Path original) throws Exception {
    Path output = output(original);
    FetchResult result = fetch(settings, FetchListener.NONE).toFile(output);
    assertThat(output).hasSameBinaryContentAs(original);
    assertThat(PartFile.partOf(output)).doesNotExist();
    return result;
  }

  Path output(Path original) throws IOException {
    return Files.createDirectories(folder.resolve("out")).resolve(original.getFileName());
  }

  @Override
  public void close() {
    servers.forEach(Server::close);
    engine.close();
  }
}
