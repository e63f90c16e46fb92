package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Logs in a JVM of its own, since the configuration belongs to the JVM. */
class LogTest {

  /** Logs a record of each level, of the library and of another. */
  public static void main(String[] arguments) {
    Log.prepare(arguments.length > 0);
    for (String name : List.of("io.fieldstone.some.Room", "org.example")) {
      System.Logger logger = System.getLogger(name);
      logger.log(Level.WARNING, "a warning of {0}", name);
      logger.log(Level.INFO, "news of {0}", name);
      logger.log(Level.DEBUG, "details of {0}", name);
    }
  }

  @Test
  void warningsAreLinesOnStandardError() throws Exception {
    assertThat(run())
        .isEqualTo(
            """
            warning: a warning of io.fieldstone.some.Room
            warning: a warning of org.example
            """);
  }

  @Test
  void allRecordsOfTheLibraryAreLinesIfAskedFor() throws Exception {
    assertThat(run("--verbose"))
        .contains("a warning of io.fieldstone.some.Room\n")
        .contains("news of io.fieldstone.some.Room\n")
        .contains("details of io.fieldstone.some.Room\n")
        .contains("a warning of org.example\n")
        .doesNotContain("news of org.example");
  }

  private static String run(String... arguments) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            LogTest.class.getName());
    builder.command().addAll(List.of(arguments));
    Process process = builder.redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }
}
