package io.fieldstone.net.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityTest {
  private static final Instant NOW = Instant.now();

  @TempDir Path folder;

  @Test
  void isMadeOnceAndKept() throws IOException {
    Path deep = folder.resolve("a/b");
    Identity first = Identity.open(deep, NOW);
    Identity again = Identity.open(deep, NOW);
    assertThat(again.fingerprint()).isEqualTo(first.fingerprint());
    assertThat(again.key()).isEqualTo(first.key());
    assertThat(again.certificate()).isEqualTo(first.certificate());
    Path file = deep.resolve(Identity.FILE_NAME);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (Stream<Path> files = Files.list(deep)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void anInterruptionLeavesNothing() throws Exception {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Identity.open(folder, NOW))
        .isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFileInPlaceOfTheFolderIsNamed() throws Exception {
    Path file = Files.createFile(folder.resolve("state"));
    assertThatThrownBy(() -> Identity.open(file, NOW)).hasMessage(file + ": not a directory");
  }

  @Test
  void isTheSameForAllThatStartAtOnce() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<Fingerprint>> results =
          threads.invokeAll(
              Stream.<Callable<Fingerprint>>generate(
                      () -> () -> Identity.open(folder, NOW).fingerprint())
                  .limit(8)
                  .toList());
      var different = results.stream().map(Future::resultNow).collect(Collectors.toSet());
      assertThat(different).hasSize(1);
    }
  }

  @Test
  void anExpiredCertificateIsNamedWithItsEnd() throws IOException {
    Identity.open(folder, NOW);
    assertThatThrownBy(() -> Identity.open(folder, NOW.plus(Duration.ofDays(4000))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(Identity.FILE_NAME)
        .hasMessageContaining("expired at")
        .hasMessageContaining("delete the file");
    assertThatThrownBy(() -> Identity.open(folder, NOW.minus(Duration.ofDays(4000))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the clock says");
  }

  @Test
  void aKeyThatOthersReadIsRefused() throws IOException {
    Identity.open(folder, NOW);
    Path file = folder.resolve(Identity.FILE_NAME);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> Identity.open(folder, NOW))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rw-r-----")
        .hasMessageContaining("mode 600");
  }

  @Test
  void damageIsNamed() throws IOException {
    Identity.open(folder, NOW);
    Path file = folder.resolve(Identity.FILE_NAME);
    String text = Files.readString(file);
    int certificate = text.indexOf("-----BEGIN CERTIFICATE");
    Path other = folder.resolve("other");
    Identity.open(other, NOW);
    String foreign = Files.readString(other.resolve(Identity.FILE_NAME));
    String mixed =
        text.substring(0, certificate) + foreign.substring(foreign.indexOf("-----BEGIN CERT"));
    for (String damaged :
        List.of(
            "",
            text.substring(0, certificate),
            text.substring(0, 100),
            mixed,
            "x" + " ".repeat(70_000))) {
      Files.writeString(file, damaged);
      assertThatThrownBy(() -> Identity.open(folder, NOW))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("not an identity");
    }
  }

  @Test
  void fingerprintsAreReadAndWritten() {
    Fingerprint fingerprint = Identity.create(NOW).fingerprint();
    assertThat(fingerprint.toString()).matches("sha256:[0-9a-f]{64}");
    assertThat(Fingerprint.parse(fingerprint.toString())).isEqualTo(fingerprint);
    assertThat(Fingerprint.parse("SHA256:" + fingerprint.hex().toUpperCase(java.util.Locale.ROOT)))
        .isEqualTo(fingerprint);
    assertThat(Fingerprint.parse(fingerprint.hex())).isEqualTo(fingerprint);
    for (String bad : List.of("", "sha256:", fingerprint + "0", "sha256:" + "g".repeat(64))) {
      assertThatThrownBy(() -> Fingerprint.parse(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "fingerprint '%s': want 64 hexadecimal digits, with or without 'sha256:' before them",
              bad);
    }
  }
}
