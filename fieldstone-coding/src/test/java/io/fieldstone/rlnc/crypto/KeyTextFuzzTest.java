package io.fieldstone.rlnc.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Key files: what is read is written as it was, but for the ends of lines. */
public class KeyTextFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, StandardCharsets.ISO_8859_1);
    String lines = KeyText.lines(text);
    try {
      assertThat(MasterKey.parse(text).toText()).isEqualTo(lines);
    } catch (MalformedDataException e) {
      assertThat(e.offset()).isBetween(0L, (long) lines.length());
    }
    try {
      assertThat(SigningKey.parse(text).toText()).isEqualTo(lines);
    } catch (MalformedDataException e) {
      assertThat(e.offset()).isBetween(0L, (long) lines.length());
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(KeyTextFuzzTest.class, KeyTextFuzzTest::fuzzerTestOneInput);
  }
}
