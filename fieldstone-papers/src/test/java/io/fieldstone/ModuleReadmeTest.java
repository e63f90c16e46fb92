package io.fieldstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.RunOf;
import io.fieldstone.cli.TestFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The README of each module. Its Java is that of {@code examples}, which the release runs. */
class ModuleReadmeTest {

  private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..");
  private static final int PAGE_LINES = 60;

  /** Classes that a README names. */
  private static final Pattern CLASS = Pattern.compile("`(?:[a-z]+\\.)*([A-Z]\\w+)`");

  private static final Pattern COMMAND = Pattern.compile("(?m)^    fieldstone (.*)$");

  static List<Path> modules() throws IOException {
    try (Stream<Path> files = Files.list(ROOT)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("fieldstone-"))
          .filter(file -> Files.exists(file.resolve("pom.xml")))
          .sorted()
          .toList();
    }
  }

  @Test
  void allModulesAreFound() throws IOException {
    assertThat(modules()).hasSizeGreaterThan(10);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void aReadmeOfOnePageNamesClassesThatExist(Path module) throws IOException {
    String text = Files.readString(module.resolve("README.md"));
    assertThat(text).startsWith("# " + module.getFileName() + "\n");
    assertThat(text.lines().count()).isLessThanOrEqualTo(PAGE_LINES);
    Set<String> classes;
    try (Stream<Path> files = Files.walk(ROOT)) {
      classes =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".java"))
              .map(name -> name.replace(".java", ""))
              .collect(Collectors.toSet());
    }
    List<String> named = CLASS.matcher(text).results().map(match -> match.group(1)).toList();
    assertThat(classes).containsAll(named);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void theCommandsOfAReadmeSucceed(Path module, @TempDir Path directory) throws IOException {
    TestFolder folder = new TestFolder(directory);
    folder.write("film", 10_000);
    String text = Files.readString(module.resolve("README.md"));
    for (String command : COMMAND.matcher(text).results().map(match -> match.group(1)).toList()) {
      RunOf run = folder.run(command.split(" "));
      assertThat(run.status()).as(run.err()).isZero();
      assertThat(run.out()).isNotEmpty();
    }
  }
}
