package io.fieldstone.weights.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Names of codes: a code of at most 256 bits, or a message. */
public class CodeFamilyFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    String name = new String(data, StandardCharsets.UTF_8);
    BinaryCode code;
    try {
      code = CodeFamily.parse(name);
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    assertThat(CodeFamily.isName(name)).isTrue();
    assertThat(code.length()).isBetween(1, 256);
    assertThat(code.dimension()).isBetween(0, code.length());
  }

  @Test
  void replays() throws Exception {
    Replay.run(CodeFamilyFuzzTest.class, CodeFamilyFuzzTest::fuzzerTestOneInput);
  }
}
