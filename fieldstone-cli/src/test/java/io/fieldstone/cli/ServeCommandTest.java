package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.trust.Identity;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers and relays that cannot start: one line each, and status 1. */
@Timeout(120)
class ServeCommandTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @TempDir Path directory;
  private Path state;

  @BeforeEach
  void makeAFile() throws Exception {
    Files.write(directory.resolve("film"), new byte[1000]);
    state = directory.resolve("state");
  }

  /** Runs a command that must fail, and returns its line. */
  private String failure(String command, String... options) {
    String[] source =
        command.equals("serve")
            ? new String[] {command, directory.resolve("film").toString()}
            : new String[] {command, "--from", "127.0.0.1:9"};
    RunOf run =
        RunOf.fieldstone(
            TestFolder.join(
                TestFolder.join(source, "--state", state.toString(), "--engine", "cpu:scalar"),
                options));
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("fieldstone: ").endsWith("\n").hasLineCount(1);
    assertThat(run.status()).isEqualTo(1);
    return run.err();
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve", "relay"})
  void aPortInUseIsNamed(String command) throws Exception {
    try (DatagramSocket other = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0))) {
      String address = "127.0.0.1:" + other.getLocalPort();
      assertThat(failure(command, "--listen", address))
          .isEqualToIgnoringCase("fieldstone: address already in use: " + address + "\n");
    }
    try (ServerSocket other = new ServerSocket(0, 1, LOOPBACK)) {
      String address = "127.0.0.1:" + other.getLocalPort();
      assertThat(failure(command, "--listen", "127.0.0.1:0", "--http", address))
          .isEqualToIgnoringCase("fieldstone: address already in use: " + address + " for HTTP\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve", "relay"})
  void aFileInPlaceOfTheStateIsNamed(String command) throws Exception {
    Files.createFile(state);
    assertThat(failure(command, "--listen", "127.0.0.1:0"))
        .isEqualTo("fieldstone: not a directory: " + state + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve", "relay"})
  void anIdentityThatIsNotValidNowIsNamed(String command) throws Exception {
    boolean isRelay = command.equals("relay");
    Path file = state.resolve(isRelay ? Identity.RELAY_FILE_NAME : Identity.FILE_NAME);
    make(isRelay, Instant.now().minus(Duration.ofDays(5000)));
    byte[] expired = Files.readAllBytes(file);
    assertThat(failure(command, "--listen", "127.0.0.1:0"))
        .contains("the certificate expired at ")
        .contains("delete the file to get a new identity")
        .endsWith(": " + file + "\n");
    // It is left as it is: a clock that is wrong must not cost the identity.
    assertThat(file).hasBinaryContent(expired);
    Files.delete(file);

    make(isRelay, Instant.now().plus(Duration.ofDays(30)));
    assertThat(failure(command, "--listen", "127.0.0.1:0"))
        .contains("the certificate is valid from ")
        .contains(", but the clock says ")
        .endsWith(": " + file + "\n");
  }

  private void make(boolean isRelay, Instant now) throws Exception {
    Identity made = isRelay ? Identity.openRelay(state, now) : Identity.open(state, now);
    assertThat(made.fingerprint()).isNotNull();
  }

  @Test
  void aServerAndARelayAreTwoPeers() throws Exception {
    Instant now = Instant.now();
    assertThat(Identity.openRelay(state, now).fingerprint())
        .isEqualTo(Identity.openRelay(state, now).fingerprint())
        .isNotEqualTo(Identity.open(state, now).fingerprint());
  }

  @Test
  void aDamagedIdentityIsNamed() throws Exception {
    Path file = state.resolve(Identity.FILE_NAME);
    Identity.open(state, Instant.now());
    String whole = Files.readString(file);
    Files.writeString(file, whole.substring(0, whole.length() / 2));

    assertThat(failure("serve", "--listen", "127.0.0.1:0"))
        .contains("not an identity: it has no block ")
        .endsWith("; delete it to get a new one: " + file + "\n");
  }

  @Test
  void filesThatAreNotThereAreNamed() {
    RunOf run =
        RunOf.fieldstone(
            "serve",
            directory.resolve("none").toString(),
            "--listen",
            "127.0.0.1:0",
            "--state",
            state.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains(directory.resolve("none").toString()).hasLineCount(1);
  }
}
