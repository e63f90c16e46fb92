package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.BuiltCommand.Result;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that unusual streams, names and sizes yield one line of output and no internal error. */
@EnabledOnOs(OS.LINUX)
@Execution(ExecutionMode.CONCURRENT)
class OddInputIT {

  @TempDir Path directory;

  private BuiltCommand built;

  @BeforeEach
  void findTheCommand() {
    built = new BuiltCommand(directory);
  }

  /** A file of the JVM could get the descriptor of a closed stream. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exec \"$@\" <&- | crc - | bad file descriptor: standard input",
        "exec \"$@\" <&- | encode - -o out | bad file descriptor: standard input",
        "exec \"$@\" <&- | weights - | bad file descriptor: standard input",
        "exec \"$@\" <&- | relays - --range 5 | bad file descriptor: standard input",
        "exec \"$@\" <. | crc - | is a directory: standard input",
        "exec \"$@\" <. | encode - -o out | is a directory: standard input",
        "exec \"$@\" >&- | weights golay:23 | bad file descriptor: standard output",
        "exec \"$@\" >&- | crc code | bad file descriptor: standard output",
        "exec \"$@\" >/dev/full | completion | no space left on device: standard output",
      })
  void streamsThatAreNone(String script, String line, String message) throws Exception {
    Files.writeString(directory.resolve("code"), "101\n");

    Result result = built.run(built.inShell(script, line.split(" ")));

    assertThat(result).isEqualTo(new Result(1, "", "fieldstone: " + message + "\n"));
  }

  /** The output is lost, but the exit status is right. */
  @Test
  void aClosedStandardErrorIsNoFailure() throws Exception {
    assertThat(built.run(built.inShell("exec \"$@\" 2>&-", "weights", "simplex:2")))
        .isEqualTo(new Result(0, "weight,count\n0,1\n2,3\n", ""));
    assertThat(built.run(built.inShell("exec \"$@\" 2>&-", "weights", "none")).status()).isOne();
  }

  /** These are the locales of cron jobs. */
  @ParameterizedTest
  @ValueSource(strings = {"LC_ALL=C", "LC_ALL= LC_CTYPE=POSIX", "LC_ALL= LC_CTYPE= LANG="})
  void namesHaveAnyLetterInAnyLocale(String locale) throws Exception {
    Files.writeString(directory.resolve("Größe ≤ 5"), "101\n");

    Result result =
        built.run(built.inShell("export " + locale + "; exec \"$@\"", "weights", "Größe ≤ 5"));

    assertThat(result).isEqualTo(new Result(0, "weight,count\n0,1\n2,1\n", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "weights -",
        "weights zeros",
        "weights golay:23 --joint --permutation zeros",
        "relays - --range 5",
        "relays zeros --range 5",
        "crc --check -",
      })
  void textIsLimitedByTheHeap(String line) throws Exception {
    Files.write(directory.resolve("zeros"), new byte[(4 << 20) + 1]);
    ProcessBuilder process = built.process("-Xmx64m", line.split(" "));

    Result result = built.run(process.redirectInput(line.contains("zeros") ? nothing() : zeros()));

    assertThat(result.status()).isOne();
    assertThat(result.err())
        .startsWith("fieldstone: text of more than 4.0 MiB, ")
        .contains("FIELDSTONE_JAVA_OPTS=-Xmx")
        .hasLineCount(1);
  }

  private static java.io.File zeros() {
    return new java.io.File("/dev/zero");
  }

  private static java.io.File nothing() {
    return new java.io.File("/dev/null");
  }

  /** A text within its limit may still need more than the heap. */
  @Test
  void aHeapThatIsFullIsOneLine() throws Exception {
    Files.writeString(directory.resolve("code"), "1\n".repeat(1_500_000), StandardCharsets.UTF_8);

    Result result = built.run(built.process("-Xmx64m", "weights", "code"));

    assertThat(result.status()).isOne();
    assertThat(result.err())
        .matches("fieldstone: out of memory: the JVM has 64.0 MiB of heap; set FIELDSTONE_.*\n");
  }
}
