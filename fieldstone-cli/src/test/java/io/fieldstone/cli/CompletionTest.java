package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Completes each option that has a fixed set of values, as the shells do. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class CompletionTest {

  /** The labels of options whose values are free text. */
  private static final Set<String> FREE_TEXT =
      Set.of(
          "NAME",
          "ADDRESS/BITS",
          "HEX",
          "CRC",
          "CRC_A CRC_B LENGTH_B",
          "BYTES",
          "TEXT",
          "MESSAGE,CHECKSUM",
          "KEY[,KEY]...",
          "URL",
          "X,Y",
          "BOX",
          "F",
          "H[,H]",
          "CRS",
          "OFFSET:LENGTH",
          "KEY",
          "FINGERPRINT",
          "NAME|ID",
          "TABLE",
          "CODE",
          "FILE");

  /** Calls the function of the script with the words of each line, and prints the answers. */
  private static final String CALLS =
      """
      while read -r -a COMP_WORDS; do
        COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMP_LINE="${COMP_WORDS[*]}"
        COMP_POINT=${#COMP_LINE}
        COMPREPLY=()
        $complete 2>/dev/null
        echo "${COMPREPLY[*]}"
      done <calls
      """;

  @TempDir Path directory;

  private final List<String> calls = new ArrayList<>();
  private final List<String> answers = new ArrayList<>();

  @BeforeEach
  void collectCalls() throws Exception {
    Files.writeString(directory.resolve("script"), RunOf.fieldstone("completion").out());
    for (CommandLine command : UsageTest.allCommands()) {
      for (ArgSpec argument : command.getCommandSpec().args()) {
        if (argument.completionCandidates() != null) {
          List<String> values = new ArrayList<>();
          argument.completionCandidates().forEach(values::add);
          assertThat(values).as(argument.paramLabel()).isNotEmpty();
          String option = argument instanceof OptionSpec each ? " " + each.longestName() : "";
          calls.add(command.getCommandSpec().qualifiedName() + option);
          answers.add(String.join(" ", values));
        }
      }
    }
    Files.write(directory.resolve("calls"), calls);
  }

  @Test
  void bashCompletesEveryEnumeratedOption() throws Exception {
    assertThat(calls).contains("fieldstone crc --algorithm", "fieldstone help");
    assertThat(completed("bash", "complete=_complete_fieldstone_words\nsource ./script\n" + CALLS))
        .isEqualTo(answers);
  }

  /** Bash splits words at : and =, and replaces what follows the last one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fieldstone devices --engine cpu : ve | vector",
        "fieldstone devices --engine cpu : | vector scalar",
        "fieldstone devices --engine = cpu : ve | vector",
        "fieldstone devices --engine = au | auto",
        "fieldstone sort x --type = | u32 i32 u64 i64 f32 f64",
        "fieldstone sort x --type u6 | u64",
        "fieldstone help ke | key",
        "fieldstone help key s | signing show",
        "fieldstone help crc s | ''",
      })
  void bashCompletesPartsOfWords(String words, String answer) throws Exception {
    String call =
        """
        COMP_WORDS=(%s)
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMP_LINE="${COMP_WORDS[*]}"
        _complete_fieldstone_words
        echo "${COMPREPLY[*]}"
        """
            .formatted(words);

    assertThat(completed("bash", "source ./script\n" + call)).containsExactly(answer);
  }

  /** bashcompinit calls the function with these options of zsh. */
  @Test
  void zshCompletesEveryEnumeratedOption() throws Exception {
    assumeThat(Files.isExecutable(Path.of("/usr/bin/zsh"))).as("zsh").isTrue();
    String begin =
        """
        autoload -U +X compinit && compinit -u
        autoload -U +X bashcompinit && bashcompinit
        source ./script
        complete=_complete_fieldstone
        emulate -L sh
        setopt kshglob noshglob braceexpand ksharrays
        """;
    assertThat(completed("zsh", begin + CALLS.replace("read -r -a", "read -r -A")))
        .isEqualTo(answers);
  }

  private List<String> completed(String shell, String script) throws Exception {
    Process process =
        new ProcessBuilder(shell, "-c", script)
            .directory(directory.toFile())
            .redirectError(directory.resolve("stderr").toFile())
            .start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor()).isZero();
    return lines;
  }

  /** A new option with text as its value must complete, or be listed as free text. */
  @Test
  void everyOptionOfTextCompletesOrIsFreeText() {
    Set<String> incomplete = new TreeSet<>();
    for (CommandLine command : UsageTest.allCommands()) {
      for (ArgSpec argument : command.getCommandSpec().args()) {
        boolean isText =
            argument.typeInfo().getType() == String.class
                || argument.auxiliaryTypes()[0] == String.class
                || argument.typeInfo().isEnum();
        if (isText
            && argument.completionCandidates() == null
            && !FREE_TEXT.contains(argument.paramLabel())) {
          incomplete.add(command.getCommandSpec().qualifiedName() + " " + argument.paramLabel());
        }
      }
    }
    assertThat(incomplete).isEmpty();
  }
}
