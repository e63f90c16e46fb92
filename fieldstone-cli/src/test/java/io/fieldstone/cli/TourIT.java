package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of {@code docs/tour.md} in an empty folder and compares their output with the
 * page. A page with the output of this run is then in {@code target/tour.md}.
 */
@EnabledOnOs(OS.LINUX)
class TourIT {

  private static final Path HOME = Path.of(System.getProperty("fieldstone.home", "."));
  private static final Path DOCS = HOME.resolve("docs");
  private static final String FOLDER_ON_THE_PAGE = "/home/ada/tour";

  @TempDir Path directory;

  private Path tour;
  private BuiltCommand built;

  @BeforeEach
  void makeTheFolder() throws IOException {
    built = new BuiltCommand(directory);
    tour = Files.createDirectory(directory.resolve("tour"));
    Files.copy(DOCS.resolve("beacons.csv"), tour.resolve("beacons.csv"));
  }

  @Test
  void thePageHasTheOutputOfItsCommands() throws Exception {
    List<String> page = Files.readAllLines(DOCS.resolve("tour.md"));

    List<String> actual = ConsolePage.run(page, this::outputOf);

    Files.write(Path.of("target", "tour.md"), actual);
    assertThat(actual.stream().filter(line -> line.startsWith("$ fieldstone "))).hasSize(14);
    assertThat(ConsolePage.masked(actual)).isEqualTo(ConsolePage.masked(page));
    assertThat(tour.resolve("map.svg")).hasSameTextualContentAs(DOCS.resolve("relays-map.svg"));
  }

  /** Runs a command, which must succeed, with both outputs in one. */
  private List<String> outputOf(String line) throws Exception {
    String script = "cd tour; fieldstone() { \"$command\" \"$@\"; }; { " + line + "; } 2>&1";
    ProcessBuilder process = built.inShell("command=$1; " + script);
    BuiltCommand.Result result = built.run(process);
    assertThat(result.err()).isEmpty();
    assertThat(result.status()).as("%s%n%s", line, result.out()).isZero();
    return result.out().replace(tour.toRealPath().toString(), FOLDER_ON_THE_PAGE).lines().toList();
  }
}
