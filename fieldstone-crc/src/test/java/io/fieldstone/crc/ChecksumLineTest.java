package io.fieldstone.crc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksumLineTest {

  private static final CrcModel CRC32 = CrcCatalogue.model("CRC-32/ISO-HDLC");
  private static final CrcValue VALUE = CrcValue.parse(32, "0badcafe");

  @Test
  void namesWithLineBreaksAreEscapedAsByGnu() {
    ChecksumLine line = new ChecksumLine(VALUE, "a\\b\nc\r");
    assertThat(line.text()).isEqualTo("\\0badcafe  a\\\\b\\nc\\r");
    assertThat(ChecksumLine.parse(line.text(), CRC32)).contains(line);
  }

  @Test
  void plainNamesAndTheMarkOfBinaryModeAreRead() {
    ChecksumLine line = new ChecksumLine(VALUE, "a b");
    assertThat(line.text()).isEqualTo("0badcafe  a b");
    assertThat(ChecksumLine.parse("0BADCAFE *a b", CRC32)).contains(line);
  }

  @Test
  void oneBlankOrTwoPrecedeAName() {
    ChecksumLine line = new ChecksumLine(VALUE, "a");
    assertThat(ChecksumLine.parse(" \t0badcafe\t a", CRC32)).contains(line);
    assertThat(ChecksumLine.parse("0badcafe a", CRC32)).isEmpty();
    assertThat(ChecksumLine.parseReversed(" 0badcafe a", CRC32)).contains(line);
    assertThat(ChecksumLine.parseReversed("0badcafe  a", CRC32))
        .contains(new ChecksumLine(VALUE, " a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0badcafe", "0badcaf  a", "00badcafe  a", "\\0badcafe  a\\x", "x  a"})
  void otherLinesAreNone(String line) {
    assertThat(ChecksumLine.parse(line, CRC32)).isEmpty();
  }
}
