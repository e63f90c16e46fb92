package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.peers.BannedPeers;
import io.fieldstone.net.relay.Relay;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.RefusedException;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The only server sends wrong bytes, and is asked before it is banned. */
@Timeout(180)
class AccusedServerTest {

  private static final int BYTES = 3 * 64 * 1200;

  @TempDir Path folder;
  @AutoClose private Loopback net;

  @BeforeEach
  void open() {
    net = new Loopback(folder);
  }

  /** What it answers when it is asked for the hashes of blocks. */
  private enum Answer {
    CHANGED,
    HASHES,
    NOTHING
  }

  /** A server whose file differs from its hashes in a bit of each generation. */
  private static final class WrongServer extends CraftedServer {
    private final Answer answer;
    private boolean isAsked;

    WrongServer(Path state, Engine engine, Answer answer) throws IOException {
      super(
          state,
          engine,
          ServerSettings.DEFAULT_SHAPE,
          content(),
          Optional.empty(),
          id -> List.of(new CatalogueEntry("a.bin", BYTES, id)));
      this.answer = answer;
    }

    /** Generations of zeros are not fetched. */
    private static byte[] content() {
      byte[] content = new byte[BYTES];
      Arrays.fill(content, (byte) 2);
      return content;
    }

    @Override
    protected void change(MemorySegment source) {
      source.set(ValueLayout.JAVA_BYTE, 17, (byte) 1);
    }

    @Override
    protected CompletableFuture<List<Sha256>> leavesOf(int generation) {
      isAsked = true;
      return switch (answer) {
        case CHANGED -> CompletableFuture.failedFuture(new IOException("changed"));
        case HASHES -> CompletableFuture.completedFuture(List.of(new Sha256(1, 2, 3, 4)));
        case NOTHING -> new CompletableFuture<>();
      };
    }

    @Override
    protected void requireAvailable() throws RefusedException {
      if (isAsked) {
        throw new RefusedException(Message.RefusalCode.CHANGED, "the file has changed");
      }
    }
  }

  /** What ends the wait for an answer is the answer, or there is none. */
  private static long stallNanos(Answer answer) {
    return answer == Answer.NOTHING ? Loopback.SECOND : 300 * Loopback.SECOND;
  }

  private void assertFails(Answer answer, String problem, boolean isBanned) throws Exception {
    try (WrongServer server = new WrongServer(folder.resolve("server"), net.engine, answer)) {
      assertThatThrownBy(() ->
              net.fetch(
                      net.settings("a.bin", List.of(server.address()))
                          .withPatience(stallNanos(answer), 50 * Loopback.SECOND),
                      FetchListener.NONE)
                  .toFile(folder.resolve("never")))
          .isInstanceOf(FetchFailedException.class)
          .hasMessageContaining(problem);
      assertThat(new BannedPeers(folder.resolve("client")).find(server.fingerprint()).isPresent())
          .isEqualTo(isBanned);
    }
  }

  private void assertFailsAtRelay(Answer answer, boolean isBanned, String... problems)
      throws Exception {
    try (WrongServer server = new WrongServer(folder.resolve("server"), net.engine, answer)) {
      Relay relay = net.relay("relay", server.address());
      assertThatThrownBy(() ->
              net.fetch(
                      net.settings("a.bin", List.of(Loopback.at(relay)))
                          .withPatience(300 * Loopback.SECOND, 50 * Loopback.SECOND),
                      FetchListener.NONE)
                  .toFile(folder.resolve("never")))
          .isInstanceOf(FetchFailedException.class)
          .message()
          .containsAnyOf(problems);
      assertThat(new BannedPeers(folder.resolve("relay")).find(server.fingerprint()).isPresent())
          .isEqualTo(isBanned);
      assertThat(new BannedPeers(folder.resolve("client")).find(relay.fingerprint())).isEmpty();
    }
  }

  @Test
  void aRelayDoesNotBanAServerThatAdmitsAChange() throws Exception {
    assertFailsAtRelay(Answer.CHANGED, false, "the file has changed");
  }

  /** A client that connects again, as on a busy machine, finds that the relay offers nothing. */
  @Test
  void aRelayBansAServerWithTheRightHashes() throws Exception {
    assertFailsAtRelay(
        Answer.HASHES, true, "no source of this relay offers 'a.bin' any more", " is offered");
  }

  @Test
  void aServerThatAdmitsAChangeIsNotBanned() throws Exception {
    assertFails(Answer.CHANGED, "the file has changed", false);
  }

  @Test
  void aServerWithTheRightHashesIsBanned() throws Exception {
    assertFails(Answer.HASHES, "sent wrong bytes of generation", true);
  }

  @Test
  void aServerThatDoesNotAnswerIsBanned() throws Exception {
    assertFails(Answer.NOTHING, "sent wrong bytes of generation", true);
  }
}
