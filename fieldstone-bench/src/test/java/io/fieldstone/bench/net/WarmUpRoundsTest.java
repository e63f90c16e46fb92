package io.fieldstone.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs({OS.LINUX, OS.MAC})
class WarmUpRoundsTest {

  private static final double LIMIT_SECONDS = 60;

  /** Starts a client that says after each round how long it has compiled, and keeps the answers. */
  private static Process client(String compiledMillis) throws IOException {
    return shell(
        "for c in %s; do echo warm $c; read word; said=\"$said $word\"; done; echo said$said"
            .formatted(compiledMillis));
  }

  /** Starts a server that says when it is asked how long it has compiled. */
  private static Process server(String compiledMillis) throws IOException {
    return shell("for c in %s; do read word; echo compiled $c; done".formatted(compiledMillis));
  }

  private static Process shell(String script) throws IOException {
    return new ProcessBuilder("sh", "-c", script).start();
  }

  @Test
  void roundsEndOnceNoCompilerWorksAnyMore() throws IOException {
    Process client = client("100000 900000 900000 900000");
    Process server = server("100000 200000 900000 900000");
    WarmUpRounds.Result result =
        WarmUpRounds.await(List.of(server), List.of(client), LIMIT_SECONDS);
    assertThat(result.compiling()).isZero();
    assertThat(Output.await(client, "said")).isEqualTo("said again again again measure");
  }

  @Test
  void roundsEndWhenTheTimeIsOver() throws IOException {
    Process client = client("0");
    WarmUpRounds.Result result = WarmUpRounds.await(List.of(server("0")), List.of(client), 0);
    assertThat(result.compiling()).isEqualTo(1);
    assertThat(Output.await(client, "said")).isEqualTo("said measure");
  }

  @Test
  void allClientsGoOnTogether() throws IOException {
    List<Process> clients = List.of(client("0 0 0"), client("0 100000 100000"));
    assertThat(WarmUpRounds.await(List.of(), clients, LIMIT_SECONDS).compiling()).isZero();
    for (Process client : clients) {
      assertThat(Output.await(client, "said")).isEqualTo("said again again measure");
    }
  }

  @Test
  void aClientThatEndsIsAFailure() throws IOException {
    List<Process> clients = List.of(shell("echo no server"));
    assertThatIOException()
        .isThrownBy(() -> WarmUpRounds.await(List.of(), clients, LIMIT_SECONDS))
        .withMessageEndingWith("did not print 'warm ' but: no server");
  }
}
