package io.fieldstone.net.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.trust.Fingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs({OS.LINUX, OS.MAC})
class StateFolderTest {

  @TempDir Path folder;

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void newFoldersAndFilesAreForTheirOwnerOnly() throws Exception {
    Path state = folder.resolve("parent").resolve("state");
    Fingerprint one = new Fingerprint("1".repeat(64));

    new KnownServers(state).remember("a:1", one);

    assertThat(mode(state.getParent())).isEqualTo("rwx------");
    assertThat(mode(state)).isEqualTo("rwx------");
    assertThat(mode(state.resolve(KnownServers.FILE))).isEqualTo("rw-------");
    assertThat(mode(state.resolve("trust_lock"))).isEqualTo("rw-------");
  }

  /** Its user may share it with a group. */
  @Test
  void thoseThatAreThereKeepTheirModes() throws Exception {
    Path file = Files.writeString(folder.resolve(KnownServers.FILE), "");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwx---"));

    new KnownServers(folder).remember("a:1", new Fingerprint("1".repeat(64)));

    assertThat(mode(folder)).isEqualTo("rwxrwx---");
    assertThat(mode(file)).isEqualTo("rw-rw----");
  }

  @Test
  void aFileIsNoFolder() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> StateFolder.make(file)).hasMessage(file + ": not a directory");
  }
}
