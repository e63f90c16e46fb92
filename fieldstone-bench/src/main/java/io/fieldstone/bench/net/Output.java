package io.fieldstone.bench.net;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** Reads the output of a process line by line. */
final class Output {

  private static final int KEPT_LINES = 5;

  private Output() {}

  /**
   * Reads until a line begins with a word, and returns that line.
   *
   * @throws IOException if the output ends before, with its last lines
   */
  static String await(Process process, String word) throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    Deque<String> last = new ArrayDeque<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(word)) {
        return line;
      }
      last.add(line);
      if (last.size() > KEPT_LINES) {
        last.remove();
      }
    }
    throw new IOException(
        "%s printed no '%s' but: %s"
            .formatted(
                process.info().command().orElse("a process"), word, String.join(" | ", last)));
  }

  /** Reads all output until the process ends. */
  static String all(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Parses the line {@code result BYTES SECONDS} of the processes of this package. */
  static Transfer result(String line) {
    String[] words = line.split(" ", -1);
    if (words.length < 3 || !words[0].equals("result")) {
      throw new IllegalArgumentException("'%s' is no result".formatted(line));
    }
    return new Transfer(Long.parseLong(words[1]), Double.parseDouble(words[2]));
  }
}
