package io.fieldstone.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void alignsTextLeftAndNumbersRight() {
    TextTable table = new TextTable().text("name").number("bytes").text("end");
    table.row("a", 1, "x").row("längere", 12345, "");

    assertThat(table.toString())
        .isEqualTo(
            """
            name     bytes  end
            a            1  x
            längere  12345
            """);
  }

  @Test
  void leavesOutAnEmptyHeader() {
    assertThat(new TextTable().text("").text("").row("k", "v").toString()).isEqualTo("k  v\n");
  }

  @Test
  void hasAnyNumberOfRows() {
    TextTable table = new TextTable().number("").text("");
    IntStream.range(0, 1000).forEach(i -> table.row(i, ""));
    assertThat(table.toString().lines()).hasSize(1000).startsWith("  0").endsWith("998", "999");
  }

  @Test
  void refusesARowOfAnotherLength() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TextTable().text("a").row(1, 2))
        .withMessage("2 cells for 1 columns");
  }
}
