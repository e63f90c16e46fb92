package io.fieldstone.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a class in a JVM of its own, with the class path of this one: a test may crash it. */
public final class ChildJvm {

  private static final List<String> FLAGS =
      List.of(
          "--add-modules=jdk.incubator.vector",
          "--enable-native-access=ALL-UNNAMED",
          "-XX:-CreateCoredumpOnCrash",
          "-XX:+ErrorFileToStdout");

  private ChildJvm() {}

  /**
   * Runs the {@code main} method of a class.
   *
   * @return all that it printed
   * @throws IllegalStateException if the exit status is not 0; the message has all output
   * @throws InterruptedException if the calling thread was interrupted; the process is killed then
   */
  public static String run(Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return run(List.of(), main, arguments);
  }

  /**
   * As {@link #run(Class, String...)}.
   *
   * @param flags of the JVM
   */
  public static String run(List<String> flags, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(FLAGS);
    all.addAll(flags);
    return runOnly(all, main, arguments);
  }

  /**
   * As {@link #run(Class, String...)}, without the flags that Fieldstone needs.
   *
   * @param flags all flags of the JVM besides the class path
   */
  public static String runOnly(List<String> flags, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(flags);
    command.add("-cp");
    command.add(System.getProperty("java.class.path", ""));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream output = process.getInputStream()) {
      String printed = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        throw new IllegalStateException("%s: status %d%n%s".formatted(command, status, printed));
      }
      return printed;
    } finally {
      process.destroyForcibly();
    }
  }
}
