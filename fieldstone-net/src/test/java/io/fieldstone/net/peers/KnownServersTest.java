package io.fieldstone.net.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.net.trust.Fingerprint;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownServersTest {

  private static final Fingerprint ONE = new Fingerprint("1".repeat(64));
  private static final Fingerprint TWO = new Fingerprint("2".repeat(64));

  @TempDir Path folder;

  @Test
  void remembersTheFirstFingerprint() throws Exception {
    KnownServers known = new KnownServers(folder.resolve("state"));
    assertThat(known.find("a:1")).isEmpty();

    known.remember("a:1", ONE);
    known.remember("[::1]:2", TWO);
    known.remember("a:1", ONE);

    KnownServers again = new KnownServers(folder.resolve("state"));
    assertThat(again.find("a:1")).contains(ONE);
    assertThat(again.find("[::1]:2")).contains(TWO);
    assertThatThrownBy(() -> again.remember("a:1", TWO))
        .hasMessage(
            "its fingerprint has changed from %s to %s; if the server has a new identity,"
                    .formatted(ONE, TWO)
                + " remove its line in "
                + again.file());
    assertThat(again.find("a:1")).contains(ONE);
  }

  /** Each has its own object, as each fetch of a process has. */
  @Test
  void linesOfManyAtOnceAreKept() throws Exception {
    int count = 20;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        String server = "a:" + i;
        all.add(
            threads.submit(() -> {
              new KnownServers(folder.resolve("state")).remember(server, ONE);
              return server;
            }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
    for (int i = 0; i < count; i++) {
      assertThat(new KnownServers(folder.resolve("state")).find("a:" + i)).contains(ONE);
    }
  }

  @Test
  void keepsTheLinesOfItsUser() throws Exception {
    Path file = folder.resolve(KnownServers.FILE);
    Files.writeString(file, "# mine\n\n  a:1   " + ONE);
    KnownServers known = new KnownServers(folder);

    known.remember("b:2", TWO);

    assertThat(Files.readString(file))
        .isEqualTo("# mine\n\n  a:1   %s\nb:2 %s\n".formatted(ONE, TWO));
  }

  @Test
  void namesALineThatIsNotValid() throws Exception {
    Files.writeString(folder.resolve(KnownServers.FILE), "a:1 " + ONE + "\nb:2 sha256:xyz\n");

    assertThatThrownBy(() -> new KnownServers(folder).find("a:1"))
        .hasMessageContaining("line 2: fingerprint");
  }

  @Test
  void namesAFileThatIsNotText() throws Exception {
    Path file = Files.write(folder.resolve(KnownServers.FILE), new byte[] {(byte) 0xff});

    assertThatThrownBy(() -> new KnownServers(folder).find("a:1")).hasMessage(file + ": not UTF-8");
  }

  @Test
  void namesAddresses() {
    assertThat(KnownServers.name(InetSocketAddress.createUnresolved("a.example", 1)))
        .isEqualTo("a.example:1");
    assertThat(KnownServers.name(InetSocketAddress.createUnresolved("::1", 1)))
        .isEqualTo("[::1]:1");
  }
}
