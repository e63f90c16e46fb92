package io.fieldstone.net.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.server.Server;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Relays over QUIC on loopback. */
@Timeout(60)
class RelayTest {

  private static final int GENERATION = 64 * 1200;

  @TempDir Path folder;
  private Loopback net;

  @BeforeEach
  void open() {
    net = new Loopback(folder);
  }

  @AfterEach
  void close() {
    net.close();
  }

  private static InetSocketAddress at(Server server) {
    return Loopback.at(server.address().getPort());
  }

  private static InetSocketAddress at(Relay relay) {
    return Loopback.at(relay.address().getPort());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, GENERATION, 20 * GENERATION + 7})
  void aChainOfTwoRelays(int length) throws Exception {
    Path file = net.write("files/a.bin", length);
    Server server = net.serve("server", file);
    Relay near = net.relay("near", at(server));
    Relay far = net.relay("far", at(near));

    FetchResult result = net.fetched(net.settings("a.bin", List.of(at(far))), file);

    assertThat(far.catalogue()).extracting(entry -> entry.name()).containsExactly("a.bin");
    assertThat(result.sources().getFirst().fingerprint()).contains(far.fingerprint());
    assertThat(result.sources().getFirst().blocks()).isEqualTo(result.blocksNeeded());
    // A few blocks more are asked for at the end.
    assertThat(result.overhead() * result.blocksNeeded())
        .isLessThan(0.1 * result.blocksNeeded() + 3);
  }
}
