package io.fieldstone.spark.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fieldstone.spark.PlainShards;
import io.fieldstone.spark.coding.CodingOptions;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.deploy.SparkSubmit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application in a JVM of its own, as {@code spark-submit --master local[2]} starts it. */
class ApplicationTest {

  /** Lines that the JVM and SparkSubmit print before the application starts. */
  private static final String BEFORE_MAIN =
      "WARNING: .*|Using Spark's default log4j profile: .*|.* WARN (Utils|NativeCodeLoader): .*";

  /** More than fits the heap of the test twice. */
  private static final long LARGE_BYTES = 400_000_000;

  @TempDir Path folder;

  private record Run(int status, String out, String err) {}

  private Run run(String... args) throws IOException, InterruptedException {
    // Not with the settings of the tests for log messages.
    String classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.endsWith("test-classes"))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(arg -> !arg.startsWith("-javaagent") && !arg.startsWith("-Xmx"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-Xmx520m",
            "-Dspark.ui.enabled=false",
            "-cp",
            classPath,
            SparkSubmit.class.getName(),
            "--master",
            "local[2]",
            "--class",
            Main.class.getName(),
            "spark-internal"));
    command.addAll(List.of(args));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    int status = process.waitFor();
    List<String> errors =
        Files.readAllLines(err).stream().filter(line -> !line.matches(BEFORE_MAIN)).toList();
    return new Run(status, Files.readString(out), String.join("\n", errors));
  }

  /** A code by name, and a stabilizer code of a file, with a checkpoint that is deleted. */
  @Test
  void distancesAreProven() throws Exception {
    assertThat(run("distance", "golay:23", "--exact", "--seconds", "0.1", "-q").out)
        .matches("\\(23,12\\) code: d = 7 \\(proven\\)\n(\\d+ ){6}\\d+\n");
    Path five = Files.writeString(folder.resolve("five"), "XZZXI\nIXZZX\nXIXZZ\nZXIXZ\n");
    Path state = folder.resolve("state");
    Run run =
        run(
            "distance",
            "--stabilizer",
            five.toString(),
            "--permutation",
            Files.writeString(folder.resolve("shift"), "1 2 3 4 0").toString(),
            "--seconds",
            "0.1",
            "--resume",
            state.toString(),
            "--json");
    JsonNode result = new ObjectMapper().readTree(run.out);
    assertThat(result.get("distance").intValue()).isEqualTo(3);
    assertThat(result.get("proven").booleanValue()).isTrue();
    assertThat(result.get("pauli").textValue()).matches("[IXYZ]{5}");
    assertThat(state).doesNotExist();
    assertThat(run("distance", folder.resolve("absent").toString(), "--exact").status).isEqualTo(1);
    Path x = Files.writeString(folder.resolve("x.json"), "[[0, 1]]");
    Path z = Files.writeString(folder.resolve("z.json"), "[[0, 1], [2, 3]]");
    assertThat(
            run("distance", "--x", x.toString(), "--z", z.toString(), "--side", "z", "--exact").out)
        .startsWith("Z: d = 1 (proven)\n");
    String swap = Files.writeString(folder.resolve("swap"), "1 0").toString();
    assertThat(run("distance", "golay:23", "--exact", "--permutation", swap).err)
        .endsWith("the permutation has 2 positions, the code has length 23");
  }

  @Test
  void resultsAreOneObject() throws Exception {
    Path file = Files.writeString(folder.resolve("check"), "123456789");
    Run run = run("crc", "--json", file.toString());
    assertThat(run.status).isZero();
    assertThat(run.err).isEmpty();
    JsonNode sums = new ObjectMapper().readTree(run.out);
    assertThat(sums.get("algorithm").asText()).isEqualTo("CRC-32/ISO-HDLC");
    assertThat(sums.get("files").get(0).get("crc").asText()).isEqualTo("cbf43926");
    assertThat(sums.get("files").get(0).get("problem").isNull()).isTrue();
  }

  @Test
  void tooLittleMemoryIsOneLine() throws Exception {
    Path file = folder.resolve("large");
    try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength(LARGE_BYTES);
    }
    Path sorted = folder.resolve("sorted");
    Run run =
        run("sort", "--type", "u64", "--split", "512M", file.toString(), "-o", sorted.toString());
    assertThat(run.status).isEqualTo(1);
    assertThat(run.err).hasLineCount(1).contains("an executor has too little memory", "--split");
    assertThat(sorted).doesNotExist();
    try (var files = Files.list(folder)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder("large", "out", "err");
    }
  }

  /**
   * Spark passes on the status of shards that cannot be restored, and the object of the failure.
   */
  @Test
  void shardsWithTooFewBlocksAreAStatusOfTheirOwn() throws Exception {
    Files.write(folder.resolve("film"), new byte[100_000]);
    Path shards = folder.resolve("shards");
    CodingOptions options = new CodingOptions(16, 512, 2, 3, 8);
    PlainShards.encode(options, folder, List.of("film"), shards);
    Files.delete(shards.resolve("film.00.fst"));
    Files.delete(shards.resolve("film.02.fst"));
    Path restored = folder.resolve("restored");
    Run run = run("decode", "--json", shards.toString(), "-o", restored.toString());
    assertThat(run.status).isEqualTo(3);
    assertThat(run.err).hasLineCount(1).startsWith("fieldstone: not enough blocks: film: ");
    JsonNode failure = new ObjectMapper().readTree(run.out);
    assertThat(failure.get("exit").asInt()).isEqualTo(3);
    assertThat(failure.get("error").asText()).startsWith("not enough blocks: film: ");
    assertThat(restored.resolve("film")).doesNotExist();
  }
}
