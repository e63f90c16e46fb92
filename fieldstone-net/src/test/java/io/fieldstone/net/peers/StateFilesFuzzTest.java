package io.fieldstone.net.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Files of known servers and of banned peers are read, or named with the line that is wrong. */
public class StateFilesFuzzTest {

  private static final Path FILE = Path.of("state", "file");

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      List<BannedPeers.Ban> bans = BannedPeers.parse(FILE, data);
      String written = bans.stream().map(BannedPeers.Ban::line).collect(Collectors.joining("\n"));
      assertThat(BannedPeers.parse(FILE, written.getBytes(StandardCharsets.UTF_8))).isEqualTo(bans);
    } catch (FileSystemException e) {
      assertThat(e.getMessage()).startsWith(FILE + ": ");
    }
    try {
      Map<String, Fingerprint> known = KnownServers.parse(FILE, data);
      assertThat(known).doesNotContainKey("");
    } catch (FileSystemException e) {
      assertThat(e.getMessage()).startsWith(FILE + ": ");
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(StateFilesFuzzTest.class, StateFilesFuzzTest::fuzzerTestOneInput);
  }
}
