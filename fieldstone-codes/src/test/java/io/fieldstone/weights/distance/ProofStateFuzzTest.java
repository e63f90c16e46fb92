package io.fieldstone.weights.distance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import io.fieldstone.weights.codes.CodeFamily;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checkpoints of a proof: what can be read is written as it was. */
public class ProofStateFuzzTest {

  private static final WordSpace SPACE = WordSpace.of(CodeFamily.golay(24));
  private static final Symmetries SYMMETRIES = Symmetries.of(SPACE, List.of());
  private static final ProofState START = ProofState.start(2);
  private static final int HEADER_BYTES = 8 + 32;

  /** Called by a fuzzer, too. Header and checksum are set right, so that the rest is read. */
  public static void fuzzerTestOneInput(byte[] data) {
    read(data);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(START.toBytes(SPACE, SYMMETRIES), 0, HEADER_BYTES);
    bytes.writeBytes(data);
    bytes.writeBytes(sha256(bytes.toByteArray()));
    read(bytes.toByteArray());
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static void read(byte[] bytes) {
    ProofState state;
    try {
      state = ProofState.parse("file", bytes, SPACE, SYMMETRIES, START);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("file: ");
      return;
    }
    state
        .lightest()
        .ifPresent(word -> assertThat(word.positions()).isSorted().doesNotHaveDuplicates());
    assertThat(state.toBytes(SPACE, SYMMETRIES)).isEqualTo(bytes);
  }

  @Test
  void replays() throws Exception {
    Replay.run(ProofStateFuzzTest.class, ProofStateFuzzTest::fuzzerTestOneInput);
  }

  @Test
  void readsWhatItWrites() {
    read(START.toBytes(SPACE, SYMMETRIES));
    ProofState later = START.after(1, 3, 7).with(new LightWord(List.of(0, 3, 4, 7)));
    byte[] bytes = later.toBytes(SPACE, SYMMETRIES);
    assertThat(bytes).hasSizeGreaterThan(HEADER_BYTES);
    read(bytes);
  }
}
