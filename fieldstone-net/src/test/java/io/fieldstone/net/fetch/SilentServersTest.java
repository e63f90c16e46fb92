package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.net.server.ServerSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fetches of which some servers are killed without a word. The others deliver the rest before any
 * connection times out.
 */
class SilentServersTest {

  private static final int GENERATIONS = 8;
  private static final int GENERATION_BYTES = 64 * ServerSettings.DEFAULT_BLOCK_SIZE;
  private static final int SERVERS = 4;

  /** A connection survives seven changes of address. */
  private static final int MAX_CHANGES = 9;

  private static final Impairment DEAD = Impairment.NONE.withLoss(Loss.random(1));
  private static final Impairment SLOW =
      Impairment.NONE.withRate(4_000_000, 1 << 20).withDelay(2_000_000, 0);

  /** No connection times out during a test, on whatever machine. */
  private static final QuicOptions PATIENT =
      QuicOptions.DEFAULT.withTimeouts(Duration.ofMinutes(5), Duration.ofSeconds(5));

  /** No transfer of a test takes as long without progress, unless it waits for a silent server. */
  private static final long PATIENCE_NANOS = 50 * Loopback.SECOND;

  @TempDir Path folder;
  @AutoClose private Loopback net;

  @BeforeEach
  void open() {
    net = new Loopback(folder);
  }

  private CraftedServer serve(String state, Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    return new CraftedServer(
        folder.resolve(state),
        net.engine,
        ServerSettings.DEFAULT_SHAPE,
        content,
        Optional.empty(),
        id -> List.of(new CatalogueEntry("a.bin", content.length, id)),
        PATIENT);
  }

  private static ImpairedLink link(CraftedServer server, long seed) throws IOException {
    return ImpairedLink.open(
        new InetSocketAddress("127.0.0.1", server.address().getPort()), SLOW, SLOW, seed);
  }

  /**
   * Kills the last servers once some generations are verified and all servers take part.
   *
   * @return whether that was before the end of the fetch
   */
  private boolean fetch(Path file, List<ImpairedLink> links, int killed, int afterGenerations)
      throws Exception {
    links.forEach(link -> link.impair(SLOW, SLOW));
    List<InetSocketAddress> addresses = links.stream().map(ImpairedLink::address).toList();
    FetchSettings settings =
        net.settings(file.getFileName().toString(), addresses)
            .withPatience(300 * Loopback.SECOND, PATIENCE_NANOS);
    AtomicBoolean isKilled = new AtomicBoolean();
    FetchListener killer =
        (done, total, sources) -> {
          if (done >= (long) afterGenerations * GENERATION_BYTES
              && done < total
              && sources == SERVERS
              && isKilled.compareAndSet(false, true)) {
            links.subList(SERVERS - killed, SERVERS).forEach(link -> link.impair(DEAD, DEAD));
          }
        };
    FetchResult result =
        new Fetch(net.engine, settings, 2, killer, PATIENT).toFile(net.output(file));

    assertThat(net.output(file)).hasSameBinaryContentAs(file);
    if (isKilled.get()) {
      assertThat(result.sources()).allMatch(source -> source.problem().isEmpty());
    }
    return isKilled.get();
  }

  /** On a busy machine, some servers may have sent everything before another is connected. */
  @Test
  @Timeout(300)
  void serversMayBeKilledAfterAnyGeneration() throws Exception {
    Path file = net.write("files/a.bin", GENERATIONS * GENERATION_BYTES);
    // Links stay open: a client refuses another server at an address that it knows.
    List<ImpairedLink> links = new ArrayList<>();
    List<CraftedServer> servers = new ArrayList<>();
    try {
      for (int i = 0; i < SERVERS; i++) {
        servers.add(serve("server" + i, file));
        links.add(link(servers.get(i), i));
      }
      int kills = 0;
      for (int after = 1; after < GENERATIONS; after++) {
        kills += fetch(file, links, 1 + after % (SERVERS - 1), after) ? 1 : 0;
      }
      assertThat(kills).isPositive();
    } finally {
      links.forEach(ImpairedLink::close);
      servers.forEach(CraftedServer::close);
    }
  }

  /**
   * A router gives the client a new address after each of many generations. A connection survives
   * some of them only, and would be silent until its idle timeout.
   */
  @Test
  @Timeout(120)
  void anotherConnectionIsOpenedIfOneDoesNotSurviveAChangeOfAddress() throws Exception {
    Path file = net.write("files/a.bin", 2 * GENERATIONS * GENERATION_BYTES);
    try (CraftedServer server = serve("server", file);
        ImpairedLink link = link(server, 1)) {
      // Less than the idle timeout, after which the connection would end.
      FetchSettings settings =
          net.settings("a.bin", List.of(link.address()))
              .withPatience(300 * Loopback.SECOND, PATIENCE_NANOS);
      int[] changes = {0};
      FetchListener router =
          (_, _, _) -> {
            if (++changes[0] <= MAX_CHANGES) {
              link.changeAddresses();
            }
          };
      new Fetch(net.engine, settings, 2, router, PATIENT).toFile(net.output(file));

      assertThat(net.output(file)).hasSameBinaryContentAs(file);
      assertThat(changes[0]).isGreaterThan(MAX_CHANGES);
    }
  }
}
