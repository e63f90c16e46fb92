package io.fieldstone.stream.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintableTest {

  /** ESC, CSI in one character, DEL, NEL, a change of direction, a tag beyond 16 bits. */
  private static final String HOSTILE = "a\u001b[31m\u009b2J\u007f\u0085\u202e\udb40\udc01\ud800";

  private static final String ESCAPED =
      "a\\u001b[31m\\u009b2J\\u007f\\u0085\\u202e\\udb40\\udc01\\ud800";

  @Test
  void whatTerminalsObeyIsEscaped() {
    assertThat(Printable.line(HOSTILE + "\n")).isEqualTo(ESCAPED + "\\u000a");
    assertThat(Printable.lines(HOSTILE + "\n")).isEqualTo(ESCAPED + "\n");
    assertThat(Printable.lines("\r\t\u2028")).isEqualTo("\\u000d\\u0009\\u2028");
  }

  @ParameterizedTest
  @CsvSource({"plain", "'a b'", "system-a\\x2db.slice", "Straße", "漢字", "😀"})
  void otherTextStays(String text) {
    assertThat(Printable.line(text)).isEqualTo(text);
  }
}
