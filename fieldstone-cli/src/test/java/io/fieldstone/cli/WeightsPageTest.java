package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs the commands of the block of {@code console} of {@code docs/weights.md}: long codes. */
class WeightsPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs/weights.md");

  @Test
  void thePageHasTheOutputOfItsCommands() throws Exception {
    List<String> page = Files.readAllLines(PAGE);
    List<String> actual = ConsolePage.run(page, WeightsPageTest::outputOf);
    assertThat(page).containsOnlyOnce("```console");
    assertThat(actual).isEqualTo(page);
  }

  private static List<String> outputOf(String line) {
    RunOf run =
        RunOf.fieldstone(Stream.of(line.split(" ")).skip(1).toArray(String[]::new)); // fieldstone
    return (run.out() + run.err()).lines().toList();
  }
}
