package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of the blocks of {@code console} of {@code docs/crc.md}. */
class CrcPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs/crc.md");

  /** The names on the page that are files in the folder of the test. */
  private static final Set<String> FILES = Set.of("digits", "copy", "frame", "crc.v");

  @TempDir Path directory;

  @Test
  void thePageHasTheOutputOfItsCommands() throws Exception {
    List<String> page = Files.readAllLines(PAGE);
    Files.writeString(directory.resolve("digits"), "123456789");
    byte[] frame = "Mode S 88bi".getBytes(StandardCharsets.US_ASCII);
    frame[0] ^= (byte) 0x80;
    Files.write(directory.resolve("frame"), frame);

    List<String> actual = ConsolePage.run(page, this::outputOf);

    assertThat(page.stream().filter("```console"::equals)).hasSize(5);
    assertThat(actual).isEqualTo(page);
  }

  private List<String> outputOf(String line) {
    String[] words =
        Stream.of(line.split(" "))
            .skip(1) // fieldstone
            .map(word -> FILES.contains(word) ? directory.resolve(word).toString() : word)
            .toArray(String[]::new);
    RunOf run = RunOf.fieldstone(words);
    return (run.out() + run.err()).replace(directory + "/", "").lines().toList();
  }
}
