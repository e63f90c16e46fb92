package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.BuiltCommand.Result;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs {@code serve} and {@code fetch} in processes of their own, on loopback. */
class ServeFetchIT {

  private static final Pattern READY =
      Pattern.compile(
          "\\{\"listen\":\"(127\\.0\\.0\\.1:\\d+)\",\"fingerprint\":\"(sha256:\\w{64})\","
              + "\"http\":(?:null|\"(127\\.0\\.0\\.1:\\d+)\"),\"browsers\":null}");

  @TempDir Path directory;

  private final List<Process> servers = new ArrayList<>();
  private BuiltCommand built;
  private TestFolder folder;

  private record Served(String address, String fingerprint) {}

  @BeforeEach
  void findTheCommand() {
    built = new BuiltCommand(directory);
    folder = new TestFolder(directory);
  }

  @AfterEach
  void stopServers() throws Exception {
    for (Process server : servers) {
      assertThat(BuiltCommand.terminate(server)).isEqualTo(143);
    }
  }

  private Served serve(String listen, String... options) throws Exception {
    return start("serve", listen, "server", options);
  }

  private Served start(String command, String listen, String state, String... options)
      throws Exception {
    String[] words =
        TestFolder.join(
            new String[] {command, "--json", "--listen", listen, "--state", state}, options);
    Process server =
        built.process("", words).redirectError(directory.resolve("serve.err").toFile()).start();
    servers.add(server);
    BufferedReader out = server.inputReader();
    Matcher ready = READY.matcher(String.valueOf(out.readLine()));
    assertThat(ready.matches()).as(Files.readString(directory.resolve("serve.err"))).isTrue();
    return new Served(ready.group(1), ready.group(2));
  }

  private Result fetch(String name, String from, String... options) throws Exception {
    return built.run(
        TestFolder.join(
            new String[] {"fetch", name, "--from", from, "--state", "client"}, options));
  }

  @Test
  void fetchesAFileAndRemembersTheServer() throws Exception {
    byte[] bytes = folder.write("film", 1_000_003);
    Served server = serve("127.0.0.1:0", "film");

    Result result = fetch("film", server.address, "-o", "copy");

    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
    assertThat(result.out())
        .startsWith("copy: 976.6 KiB\nid ")
        .contains(", verified\n")
        .endsWith("B/s\n" + server.address + ": 100.0 %\n");
    assertThat(folder.read("copy")).isEqualTo(bytes);
    assertThat(Files.readString(directory.resolve("client/known_servers")))
        .contains(server.address + " " + server.fingerprint);
    ProcessBuilder streaming =
        built
            .process(
                "", "fetch", "film", "--from", server.address, "-o", "-", "--state", "client", "-q")
            .redirectOutput(directory.resolve("streamed").toFile());
    assertThat(built.run(streaming)).isEqualTo(new Result(0, "", ""));
    assertThat(folder.read("streamed")).isEqualTo(bytes);
    assertThat(fetch("film", server.address, "-o", "copy", "--json").out())
        .contains("\"bytes\" : 1000003", "\"fingerprint\" : \"" + server.fingerprint);
  }

  /** The relay keeps generations that it has verified, also after the server has stopped. */
  @Test
  void fetchesFromARelayAfterItsServerHasStopped() throws Exception {
    byte[] bytes = folder.write("film", 500_000);
    Served server = serve("127.0.0.1:0", "film");
    Served relay = start("relay", "127.0.0.1:0", "relay", "--from", server.address);

    Result first = fetch("film", relay.address, "-o", "first");
    assertThat(BuiltCommand.terminate(servers.removeFirst())).isEqualTo(143);
    Result second = fetch("film", relay.address, "-o", "second");

    assertThat(first.status()).as(first.err()).isZero();
    assertThat(second.status()).as(second.err()).isZero();
    assertThat(folder.read("first")).isEqualTo(bytes);
    assertThat(folder.read("second")).isEqualTo(bytes);
  }

  /** A killed fetch leaves a part file, from which the next one continues. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void continuesAfterAKill(boolean isEncrypted) throws Exception {
    byte[] bytes = folder.write("film", 8_000_000);
    String[] encrypt = {};
    String[] decrypt = {};
    if (isEncrypted) {
      assertThat(key("encryption", "film.key")).hasSize(16);
      encrypt = new String[] {"--encrypt", "film.key"};
      decrypt = new String[] {"--key", "film.key"};
    }
    Served server = serve("127.0.0.1:0", TestFolder.join(encrypt, "film", "--rate", "2MB"));
    Path part = directory.resolve(".copy.fst-part");
    Process killed =
        built
            .process(
                "",
                TestFolder.join(
                    new String[] {"fetch", "film", "--from", server.address, "-o", "copy"},
                    TestFolder.join(decrypt, "--state", "client")))
            .start();
    while (!Files.exists(part) || Files.size(part) < 2_000_000) {
      assertThat(killed.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    killed.destroyForcibly().waitFor();
    assertThat(directory.resolve("copy")).doesNotExist();

    Result result = fetch("film", server.address, TestFolder.join(decrypt, "-o", "copy"));

    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out()).contains(" of them from before");
    assertThat(folder.read("copy")).isEqualTo(bytes);
    assertThat(part).doesNotExist();
  }

  /** Makes keys, and returns the public part of each. */
  private String key(String kind, String file) throws Exception {
    Result result = built.run("key", kind, "-o", file);
    assertThat(result.status()).as(result.err()).isZero();
    return result.out().replaceFirst("\\w+ key (\\S+): .*\n", "$1");
  }

  /** A relay passes on what it cannot read, and who has signed it; it has no key. */
  @Test
  void fetchesWhatIsEncryptedAndSignedFromARelay() throws Exception {
    byte[] bytes = folder.write("film", 500_000);
    String keyId = key("encryption", "film.key");
    String publisher = key("signing", "publisher.key");
    Served server =
        serve("127.0.0.1:0", "film", "--encrypt", "film.key", "--sign", "publisher.key");
    Served relay = start("relay", "127.0.0.1:0", "relay", "--from", server.address);
    String[] keys = {"--key", "film.key", "--publisher", publisher};

    Result result = fetch("film", relay.address, TestFolder.join(keys, "-o", "copy"));

    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out())
        .startsWith("copy: 488.3 KiB\nid ")
        .contains(", verified\nsigned by " + publisher + "\n");
    assertThat(folder.read("copy")).isEqualTo(bytes);
    ProcessBuilder streaming =
        built
            .process(
                "",
                TestFolder.join(
                    new String[] {"fetch", "film", "--from", relay.address, "-o", "-"},
                    TestFolder.join(keys, "--state", "client", "-q")))
            .redirectOutput(directory.resolve("streamed").toFile());
    assertThat(built.run(streaming)).isEqualTo(new Result(0, "", ""));
    assertThat(folder.read("streamed")).isEqualTo(bytes);
    assertThat(fetch("film", server.address, TestFolder.join(keys, "-o", "copy", "--json")).out())
        .contains("\"keyId\" : \"" + keyId, "\"publisher\" : \"" + publisher, "\"bytes\" : 500000");
  }

  @Test
  void namesWhatIsWrongWithKeys() throws Exception {
    folder.write("film", 1000);
    String keyId = key("encryption", "film.key");
    String otherId = key("encryption", "other.key");
    String publisher = key("signing", "publisher.key");
    String stranger = key("signing", "stranger.key");
    Served server =
        serve("127.0.0.1:0", "film", "--encrypt", "film.key", "--sign", "publisher.key");

    assertThat(fetch("film", server.address, "-o", "copy"))
        .isEqualTo(
            new Result(
                1, "", "fieldstone: 'film' is encrypted: key %s is needed\n".formatted(keyId)));
    assertThat(fetch("film", server.address, "-o", "copy", "--key", "other.key"))
        .isEqualTo(
            new Result(
                1,
                "",
                "fieldstone: 'film' is encrypted with key %s, not with key %s\n"
                    .formatted(keyId, otherId)));
    Result refused =
        fetch("film", server.address, "-o", "copy", "--key", "film.key", "--publisher", stranger);
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err())
        .matches(
            "fieldstone: no server has film signed by %s: %s: its object \\w{64} is signed by %s\n"
                .formatted(stranger, server.address, publisher));
    Result unknown = fetch("film", server.address, "-o", "copy", "--publisher", "stranger");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).contains("--publisher: 'stranger' is not a public key");
    Result swapped = built.run("serve", "film", "--sign", "film.key", "--state", "server");
    assertThat(swapped.status()).isEqualTo(1);
    assertThat(swapped.err())
        .isEqualTo("fieldstone: this is a key for encryption, not for signing: film.key\n");
    Result small =
        built.run(
            "serve", "film", "--encrypt", "film.key", "--generation", "1", "--block-size", "16");
    assertThat(small.status()).isEqualTo(2);
    assertThat(small.err()).contains("--encrypt: generations of 16 bytes cannot be encrypted");
    assertThat(directory.resolve("copy")).doesNotExist();
    assertThat(directory.resolve(".copy.fst-part")).doesNotExist();
  }

  @Test
  void namesWhatIsWrong() throws Exception {
    folder.write("film", 1000);
    Files.writeString(directory.resolve("token"), "secret\n");
    Served server = serve("127.0.0.1:0", "film", "--token-file", "token");

    assertThat(fetch("film", server.address, "-o", "copy"))
        .isEqualTo(
            new Result(
                1,
                "",
                "fieldstone: cannot fetch film: %s: the server needs a token (--token-file)\n"
                    .formatted(server.address)));
    assertThat(fetch("none", server.address, "-o", "copy", "--token-file", "token").err())
        .isEqualTo(
            "fieldstone: no server has none: %s: has no such object\n".formatted(server.address));
    Result inUse = built.run("serve", "film", "--listen", server.address, "--state", "server");
    assertThat(inUse.status()).isEqualTo(1);
    assertThat(inUse.err()).contains(server.address).contains("in use").hasLineCount(1);
    assertThat(directory.resolve("copy")).doesNotExist();
  }
}
