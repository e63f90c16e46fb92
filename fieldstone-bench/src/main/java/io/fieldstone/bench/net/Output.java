package io.fieldstone.bench.net;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Reads the output of processes line by line. */
final class Output {

  private static final int KEPT_LINES = 5;

  private Output() {}

  /**
   * Reads until a line begins with a word, and returns that line.
   *
   * @throws IOException if the output ends before, with its last lines, or an exception is printed
   */
  static String await(Process process, String word) throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    Deque<String> last = new ArrayDeque<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(word)) {
        return line;
      }
      if (line.startsWith("Exception ")) {
        throw new IOException(line);
      }
      last.add(line);
      if (last.size() > KEPT_LINES) {
        last.remove();
      }
    }
    throw new IOException(
        "%s did not print '%s' but: %s"
            .formatted(
                process.info().command().orElse("a process"), word, String.join(" | ", last)));
  }

  /** Reads and drops the rest of the output of a process, which would block on a full pipe. */
  static void drain(Process process) {
    Thread.ofVirtual()
        .start(() -> {
          try {
            process.getInputStream().transferTo(OutputStream.nullOutputStream());
          } catch (IOException ended) {
            // the process has stopped
          }
        });
  }

  /** Reads all output until the process ends. */
  static String all(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /**
   * Waits until all clients print {@code begin} after their {@link WarmUpRounds}, reports that they
   * begin, and returns their joint result.
   *
   * @throws IOException if a client ends without a result
   */
  static Transfer transfer(List<Process> servers, List<Process> clients, FilePeer.Job job)
      throws IOException {
    job.warmedUp(WarmUpRounds.await(servers, clients, job.warmUpSeconds()));
    servers.forEach(Output::drain);
    for (Process client : clients) {
      await(client, "begin");
    }
    job.begin();
    return results(clients);
  }

  /**
   * Waits until all clients print their results, and joins these.
   *
   * @throws IOException if a client ends without a result
   */
  static Transfer results(List<Process> clients) throws IOException {
    Transfer all = Transfer.NOTHING_YET;
    for (Process client : clients) {
      all = all.and(result(await(client, "result ")));
    }
    return all;
  }

  /** Parses the line {@code result BYTES SECONDS [NEEDED RECEIVED]} of this package's processes. */
  static Transfer result(String line) {
    String[] words = line.split(" ", -1);
    if (words.length < 3 || !words[0].equals("result")) {
      throw new IllegalArgumentException("'%s' is not a result".formatted(line));
    }
    long needed = words.length > 4 ? Long.parseLong(words[3]) : 0;
    long received = words.length > 4 ? Long.parseLong(words[4]) : 0;
    return new Transfer(Long.parseLong(words[1]), Double.parseDouble(words[2]), needed, received);
  }
}
