package io.fieldstone.net.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.net.trust.Fingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BannedPeersTest {

  private static final Fingerprint PEER = new Fingerprint("a".repeat(64));
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

  @TempDir Path folder;
  private BannedPeers banned;

  @BeforeEach
  void open() {
    banned = new BannedPeers(folder);
  }

  @Test
  void remembersWhyAndSinceWhen() throws Exception {
    assertThat(banned.find(PEER)).isEmpty();

    banned.ban(PEER, "sent wrong\nbytes", NOW);
    banned.ban(PEER, "did it again", NOW.plusSeconds(9));

    assertThat(new BannedPeers(folder).find(PEER))
        .contains(
            "%s is banned since 2026-01-02T03:04:05Z, because it sent wrong bytes; to allow it,"
                    .formatted(PEER)
                + " remove its line in "
                + banned.file());
    assertThat(Files.readAllLines(banned.file())).hasSize(2);
    assertThat(banned.find(new Fingerprint("b".repeat(64)))).isEmpty();
  }

  @Test
  void aPeerWhoseLineIsRemovedIsAllowed() throws Exception {
    banned.ban(PEER, "sent wrong bytes", NOW);
    Files.writeString(banned.file(), "# nobody\n");

    assertThat(banned.find(PEER)).isEmpty();
  }

  @Test
  void namesALineThatIsNotValid() throws Exception {
    Files.writeString(banned.file(), "# peers\n" + PEER + "\n");

    assertThatThrownBy(() -> banned.find(PEER))
        .hasMessageContaining("line 2: want sha256:DIGITS, a time and a reason");
  }

  @Test
  void aBanThatCannotBeWrittenHoldsInThisProcess() throws Exception {
    Path noFolder = Files.write(folder.resolve("file"), new byte[0]);
    BannedPeers unwritable = new BannedPeers(noFolder);

    assertThatThrownBy(() -> unwritable.ban(PEER, "sent wrong bytes", NOW))
        .isInstanceOf(IOException.class);

    assertThat(unwritable.find(PEER)).isPresent();
    assertThat(new BannedPeers(noFolder).find(PEER)).isEmpty();
  }

  /** A ban is stronger than a fingerprint that is named. */
  @Test
  void aBannedPeerIsNotTrusted() throws Exception {
    ServerTrust trust = new ServerTrust(List.of(PEER), folder);
    assertThat(trust.problem("a:1", PEER)).isEmpty();

    assertThat(trust.convict("a:1", Optional.of(PEER), "may have sent wrong bytes", false))
        .isFalse();
    assertThat(trust.convict("a:1", Optional.empty(), "sent wrong bytes", true)).isFalse();
    assertThat(trust.problem("a:1", PEER)).isEmpty();
    assertThat(trust.convict("a:1", Optional.of(PEER), "sent wrong bytes", true)).isTrue();

    assertThat(trust.problem("a:1", PEER))
        .hasValueSatisfying(problem -> assertThat(problem).contains("is banned since"));
  }
}
