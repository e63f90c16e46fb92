package io.fieldstone.crc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Checksums and polynomials in hexadecimal, by width and notation: there and back is the same. */
public class CrcValueFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    int width = 1 + (data[0] & 0x7F);
    CrcValue value;
    try {
      value = CrcValue.parse(width, new String(data, 1, data.length - 1, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    assertThat(CrcValue.parse(width, value.toString())).isEqualTo(value);
    for (CrcNotation notation : CrcNotation.values()) {
      CrcValue normal;
      try {
        normal = notation.toNormal(value);
      } catch (IllegalArgumentException e) {
        continue;
      }
      if (normal.bit(0)) {
        assertThat(notation.of(normal)).isEqualTo(value);
      }
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(CrcValueFuzzTest.class, CrcValueFuzzTest::fuzzerTestOneInput);
  }
}
