package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the built command in a process.
 *
 * @param directory the work directory of every process; temporary files go into {@code tmp} in it
 */
public record BuiltCommand(Path directory) {

  private static final Path HOME = Path.of(System.getProperty("fieldstone.home", "."));
  private static final long WAIT_SECONDS = 300;

  /** The exit status and output of a process. */
  public record Result(int status, String out, String err) {}

  /** Makes the directory for temporary files. */
  public BuiltCommand {
    try {
      Files.createDirectories(directory.resolve("tmp"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Makes a process without starting it. */
  public ProcessBuilder process(String javaOptions, String... arguments) {
    List<String> line = new ArrayList<>();
    line.add(HOME.resolve("fieldstone").toString());
    line.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(line).directory(directory.toFile());
    builder.environment().put("FIELDSTONE_BUILD", "never");
    builder
        .environment()
        .put(
            "FIELDSTONE_JAVA_OPTS",
            "-Djava.io.tmpdir=" + directory.resolve("tmp") + " " + javaOptions);
    return builder;
  }

  /** Makes a process of a shell that runs the command {@code $@} with redirections or limits. */
  public ProcessBuilder inShell(String script, String... arguments) {
    ProcessBuilder builder = process("", arguments);
    List<String> words = new ArrayList<>(List.of("bash", "-c", script, "-"));
    words.addAll(builder.command());
    return builder.command(words);
  }

  /**
   * Ends a process by a signal, as a terminal does: its pipes stay open. {@link Process#destroy}
   * closes them too, and the process may see that first.
   *
   * @return the exit status
   */
  public static int terminate(Process process) throws InterruptedException {
    process.toHandle().destroy();
    assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  /** Runs a process to its end. */
  public Result run(ProcessBuilder builder) throws IOException, InterruptedException {
    Path out = Files.createTempFile(directory, "stdout", "");
    Path err = Files.createTempFile(directory, "stderr", "");
    if (builder.redirectOutput() == ProcessBuilder.Redirect.PIPE) {
      builder.redirectOutput(out.toFile());
    }
    Process process = builder.redirectError(err.toFile()).start();
    process.getOutputStream().close();
    assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    Result result = new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    Files.delete(out);
    Files.delete(err);
    return result;
  }

  /** Runs the command. */
  public Result run(String... arguments) throws IOException, InterruptedException {
    return run(process("", arguments));
  }
}
