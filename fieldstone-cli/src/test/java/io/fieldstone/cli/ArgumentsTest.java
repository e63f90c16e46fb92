package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void textIsDecodedIndependentlyOfTheSystemEncoding() {
    assertThat(Arguments.undecoded("crc", "näme€", "")).isEmpty();
    assertThat(Arguments.undecoded(List.of("crc", "ü"), List.of())).isEmpty();
  }

  @Test
  void replacementsAreDistinguishedFromTheCharacterByBytes() {
    byte[] other = {'b', 'a', 'd', (byte) 0xFF};
    List<byte[]> command = List.of(utf8("java"), utf8("crc"), utf8("good\uFFFD"), other);

    assertThat(Arguments.undecoded(List.of("crc", "good\uFFFD", "x"), command)).isEmpty();
    assertThat(Arguments.undecoded(List.of("crc", "good\uFFFD", "bad\uFFFD"), command))
        .hasValue("bad\uFFFD");
  }

  @Test
  void withoutTheBytesEveryReplacementIsRefused() {
    assertThat(Arguments.undecoded(List.of("a", "b\uFFFD"), List.of())).hasValue("b\uFFFD");
  }
}
