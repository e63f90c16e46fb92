package io.fieldstone.spark.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application in a JVM of its own, as {@code spark-submit --master local[2]} starts it. */
class ApplicationTest {

  /** More than fits the heap of the test twice. */
  private static final long LARGE_BYTES = 400_000_000;

  @TempDir Path folder;

  private record Run(int status, String out, String err) {}

  private Run run(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(arg -> !arg.startsWith("-javaagent") && !arg.startsWith("-Xmx"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-Xmx520m",
            "-Dspark.master=local[2]",
            "-Dspark.ui.enabled=false",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName()));
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
        Files.readAllLines(err).stream().filter(line -> line.startsWith("fieldstone: ")).toList();
    return new Run(status, Files.readString(out), String.join("\n", errors));
  }

  @Test
  void resultsAreOneObject() throws Exception {
    Path file = Files.writeString(folder.resolve("check"), "123456789");
    Run run = run("crc", "--json", file.toString());
    assertThat(run.status).isZero();
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
}
