package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of {@code docs/command.md} in one folder and one process, in the order of the
 * page, and compares their output with the page. A page with the output of this run is then in
 * {@code target/command.md}.
 */
@EnabledOnOs(OS.LINUX)
class CommandPageTest {

  private static final Path MODULE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();
  private static final Path PAGE = MODULE.resolve("../docs/command.md");
  private static final String FOLDER_ON_THE_PAGE = "/home/ada";

  /** Keys, which are new in each run. */
  private static final Pattern KEY = Pattern.compile("(?<=\\bkey )([0-9a-f]{16}|ed25519:\\w{64})");

  /** The key of a server, which is new in each run. */
  private static final Pattern FINGERPRINT = Pattern.compile("sha256:[0-9a-f]{64}");

  /** The overhead, which depends on the packets that are lost. */
  private static final Pattern SENT = Pattern.compile("(?<=overhead )[0-9.]+(?= %)");

  /** The number of files of a relay, which has not yet asked its servers, and the search method. */
  private static final Pattern CHANCE =
      Pattern.compile("(?<=^relaying )\\d+ files?|(?<=by circumcircle )\\(\\w+\\)");

  @TempDir Path directory;

  private Path folder = Path.of("");

  /** Files of random bytes, always the same; a shard of {@code found} has a wrong block. */
  @BeforeEach
  void makeTheFiles() throws IOException {
    folder = directory.toRealPath();
    TestFolder files = new TestFolder(folder);
    files.write("film.mkv", 4_000_000);
    files.write("photos.tar", 1_000_000);
    files.write("keys.bin", 2_000_000);
    Files.writeString(folder.resolve("notes.txt"), "no shard\n".repeat(1000));
    Files.createDirectory(folder.resolve("photos"));
    Files.createDirectory(folder.resolve("letters"));
    for (int i = 1; i <= 6; i++) {
      files.write("photos/0%d.jpg".formatted(i), 500_000 + 10_000 * i);
    }
    Files.copy(MODULE.resolve("../docs/beacons.csv"), folder.resolve("beacons.csv"));
    files.encode("film.mkv", "found");
    ShardCommandsTest.pollute(folder.resolve("found/film.mkv.05.fst"));
    for (int i = 1; i <= 5; i++) {
      files.write("letters/%d.txt".formatted(i), 3_000 + i);
    }
  }

  @Test
  void thePageHasTheOutputOfItsCommands() throws Exception {
    List<String> page = Files.readAllLines(PAGE);

    List<String> actual = run(PAGE, MODULE.resolve("target/command.md"));

    assertThat(Pattern.compile("(?m)^```console$").matcher(String.join("\n", page)).results())
        .hasSize(26);
    assertThat(comparable(actual)).isEqualTo(comparable(page));
  }

  /** Runs the page in a JVM whose work directory is the folder, as the user's is. */
  private List<String> run(Path page, Path actual) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1", // much code runs once: this halves the time
                "-cp",
                System.getProperty("java.class.path"),
                CommandPageDriver.class.getName(),
                page.toString(),
                actual.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true);
    builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    List<String> lines =
        Files.readAllLines(actual).stream()
            .map(line -> line.replace(folder.toString(), FOLDER_ON_THE_PAGE))
            .toList();
    Files.write(actual, lines);
    return lines;
  }

  /** Hides what differs from run to run; numbers the keys as they come. */
  private static List<String> comparable(List<String> lines) {
    Map<String, String> keys = new HashMap<>();
    List<String> masked = new ArrayList<>(ConsolePage.masked(lines));
    int decrypted = masked.indexOf("copy.tar: 976.6 KiB");
    masked.set(decrypted + 1, "an id that depends on the key");
    return masked.stream()
        .map(line -> FINGERPRINT.matcher(line).replaceAll("sha256:…"))
        .map(line -> SENT.matcher(line).replaceAll("…"))
        .map(line -> CHANCE.matcher(line).replaceAll("…"))
        .map(line ->
            KEY.matcher(line)
                .replaceAll(key -> keys.computeIfAbsent(key.group(), _ -> "#" + keys.size())))
        .toList();
  }
}
