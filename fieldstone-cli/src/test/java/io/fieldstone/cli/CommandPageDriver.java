package io.fieldstone.cli;

import io.fieldstone.cli.console.Streams;
import io.fieldstone.cli.console.Tty;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs the commands of a page in the work directory of this process: {@code main PAGE ACTUAL}
 * writes the page with their output. Of a command that ends with {@code &} the page has the first
 * line; it listens on a free port in place of that of the page, and runs until this process ends.
 */
final class CommandPageDriver {

  private static final Pattern LISTEN = Pattern.compile("--listen (\\S+:\\d+)");
  private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:\\d+");

  /** The addresses in use, by those of the page. */
  private static final Map<String, String> ADDRESSES = new HashMap<>();

  private CommandPageDriver() {}

  public static void main(String[] arguments) throws Exception {
    List<String> page = Files.readAllLines(Path.of(arguments[0]));
    Files.write(Path.of(arguments[1]), ConsolePage.run(page, CommandPageDriver::outputOf));
    System.exit(0); // ends the servers
  }

  /** Runs a line: {@code fieldstone …} in this process, its pipe and other lines in a shell. */
  private static List<String> outputOf(String line) throws Exception {
    if (line.endsWith(" &")) {
      return List.of(firstLineOf(line.substring(0, line.length() - 2)));
    }
    String[] pipe = inUse(line).split(" \\| ", 2);
    byte[] output =
        pipe[0].startsWith("fieldstone ")
            ? fieldstone(pipe[0].substring("fieldstone ".length()))
            : inShell(line, new byte[0]);
    if (pipe.length == 2 && pipe[0].startsWith("fieldstone ")) {
      output = inShell(pipe[1], output);
    }
    return onPage(new String(output, StandardCharsets.UTF_8)).lines().toList();
  }

  /** Starts a command on a free port, and returns its first line when it listens. */
  private static String firstLineOf(String line) throws Exception {
    Matcher listen = LISTEN.matcher(line);
    if (!listen.find()) {
      throw new IOException("no --listen HOST:PORT: " + line);
    }
    String onFreePort = listen.replaceFirst("--listen 127.0.0.1:0");
    String arguments = inUse(onFreePort).substring("fieldstone ".length());
    FirstLine output = new FirstLine();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            run(arguments, output);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    String first = output.await();
    Matcher address = ADDRESS.matcher(first);
    if (!address.find()) {
      throw new IOException(line + ": " + first);
    }
    ADDRESSES.put(listen.group(1), address.group());
    return onPage(first);
  }

  private static String inUse(String line) {
    return ADDRESS
        .matcher(line)
        .replaceAll(page -> ADDRESSES.getOrDefault(page.group(), page.group()));
  }

  private static String onPage(String output) {
    String text = output;
    for (Map.Entry<String, String> address : ADDRESSES.entrySet()) {
      text = text.replace(address.getValue(), address.getKey());
    }
    return text;
  }

  /** Waits for the first line of an output. */
  private static final class FirstLine extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<String> line = new CompletableFuture<>();

    @Override
    public synchronized void write(int b) {
      if (b == '\n') {
        line.complete(bytes.toString(StandardCharsets.UTF_8));
      }
      bytes.write(b);
    }

    String await() throws Exception {
      return line.get(2, TimeUnit.MINUTES);
    }
  }

  /** Returns both outputs of a command, in their order. A shell expands its arguments. */
  private static byte[] fieldstone(String arguments) throws Exception {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    run(arguments, both);
    return both.toByteArray();
  }

  private static void run(String arguments, OutputStream both) throws Exception {
    byte[] words = inShell("printf '%s\\n' " + arguments, new byte[0]);
    PrintStream text = new PrintStream(both, true, StandardCharsets.UTF_8);
    Streams streams = new Streams(InputStream.nullInputStream(), both, text, text, Tty.NONE);
    Main.run(streams, new String(words, StandardCharsets.UTF_8).lines().toArray(String[]::new));
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
