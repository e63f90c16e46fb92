package io.fieldstone.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressLineTest {

  private static final int WIDTH = 79;
  private static final long SECOND = 1_000_000_000;
  private static final long MIB = 1 << 20;

  private static String bytes(ProgressLine line, long done, long total, double seconds) {
    return line.ofBytes(done, total, (long) (seconds * SECOND), "", WIDTH);
  }

  @ParameterizedTest
  @CsvSource({
    "500, 1000, '500 of 1000 B'",
    "500, 2048, '0.5 of 2.0 KiB'",
    "45088768, 100000000, '43.0 of 95.4 MiB'",
    "0, 3221225472, '0.0 of 3.0 GiB'",
  })
  void bytesAreInTheUnitOfTheFile(long done, long total, String amounts) {
    assertThat(bytes(new ProgressLine("encode"), done, total, 1)).contains("│ " + amounts + ", ");
  }

  @Test
  void theRateIsThatOfTheLastSeconds() {
    ProgressLine line = new ProgressLine("encode");
    String shown = "";
    for (int second = 0; second <= 20; second++) { // the first ten seconds are ten times slower
      long done = 1_000_000L * Math.min(second, 10) + 10_000_000L * Math.max(0, second - 10);
      shown = bytes(line, done, 1_000_000_000, second);
    }
    assertThat(shown).endsWith(", 10.0 MB/s, 1 min 29 s left");
  }

  /** As measured while a file of 300 MB was encoded on a busy machine. */
  @Test
  void aRateThatStillIncreasesHasNoEstimate() {
    ProgressLine line = new ProgressLine("encode");
    long[] megabytes = {0, 0, 1, 2, 5, 12, 30, 75, 190};
    for (int second = 0; second < megabytes.length; second++) {
      assertThat(bytes(line, megabytes[second] * 1_000_000, 300_000_000, second))
          .doesNotContain("left");
    }
  }

  /** The part of a file that an earlier run fetched has no rate. */
  @Test
  void aJobThatContinuesIsNotFasterForIt() {
    ProgressLine line = new ProgressLine("fetch");
    bytes(line, 900_000_000, 1_000_000_000, 0);
    bytes(line, 905_000_000, 1_000_000_000, 2);
    assertThat(bytes(line, 910_000_000, 1_000_000_000, 4)).endsWith(", 2.50 MB/s, 36 s left");
  }

  @Test
  void theFirstSecondsHaveNoEstimate() {
    ProgressLine line = new ProgressLine("encode");
    assertThat(bytes(line, 0, 100 * MIB, 0)).endsWith("│ 0.0 of 100.0 MiB, -");
    assertThat(bytes(line, MIB, 100 * MIB, 1)).doesNotContain("left");
    assertThat(bytes(line, 2 * MIB, 100 * MIB, 2)).endsWith(", 1.05 MB/s, 1 min 38 s left");
  }

  @Test
  void aJobThatStandsHasNoEstimate() {
    ProgressLine line = new ProgressLine("fetch");
    for (int second = 0; second < 20; second++) {
      bytes(line, 5 * MIB, 100 * MIB, second);
    }
    assertThat(bytes(line, 5 * MIB, 100 * MIB, 20)).endsWith("5.0 of 100.0 MiB, -");
  }

  @Test
  void aStreamOfUnknownLengthHasNoBar() {
    ProgressLine line = new ProgressLine("encode");
    bytes(line, 0, -1, 0);
    assertThat(bytes(line, 3 * MIB, -1, 3)).isEqualTo("encode  3.0 MiB, 1.05 MB/s");
  }

  @Test
  void theLineFillsTheWidth() {
    ProgressLine line = new ProgressLine("encode");
    for (int percent = 0; percent <= 100; percent++) {
      String shown = bytes(line, percent * MIB, 100 * MIB, percent);
      assertThat(shown).hasSize(WIDTH).startsWith("encode %3d%% │".formatted(percent));
      assertThat(shown.chars().filter(each -> each == '│')).hasSize(2);
    }
    assertThat(line.ofBytes(0, MIB, SECOND, "a note ".repeat(20), WIDTH)).hasSize(WIDTH);
    assertThat(bytes(new ProgressLine("empty"), 0, 0, 0)).startsWith("empty 100% │█");
  }

  /** A line that is longer than the terminal is not overwritten by the next one. */
  @ParameterizedTest
  @CsvSource({
    "60, 'encode  50% │███▌   │ 50.0 of 100.0 MiB, 13.1 MB/s, 4 s left'",
    "50, 'encode  50% 50.0 of 100.0 MiB, 13.1 MB/s, 4 s left'",
    "49, 'encode  50% │███   │ 50.0 of 100.0 MiB, 13.1 MB/s'",
    "42, 'encode  50% 50.0 of 100.0 MiB, 13.1 MB/s'",
    "39, 'encode  50% │███▌   │ 50.0 of 100.0 MiB'",
    "30, 'encode  50% 50.0 of 100.0 MiB'",
    "20, 'encode  50% 50.0 of '",
  })
  void aNarrowTerminalShowsTheFirstFacts(int width, String shown) {
    ProgressLine line = new ProgressLine("encode");
    line.ofBytes(0, 100 * MIB, 0, "", width);
    line.ofBytes(25 * MIB, 100 * MIB, 2 * SECOND, "", width);
    assertThat(line.ofBytes(50 * MIB, 100 * MIB, 4 * SECOND, "", width)).isEqualTo(shown);
  }

  @Test
  void theBarLeavesNoLine() {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    try (Progress bar =
        Progress.bar("encode", 100, new PrintStream(terminal, true, StandardCharsets.UTF_8))) {
      bar.accept(50);
    }
    assertThat(terminal.toString(StandardCharsets.UTF_8))
        .startsWith("\rencode ")
        .endsWith(" \r")
        .doesNotContain("\n");
  }

  @Test
  void stepsShowTheirNamesOrAnEstimate() {
    ProgressLine line = new ProgressLine("bench net");
    assertThat(line.ofSteps(3, 12, 61 * SECOND, "queue", WIDTH))
        .startsWith("bench net  25% │")
        .endsWith("│ 3 of 12, 61 s, queue");
    ProgressLine alike = new ProgressLine("3-stars");
    alike.ofSteps(0, 100, 0, "", WIDTH);
    alike.ofSteps(10, 100, 2 * SECOND, "", WIDTH);
    assertThat(alike.ofSteps(25, 100, 5 * SECOND, "", WIDTH)).endsWith("25 of 100, 5 s, 15 s left");
  }
}
