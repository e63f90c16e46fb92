package io.fieldstone.weights;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Checkpoints: a parsed state is written with the same bytes. The first byte selects a valid
 * digest.
 */
public class RunStateFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(data, 1, data.length);
    if ((data[0] & 1) != 0 && bytes.length >= 32) {
      byte[] digest = sha256(Arrays.copyOf(bytes, bytes.length - 32));
      System.arraycopy(digest, 0, bytes, bytes.length - 32, 32);
    }
    try {
      RunState state = RunState.parse(FILE, bytes);
      assertThat(state.toBytes()).isEqualTo(bytes);
      assertThat(RunState.Header.parse(FILE, bytes).method()).isEqualTo(state.method());
    } catch (MalformedCheckpointException e) {
      assertThat(e).hasMessageEndingWith(": file");
    }
  }

  private static final Path FILE = Path.of("file");

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(RunStateFuzzTest.class, RunStateFuzzTest::fuzzerTestOneInput);
  }
}
