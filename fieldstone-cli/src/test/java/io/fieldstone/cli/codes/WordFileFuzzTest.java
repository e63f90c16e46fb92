package io.fieldstone.cli.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.testing.Replay;
import io.fieldstone.weights.codes.StabilizerCode;
import io.fieldstone.weights.distance.LightWord;
import io.fieldstone.weights.distance.StabilizerWords;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files of words: positions ascend and are in range, or an error names the file. */
public class WordFileFuzzTest {

  private static final int LENGTH = 100;

  private static final StabilizerWords OPERATORS =
      StabilizerWords.of(StabilizerCode.of(Gf2Matrix.of("1001001100", "0100100110")));

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    try {
      WordFile.parseCsv("file", text, LENGTH).forEach(word -> requireAscending(word.positions()));
    } catch (Failure e) {
      assertThat(e).hasMessageContaining("file");
    }
    try {
      WordFile.parseOperators("file", text, OPERATORS)
          .forEach(word -> requireAscending(word.positions()));
    } catch (Failure e) {
      assertThat(e).hasMessageContaining("file");
    }
    try {
      assertThat(OperatorsJson.lines("file", text).lines()).noneMatch(String::isEmpty);
    } catch (Failure e) {
      assertThat(e).hasMessageContaining("file");
    }
    try {
      SupportsJson.parse("file", text, LENGTH).forEach(WordFileFuzzTest::requireAscending);
    } catch (Failure e) {
      assertThat(e).hasMessageContaining("file");
    }
  }

  private static void requireAscending(List<Integer> positions) {
    assertThat(new LightWord(positions).positions()).isSorted().doesNotHaveDuplicates();
    assertThat(positions).allMatch(position -> position >= 0 && position < LENGTH);
  }

  @Test
  void replays() throws Exception {
    Replay.run(WordFileFuzzTest.class, WordFileFuzzTest::fuzzerTestOneInput);
  }
}
