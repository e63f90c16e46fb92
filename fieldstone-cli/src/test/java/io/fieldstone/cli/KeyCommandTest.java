package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.SigningKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Keys, and what encode and decode do with them. */
class KeyCommandTest {

  @TempDir private Path directory;

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private String read(String name) throws IOException {
    return Files.readString(directory.resolve(name));
  }

  private static void succeed(String... words) {
    RunOf run = RunOf.fieldstone(words);
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
  }

  @Test
  void keysAreForTheirOwnerOnly() throws Exception {
    RunOf run = RunOf.fieldstone("key", "encryption", "-o", path("k"));
    MasterKey key = MasterKey.parse(read("k"));
    assertThat(run.out()).isEqualTo("encryption key %016x: %s\n".formatted(key.keyId(), path("k")));
    assertThat(run.status()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("k"))))
        .isEqualTo("rw-------");
    assertThat(RunOf.fieldstone("key", "show", path("k")).out()).isEqualTo(run.out());
  }

  @Test
  void signingKeysShowTheirPublicPart() throws Exception {
    RunOf run = RunOf.fieldstone("key", "signing", "-o", path("s"), "--json");
    SigningKey key = SigningKey.parse(read("s"));
    JsonNode json = JsonMapper.shared().readTree(run.out());
    assertThat(json.get("kind").asString()).isEqualTo("signing");
    assertThat(json.get("publicPart").asString()).isEqualTo(key.publisher().toString());
    assertThat(RunOf.fieldstone("key", "show", path("s")).out())
        .isEqualTo("signing key %s: %s\n".formatted(key.publisher(), path("s")));
  }

  @Test
  void aKeyIsReplacedWithForceOnly() throws Exception {
    succeed("key", "encryption", "-o", path("k"));
    String old = read("k");
    RunOf again = RunOf.fieldstone("key", "encryption", "-o", path("k"));
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.err())
        .isEqualTo("fieldstone: already exists (--force replaces it): " + path("k") + "\n");
    assertThat(read("k")).isEqualTo(old);
    Files.setPosixFilePermissions(
        directory.resolve("k"), PosixFilePermissions.fromString("rw-r--r--"));
    succeed("key", "encryption", "-o", path("k"), "--force");
    assertThat(read("k")).isNotEqualTo(old);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("k"))))
        .isEqualTo("rw-------");
  }

  @Test
  void whatIsNoKeyIsNamed() throws Exception {
    Files.writeString(directory.resolve("no"), "hello");
    Files.setPosixFilePermissions(
        directory.resolve("no"), PosixFilePermissions.fromString("rw-------"));
    assertThat(RunOf.fieldstone("key", "show", path("no")).err())
        .isEqualTo(
            "fieldstone: not a key: it begins neither as an encryption key nor as a signing key: "
                + path("no")
                + "\n");
    assertThat(RunOf.fieldstone("key", "show", path("absent")).err())
        .isEqualTo("fieldstone: no such file or directory: " + path("absent") + "\n");
    assertThat(RunOf.fieldstone("key").status()).isEqualTo(2);
    assertThat(RunOf.fieldstone("key", "encryption").status()).isEqualTo(2);
  }

  @Test
  void othersMayNotReadAKeyWithoutAWarning() throws Exception {
    succeed("key", "encryption", "-o", path("k"));
    Files.setPosixFilePermissions(
        directory.resolve("k"), PosixFilePermissions.fromString("rw-r-----"));
    assertThat(RunOf.fieldstone("key", "show", path("k")).err())
        .isEqualTo(
            "warning: other users may read the key (chmod 600 prevents it): " + path("k") + "\n");
  }

  @Test
  void whatIsEncryptedNeedsItsKey() throws Exception {
    byte[] content = new byte[300_000];
    new SplittableRandom(1).nextBytes(content);
    Files.write(directory.resolve("file"), content);
    succeed("key", "encryption", "-o", path("k"));
    succeed("key", "encryption", "-o", path("other"));
    succeed("key", "signing", "-o", path("signing"));
    String keyId = "%016x".formatted(MasterKey.parse(read("k")).keyId());
    String otherId = "%016x".formatted(MasterKey.parse(read("other")).keyId());

    RunOf encoded =
        RunOf.fieldstone(
            "encode", path("file"), "-o", path("shards"), "--shards", "1", "--encrypt", path("k"));
    assertThat(encoded.out()).contains("encrypted with key " + keyId);
    String shard = path("shards/file.00.fst");
    succeed("decode", shard, "-o", path("copy"), "--key", path("k"));
    assertThat(directory.resolve("copy")).hasBinaryContent(content);

    assertThat(RunOf.fieldstone("decode", shard, "-o", path("x")).err())
        .isEqualTo("fieldstone: 'file' is encrypted: key " + keyId + " is needed\n");
    assertThat(RunOf.fieldstone("decode", shard, "-o", path("x"), "--key", path("other")).err())
        .isEqualTo(
            "fieldstone: 'file' is encrypted with key %s, not with key %s\n"
                .formatted(keyId, otherId));
    assertThat(RunOf.fieldstone("decode", shard, "-o", path("x"), "--key", path("signing")).err())
        .isEqualTo(
            "fieldstone: this is a key for signing, not for encryption: " + path("signing") + "\n");
    assertThat(directory.resolve("x")).doesNotExist();
    JsonNode json =
        JsonMapper.shared().readTree(RunOf.fieldstone("inspect", shard, "--json").out());
    assertThat(json.get("keyId").asString()).isEqualTo(keyId);
    assertThat(json.get("id").asString()).hasSize(64);
    assertThat(json.get("bytes").asLong()).isEqualTo(content.length);
    assertThat(json.get("format").asInt()).isEqualTo(2);
  }
}
