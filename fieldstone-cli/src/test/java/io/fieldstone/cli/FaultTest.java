package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.faults.FaultyProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The process ends at any operation that changes the disk, or the operation fails: every output is
 * old or new, with mode and owner as before, and the next run deletes all temporary files.
 */
class FaultTest {

  /** A directory in memory if there is one, where forcing is free. */
  private static final Path MEMORY = Path.of("/dev/shm");

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void everyOutputIsOldOrNewAfterAnyFault(@TempDir Path directory) throws Exception {
    Path root =
        Files.isWritable(MEMORY) ? Files.createTempDirectory(MEMORY, "fieldstone-") : directory;
    try {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Djava.nio.file.spi.DefaultFileSystemProvider=" + FaultyProvider.class.getName(),
                  "--add-modules=jdk.incubator.vector",
                  "--enable-native-access=ALL-UNNAMED",
                  "-Djava.awt.headless=true",
                  "-cp",
                  System.getProperty("java.class.path"),
                  FaultDriver.class.getName(),
                  root.toString())
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes());
      assertThat(process.waitFor()).as(output).isZero();
      assertThat(output).contains("encode over more shards: ").contains("a report of bench: ");
    } finally {
      delete(root);
    }
  }

  private static void delete(Path root) throws Exception {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : all.toList().reversed()) {
        Files.delete(file);
      }
    }
  }
}
