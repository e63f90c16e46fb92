package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientWarningsTest {

  private static final long SECOND = 1_000_000_000;
  private static final String TOKEN = "refused: the token is not that of the server";

  private final List<String> lines = new ArrayList<>();

  /** Begins before zero, because a clock may pass its limits. */
  private long now = Long.MAX_VALUE - 90 * SECOND;

  private final ClientWarnings warnings = new ClientWarnings(() -> now, lines::add);

  private static InetSocketAddress client(int number, int port) {
    try {
      byte[] address = {10, 0, (byte) (number >> 8), (byte) number};
      return new InetSocketAddress(InetAddress.getByAddress(address), port);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aThousandRefusalsASecondAreOneLineAMinute() {
    for (int refusal = 0; refusal < 180_000; refusal++) {
      warnings.warn(client(1, 1024 + refusal % 60_000), "token", TOKEN);
      now += SECOND / 1000;
    }
    assertThat(lines)
        .containsExactly(
            "10.0.0.1:1024: " + TOKEN,
            "10.0.0.1: 59999 more in 60 s: " + TOKEN,
            "10.0.0.1: 60000 more in 60 s: " + TOKEN);
    now += 60 * SECOND;
    warnings.logSuppressed();
    assertThat(lines).last().isEqualTo("10.0.0.1: 60000 more in 120 s: " + TOKEN);
  }

  @Test
  void eachCauseAndAddressHasALineOfItsOwn() {
    warnings.warn(client(1, 1), "token", TOKEN);
    warnings.warn(client(1, 1), "version", "refused: protocol version 9, not 1");
    warnings.warn(client(1, 2), "version", "refused: protocol version 8, not 1");
    warnings.warn(client(2, 1), "token", TOKEN);
    assertThat(lines)
        .containsExactly(
            "10.0.0.1:1: " + TOKEN,
            "10.0.0.1:1: refused: protocol version 9, not 1",
            "10.0.0.2:1: " + TOKEN);
    now += 60 * SECOND;
    warnings.logSuppressed();
    assertThat(lines)
        .hasSize(4)
        .last()
        .isEqualTo("10.0.0.1: 1 more in 60 s: refused: protocol version 9, not 1");
  }

  @Test
  void aWarningAfterAQuietMinuteIsLoggedAtOnce() {
    for (int minute = 0; minute < 3; minute++) {
      warnings.warn(client(1, minute), "token", TOKEN);
      now += 60 * SECOND;
    }
    assertThat(lines)
        .containsExactly("10.0.0.1:0: " + TOKEN, "10.0.0.1:1: " + TOKEN, "10.0.0.1:2: " + TOKEN);
    now -= SECOND;
    warnings.warn(client(1, 9), "token", TOKEN);
    assertThat(lines).hasSize(3);
  }

  @Test
  void manyAddressesShareALine() {
    int clients = 3 * ClientWarnings.MAX_TALLIES;
    for (int client = 0; client < clients; client++) {
      warnings.warn(client(client, 1), "token", TOKEN);
    }
    assertThat(lines).hasSize(ClientWarnings.MAX_TALLIES + 1);
    now += 60 * SECOND;
    warnings.logSuppressed();
    assertThat(lines)
        .hasSize(ClientWarnings.MAX_TALLIES + 2)
        .last()
        .isEqualTo(
            "other clients: %d more in 60 s: warnings"
                .formatted(2 * ClientWarnings.MAX_TALLIES - 1));
    warnings.warn(client(clients, 1), "token", TOKEN);
    assertThat(lines).last().isEqualTo("10.0.12.0:1: " + TOKEN);
  }
}
