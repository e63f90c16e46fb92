package io.fieldstone.cli;

import io.fieldstone.cli.console.Streams;
import io.fieldstone.cli.console.Tty;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the commands of a page in the work directory of this process: {@code main PAGE ACTUAL}
 * writes the page with their output.
 */
final class CommandPageDriver {

  private CommandPageDriver() {}

  public static void main(String[] arguments) throws Exception {
    List<String> page = Files.readAllLines(Path.of(arguments[0]));
    Files.write(Path.of(arguments[1]), ConsolePage.run(page, CommandPageDriver::outputOf));
  }

  /** Runs a line: {@code fieldstone …} in this process, its pipe and other lines in a shell. */
  private static List<String> outputOf(String line) throws Exception {
    String[] pipe = line.split(" \\| ", 2);
    byte[] output =
        pipe[0].startsWith("fieldstone ")
            ? fieldstone(pipe[0].substring("fieldstone ".length()))
            : inShell(line, new byte[0]);
    if (pipe.length == 2 && pipe[0].startsWith("fieldstone ")) {
      output = inShell(pipe[1], output);
    }
    return new String(output, StandardCharsets.UTF_8).lines().toList();
  }

  /** Returns both outputs of a command, in their order. A shell expands its arguments. */
  private static byte[] fieldstone(String arguments) throws Exception {
    byte[] words = inShell("printf '%s\\n' " + arguments, new byte[0]);
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    PrintStream text = new PrintStream(both, true, StandardCharsets.UTF_8);
    Streams streams = new Streams(InputStream.nullInputStream(), both, text, text, Tty.NONE);
    Main.run(streams, new String(words, StandardCharsets.UTF_8).lines().toArray(String[]::new));
    return both.toByteArray();
  }

  private static byte[] inShell(String script, byte[] input) throws Exception {
    Process shell = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true).start();
    try (var in = shell.getOutputStream()) {
      in.write(input);
    }
    byte[] output = shell.getInputStream().readAllBytes();
    if (shell.waitFor() != 0) {
      throw new IOException(script + ": " + new String(output, StandardCharsets.UTF_8));
    }
    return output;
  }
}
