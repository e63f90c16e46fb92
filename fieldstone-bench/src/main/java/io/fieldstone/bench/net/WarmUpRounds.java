package io.fieldstone.bench.net;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Rounds of transfers before the one that is measured, until the compilers of all JVMs rest.
 *
 * <p>A client prints {@code warm MILLIS} after each round: the time that its JVM has compiled for.
 * It reads {@code again} or another word. A server prints {@code compiled MILLIS} for each line
 * that it reads.
 */
final class WarmUpRounds {

  /** A compiler rests if it takes no more of the time of a round. */
  static final double MAX_COMPILING = 0.05;

  private static final String AGAIN = "again";
  private static final String ROUND = "warm ";
  private static final String COMPILED = "compiled ";

  private WarmUpRounds() {}

  /**
   * The end of a warm-up.
   *
   * @param seconds from the first round's start to the last one's end
   * @param compiling the part of the last round's time in which the busiest JVM compiled; 1 if
   *     there was one round
   */
  record Result(double seconds, double compiling) {}

  /**
   * Lets clients go on with rounds until all compilers rest, or a time is over. There is one round
   * if the time is 0.
   *
   * @throws IOException if a process ends
   */
  static Result await(List<Process> servers, List<Process> clients, double limitSeconds)
      throws IOException {
    long start = System.nanoTime();
    long roundStart = start;
    List<Long> before = List.of();
    while (true) {
      List<Long> compiled = new ArrayList<>();
      for (Process client : clients) {
        compiled.add(millis(Output.await(client, ROUND), ROUND));
      }
      for (Process server : servers) {
        writeLine(server, "");
        compiled.add(millis(Output.await(server, COMPILED), COMPILED));
      }
      long now = System.nanoTime();
      double compiling = before.isEmpty() ? 1 : most(before, compiled) * 1e6 / (now - roundStart);
      double seconds = (now - start) / 1e9;
      boolean isOver = compiling <= MAX_COMPILING || seconds >= limitSeconds;
      for (Process client : clients) {
        writeLine(client, isOver ? "measure" : AGAIN);
      }
      if (isOver) {
        return new Result(seconds, compiling);
      }
      before = compiled;
      roundStart = now;
    }
  }

  private static long most(List<Long> before, List<Long> after) {
    long most = 0;
    for (int i = 0; i < before.size(); i++) {
      most = Math.max(most, after.get(i) - before.get(i));
    }
    return most;
  }

  private static long millis(String line, String word) {
    return Long.parseLong(line.substring(word.length()));
  }

  private static void writeLine(Process process, String line) throws IOException {
    Writer input = process.outputWriter(StandardCharsets.UTF_8);
    input.write(line + "\n");
    input.flush();
  }

  /** In a client, says that a round is over; returns true if another one is wanted. */
  static boolean isAgainWanted(BufferedReader input) throws IOException {
    System.out.println(ROUND + compiledMillis());
    return AGAIN.equals(input.readLine());
  }

  /** In a server, answers in a thread of its own until the input ends. */
  static void answer() {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            BufferedReader input = input();
            while (input.readLine() != null) {
              System.out.println(COMPILED + compiledMillis());
            }
          } catch (IOException ended) {
            // nobody asks any more
          }
        });
  }

  /** Returns what this process reads. */
  static BufferedReader input() {
    return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  }

  private static long compiledMillis() {
    return ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
  }
}
