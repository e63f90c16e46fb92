package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.console.Streams;
import io.fieldstone.cli.console.Tty;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SparkSubmitTest {

  private static final String[] CRC = {"crc", "--master", "local[2]", "files", "--conf=a=b"};

  @TempDir Path folder;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(Map<String, String> environment, String... args) {
    Streams streams =
        new Streams(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Tty.STANDARD_ERROR);
    return new SparkSubmit(streams, environment, Optional.of(folder.resolve("fieldstone")))
        .run(args);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aMasterIsRecognised() {
    assertThat(SparkSubmit.isRequested(CRC)).isTrue();
    assertThat(SparkSubmit.isRequested("crc", "--master=yarn")).isTrue();
    assertThat(SparkSubmit.isRequested("crc", "--", "--master")).isFalse();
    assertThat(SparkSubmit.isRequested("crc", "master")).isFalse();
  }

  @Test
  void otherCommandsDoNotRunOnSpark() {
    assertThat(run(Map.of(), "key", "--master", "local")).isEqualTo(2);
    assertThat(err()).startsWith("fieldstone: 'key' does not run on Spark: there are encode");
  }

  @Test
  void aMissingSparkIsOneLine() {
    assertThat(run(Map.of("PATH", folder.toString()), CRC)).isEqualTo(1);
    assertThat(err())
        .isEqualToIgnoringNewLines(
            "fieldstone: Spark not found: no spark-submit in SPARK_HOME or on the PATH");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void sparkSubmitGetsTheJarAndTheOptions() throws Exception {
    Path submit = Files.createDirectories(folder.resolve("spark/bin")).resolve("spark-submit");
    Path log = folder.resolve("log");
    Files.writeString(
        submit,
        "#!/bin/sh\nprintf '%s\\n' \"$@\" >'"
            + log
            + "'\n"
            + "echo 'WARNING: Using incubator modules: jdk.incubator.vector' >&2\n"
            + "echo 'fieldstone: no such file' >&2\nexit 7\n");
    Files.setPosixFilePermissions(submit, PosixFilePermissions.fromString("rwxr-xr-x"));
    Map<String, String> environment = Map.of("SPARK_HOME", folder.resolve("spark").toString());

    assertThat(run(environment, CRC)).isEqualTo(1);
    assertThat(err()).contains("app.jar not found").hasLineCount(1);

    Path target = Files.createDirectories(folder.resolve("fieldstone-spark/target"));
    Path jar = Files.createFile(target.resolve("fieldstone-spark-1-app.jar"));
    assertThat(run(environment, CRC)).isEqualTo(7);
    assertThat(err()).endsWith("fieldstone: no such file" + System.lineSeparator()).hasLineCount(2);
    assertThat(Files.readAllLines(log))
        .startsWith("--master", "local[2]", "--conf", "a=b")
        .endsWith(jar.toString(), "crc", "files");
  }
}
