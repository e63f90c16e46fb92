package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.faults.FaultyProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A JVM whose default file system is {@link io.fieldstone.faults}. */
public final class FaultProcess {

  /** A directory in memory if there is one, where forcing is free. */
  private static final Path MEMORY = Path.of("/dev/shm");

  private FaultProcess() {}

  /**
   * Runs a main method, whose argument is an empty directory, and returns its output.
   *
   * @param directory for this directory on systems without one in memory
   */
  public static String run(Class<?> main, Path directory) throws Exception {
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
                  "-XX:TieredStopAtLevel=1", // The commands are short: a quarter less time.
                  "-cp",
                  System.getProperty("java.class.path"),
                  main.getName(),
                  root.toString())
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes());
      assertThat(process.waitFor()).as(output).isZero();
      return output;
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
