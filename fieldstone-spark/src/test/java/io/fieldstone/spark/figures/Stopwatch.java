package io.fieldstone.spark.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Times work in turns, after one run of each that does not count. */
final class Stopwatch {

  private final Path folder;
  private final int rounds;
  private int runs;

  /** Something to be timed. */
  interface Work {
    /** Runs once; what it writes is in a new file or folder, which is then deleted. */
    void run(Path output) throws Exception;
  }

  Stopwatch(Path folder, int rounds) {
    this.folder = folder;
    this.rounds = rounds;
  }

  /** Prints the ratio of the times of two works: upper median, range, and the best times. */
  void compare(String name, Work one, Work other) throws Exception {
    time(one);
    time(other);
    List<Double> ratios = new ArrayList<>();
    double first = Double.MAX_VALUE;
    double second = Double.MAX_VALUE;
    for (int i = 0; i < rounds; i++) {
      double a = time(one);
      double b = time(other);
      first = Math.min(first, a);
      second = Math.min(second, b);
      ratios.add(a / b);
    }
    ratios.sort(null);
    System.out.printf(
        "%s: %.2f (%.2f to %.2f); %.2f s, %.2f s%n",
        name, ratios.get(rounds / 2), ratios.getFirst(), ratios.getLast(), first, second);
  }

  /** Prints the best, the upper median and the longest time of a work. */
  void print(String name, Work work) throws Exception {
    time(work);
    double[] seconds = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      seconds[i] = time(work);
    }
    Arrays.sort(seconds);
    System.out.printf(
        "%s: %.2f s, %.2f s, %.2f s%n", name, seconds[0], seconds[rounds / 2], seconds[rounds - 1]);
  }

  private double time(Work work) throws Exception {
    Path output = folder.resolve("output" + runs++);
    long start = System.nanoTime();
    work.run(output);
    double seconds = (System.nanoTime() - start) / 1e9;
    if (Files.exists(output)) {
      delete(output);
    }
    return seconds;
  }

  /** Not that of {@code LocalSpark}, which starts a context of its own. */
  static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
