package io.fieldstone.cpu.weights;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Times the loops of {@link VectorizedSums} beside the oracle, in turns, and prints the 64-bit
 * parts that each adds and counts in a second of one thread. Run {@code main}; it takes half a
 * minute.
 */
final class SumKernelTimer {

  private static final int ROWS = 1024;
  private static final long PARTS = 200_000_000;
  private static final int ROUNDS = 5;

  private SumKernelTimer() {}

  public static void main(String[] args) {
    SplittableRandom random = new SplittableRandom(1);
    System.out.println("parts  oracle G/s  vectors G/s  ratio");
    for (int counted : new int[] {1, 2, 3, 4, 8, 32}) {
      long[][] table = new long[counted][];
      Arrays.setAll(table, _ -> random.longs(ROWS).toArray());
      double[] best = new double[2];
      for (int round = 0; round < ROUNDS; round++) {
        int kernel = 0;
        for (SumKernel each : List.of(new ScalarSums(), new VectorizedSums())) {
          best[kernel] = Math.max(best[kernel], rate(each, table, counted, random));
          kernel++;
        }
      }
      System.out.printf(
          "%5d  %10.2f  %11.2f  %5.1f%n", counted, best[0], best[1], best[1] / best[0]);
    }
  }

  /** Returns the parts per nanosecond of processor time. */
  private static double rate(
      SumKernel kernel, long[][] table, int counted, SplittableRandom random) {
    long[] base = random.longs(counted).toArray();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    int least = Integer.MAX_VALUE;
    long begin = threads.getCurrentThreadCpuTime();
    for (long done = 0; done < PARTS; done += (long) ROWS * counted) {
      base[0]++;
      least = Math.min(least, kernel.least(table, counted, 0, ROWS, base));
    }
    double rate = (double) PARTS / (threads.getCurrentThreadCpuTime() - begin);
    if (least > counted * Long.SIZE) {
      throw new AssertionError(least);
    }
    return rate;
  }
}
