package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.impairment.ImpairedLink;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  private static final QuicOptions PATIENT =
      QuicOptions.DEFAULT.withTimeouts(Duration.ofMinutes(5), Duration.ofSeconds(5));

  @TempDir Path folder;
  @AutoClose private Loopback net;

  @BeforeEach
  void open() {
    net = new Loopback(folder);
  }

  /** Kills the last servers once some generations are verified. */
  private void fetch(Path file, List<ImpairedLink> links, int killed, int afterGenerations)
      throws Exception {
    links.forEach(link -> link.impair(SLOW, SLOW));
    List<InetSocketAddress> addresses = links.stream().map(ImpairedLink::address).toList();
    FetchSettings settings =
        net.settings(file.getFileName().toString(), addresses)
            .withPatience(300 * Loopback.SECOND, 20 * Loopback.SECOND);
    FetchListener killer =
        (done, _, _) -> {
          if (done >= (long) afterGenerations * GENERATION_BYTES) {
            links.subList(SERVERS - killed, SERVERS).forEach(link -> link.impair(DEAD, DEAD));
          }
        };
    FetchResult result =
        new Fetch(net.engine, settings, 2, killer, PATIENT).toFile(net.output(file));

    assertThat(net.output(file)).hasSameBinaryContentAs(file);
    assertThat(result.sources()).allMatch(source -> source.problem().isEmpty());
  }

  @Test
  void serversMayBeKilledAfterAnyGeneration() throws Exception {
    Path file = net.write("files/a.bin", GENERATIONS * GENERATION_BYTES);
    // Links stay open: a client refuses another server at an address that it knows.
    List<ImpairedLink> links = new ArrayList<>();
    try {
      for (int i = 0; i < SERVERS; i++) {
        Server server = net.serve("server" + i, file);
        links.add(ImpairedLink.open(server.address(), SLOW, SLOW, i));
      }
      for (int after = 1; after < GENERATIONS; after++) {
        fetch(file, links, 1 + after % (SERVERS - 1), after);
      }
    } finally {
      links.forEach(ImpairedLink::close);
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
    Server server = net.serve("server", file);
    try (ImpairedLink link = ImpairedLink.open(server.address(), SLOW, SLOW, 1)) {
      // Less than the idle timeout of the server, after which the connection would end.
      FetchSettings settings =
          net.settings("a.bin", List.of(link.address()))
              .withPatience(300 * Loopback.SECOND, 9 * Loopback.SECOND);
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
