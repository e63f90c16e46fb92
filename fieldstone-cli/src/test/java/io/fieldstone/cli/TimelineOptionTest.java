package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.console.PhaseCsv;
import io.fieldstone.engine.memory.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hidden option by which {@code bench files} learns when each stage ran. */
class TimelineOptionTest {

  private static final int BYTES = 400_000;

  @TempDir private Path directory;

  @Test
  void everyCommandOnFilesWritesItsStages() throws IOException {
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    String file = Files.write(directory.resolve("file"), bytes).toString();
    String shards = path("shards");
    assertThat(stages("encode", file, "-o", shards, "--block-size", "64"))
        .containsExactly("compute", "hash", "read", "write");
    List<String> all;
    try (Stream<Path> found = Files.list(Path.of(shards))) {
      all = found.map(Path::toString).sorted().toList();
    }
    assertThat(stages(with(all, "recode", path("recoded"))))
        .containsExactly("compute", "read", "write");
    assertThat(stages(with(all.subList(5, 16), "decode", path("decoded"))))
        .containsExactly("compute", "hash", "read", "write");
    assertThat(stages("crc", file)).containsExactly("compute", "read");
    assertThat(stages("sort", file, "-o", path("sorted"), "--type", "u32"))
        .containsExactly("read", "sort", "write");
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private static String[] with(List<String> shards, String command, String output) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(shards);
    words.addAll(List.of("-o", output));
    return words.toArray(String[]::new);
  }

  /** Runs a command, and returns the names of its stages in order. */
  private TreeSet<String> stages(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(words));
    String timeline = path("timeline");
    all.addAll(List.of("--timeline", timeline));
    long before = PhaseCsv.now();
    assertThat(RunOf.fieldstone(all.toArray(String[]::new)).status()).isZero();
    List<Phase> phases = PhaseCsv.parse(Files.readString(Path.of(timeline)));
    assertThat(phases).allMatch(phase -> phase.endNs() - before > 0);
    return new TreeSet<>(phases.stream().map(Phase::name).toList());
  }

  @Test
  void aTimelineThatCannotBeWrittenIsAFailure() throws IOException {
    String file = Files.write(directory.resolve("file"), new byte[10]).toString();
    RunOf run = RunOf.fieldstone("crc", file, "--timeline", path("no/such/folder"));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).startsWith("fieldstone: ").contains("no/such/folder");
  }

  @Test
  void theOptionIsNotShown() {
    assertThat(RunOf.fieldstone("encode", "--help").out()).doesNotContain("--timeline");
  }
}
