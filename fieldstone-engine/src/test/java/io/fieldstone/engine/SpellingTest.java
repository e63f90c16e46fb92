package io.fieldstone.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {

  private static final List<String> NAMES = List.of("demo", "encode", "decode", "relay", "crc");

  @ParameterizedTest
  @CsvSource({
    "encod, encode", // a character is missing
    "decodee, decode", // one too many
    "recode, decode", // one is wrong
    "enocde, encode", // two are exchanged
    "CRC, crc",
    "dec, decode", // a beginning
    "relaying, relay", // a continuation
    "crx, crc",
  })
  void aNameThatAWordMisspellsIsSuggested(String word, String name) {
    assertThat(Spelling.nearest(word, NAMES)).contains(name);
    assertThat(Spelling.hint(word, NAMES)).isEqualTo("did you mean '" + name + "'?");
  }

  @Test
  void anotherNumberIsNoMisspelling() {
    List<String> names = List.of("CRC-7", "CRC-16", "u32", "i64");
    assertThat(Spelling.nearest("CRC-99", names)).isEmpty();
    assertThat(Spelling.nearest("u16", names)).isEmpty();
    assertThat(Spelling.nearest("CRCC-16", names)).contains("CRC-16");
    assertThat(Spelling.nearest("u23", names)).contains("u32");
  }

  @Test
  void allNamesAreListedIfNoneIsNear() {
    assertThat(Spelling.hint("brew", NAMES))
        .isEqualTo("there are: demo, encode, decode, relay, crc");
    assertThat(Spelling.nearest("x", NAMES)).isEmpty();
    assertThat(Spelling.nearest("", NAMES)).isEmpty();
    assertThat(Spelling.nearest("demo", List.of())).isEmpty();
  }
}
