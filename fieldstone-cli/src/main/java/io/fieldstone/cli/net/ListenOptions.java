package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Session;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.endpoint.Endpoint;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.trust.Fingerprint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of commands that run an {@link Endpoint}, and how they run it. */
final class ListenOptions {

  private static final long MIN_BYTES = 1 << 20;
  private static final long MAX_BYTES = 1L << 50;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "0.0.0.0:4433",
      converter = Converters.PeerAddress.class,
      description = "Address to listen on; port 0 chooses one (default: ${DEFAULT-VALUE}).")
  private InetSocketAddress listen = InetSocketAddress.createUnresolved("0.0.0.0", 4433);

  @Mixin private PagesOption pages = new PagesOption();

  /** Starts an endpoint. */
  interface Start {
    Endpoint on(Engine engine) throws IOException, InterruptedException;
  }

  /** Returns the settings of an endpoint with these options and others. */
  EndpointSettings settings(Session session, NetOptions net, long memory)
      throws IOException, Failure {
    return EndpointSettings.of(net.state())
        .withListen(listen)
        .withToken(net.token())
        .withMemoryBytes(memory)
        .withPacing(net.bytesPerSecond(), net.isCubic())
        .withThreads(session.threads())
        .withHttp(pages.address());
  }

  /** Checks that memory or disk space is in [1 MiB, 1 PiB]; otherwise throws a usage error. */
  static void requireSize(CommandSpec spec, String option, long bytes) {
    if (bytes < MIN_BYTES || bytes > MAX_BYTES) {
      throw Converters.usage(
          spec, "%s %d is not in %d…%d".formatted(option, bytes, MIN_BYTES, MAX_BYTES));
    }
  }

  /**
   * Starts an endpoint, prints a line when it is ready, and waits until the command is stopped.
   *
   * @param verb what it does with its files, for the line
   * @return the exit status
   */
  static int run(Session session, String verb, Start start) throws IOException, Failure {
    try (Engine engine = session.openEngine();
        Endpoint endpoint = start.on(engine);
        OutOfMemoryEnd _ = OutOfMemoryEnd.install()) {
      int files = endpoint.catalogue().size();
      printReady(
          session,
          "%s %d %s".formatted(verb, files, files == 1 ? "file" : "files"),
          Optional.empty(),
          endpoint.address(),
          endpoint.fingerprint(),
          endpoint.httpAddress(),
          endpoint.browserAddress());
      endpoint.awaitEnd();
      return ExitCode.OK;
    } catch (InterruptedException e) {
      // Stopped by a signal, which decides the exit status.
      return ExitCode.OK;
    }
  }

  /**
   * Prints the line of an endpoint without a page for browsers that is ready.
   *
   * @param what what it does
   */
  static void printReady(
      Session session,
      String what,
      InetSocketAddress listening,
      Fingerprint identity,
      Optional<InetSocketAddress> status)
      throws Failure {
    Ready line = Ready.of(listening, identity, status);
    print(session, line, "%s on %s%s".formatted(what, line.listen, line.dashboard()), line);
  }

  /**
   * Prints the line of an endpoint that is ready.
   *
   * @param what what it does
   * @param source where its packets come from, for {@code --json}; empty if it has files
   * @param page the address of the page for browsers, if there is one
   */
  static void printReady(
      Session session,
      String what,
      Optional<String> source,
      InetSocketAddress listening,
      Fingerprint identity,
      Optional<InetSocketAddress> status,
      Optional<InetSocketAddress> page)
      throws Failure {
    Ready line = Ready.of(listening, identity, status);
    Optional<String> browsers = page.map(KnownServers::name);
    String text =
        "%s on %s%s%s"
            .formatted(
                what,
                line.listen,
                line.dashboard(),
                browsers.map(", for browsers on http://%s"::formatted).orElse(""));
    Record json =
        source
            .<Record>map(
                each -> new ReadySource(each, line.listen, line.fingerprint, line.http, browsers))
            .orElseGet(
                () -> new ReadyForBrowsers(line.listen, line.fingerprint, line.http, browsers));
    print(session, line, text, json);
  }

  private static void print(Session session, Ready line, String text, Record json) throws Failure {
    session.json().ifPresent(output -> output.writeLine(json));
    if (!session.isJson()) {
      session.streams().out().printf("%s, fingerprint %s%n", text, line.fingerprint);
    }
    session.streams().out().flush();
    session.streams().requireWritten();
  }

  /** The line that {@code --json} prints. */
  private record Ready(String listen, String fingerprint, Optional<String> http) {
    static Ready of(
        InetSocketAddress listening, Fingerprint identity, Optional<InetSocketAddress> status) {
      return new Ready(
          KnownServers.name(listening), identity.toString(), status.map(KnownServers::name));
    }

    String dashboard() {
      return http.map(" and http://%s"::formatted).orElse("");
    }
  }

  /** The line of what browsers reach. */
  private record ReadyForBrowsers(
      String listen, String fingerprint, Optional<String> http, Optional<String> browsers) {}

  /** The line of what sends a stream, with where its packets come from. */
  private record ReadySource(
      String source,
      String listen,
      String fingerprint,
      Optional<String> http,
      Optional<String> browsers) {}
}
