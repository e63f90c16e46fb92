package io.fieldstone.papers;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.bench.Benchmark;
import io.fieldstone.papers.PapersPage.Named;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sections that the documents name are there, so that {@code bench --section} takes them. */
class PapersPageTest {

  private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..");

  private static final Pattern COMMAND =
      Pattern.compile("bench ([\\w-]+)[^`\\n]*? --section ([\\w-]+)");

  /** A word in place of any section. */
  private static final String ANY = "NAME";

  @Test
  void aTableOfThePapersIsThatOfASection() throws IOException {
    List<Named> tables = PapersPage.tables();
    assertThat(tables).hasSizeGreaterThan(25);
    assertThat(tables)
        .allSatisfy(named -> {
          List<String> sections = Benchmark.named(named.benchmark()).orElseThrow().sections();
          if (!sections.isEmpty()) {
            assertThat(sections).as("%s", named).contains(named.section().orElse(named.table()));
          }
        });
  }

  @Test
  void aCommandOfThePagesRunsASection() throws IOException {
    int count = 0;
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      for (Path page : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        Matcher commands = COMMAND.matcher(Files.readString(page));
        while (commands.find()) {
          count++;
          Optional<Benchmark> benchmark = Benchmark.named(commands.group(1));
          assertThat(benchmark).as("%s: %s", page, commands.group()).isPresent();
          if (!commands.group(2).equals(ANY)) {
            assertThat(benchmark.orElseThrow().sections())
                .as("%s: %s", page, commands.group())
                .contains(commands.group(2));
          }
        }
      }
    }
    assertThat(count).isGreaterThan(20);
  }
}
