package io.fieldstone.hybrid;

import io.fieldstone.concurrent.TaskPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Splits jobs into slices in proportion to the rates of the parts, and runs them concurrently. A
 * job that is not split runs on the part with the highest rate. Thread-safe.
 *
 * <p>Rates are given, or measured once for each kind of job: each part runs growing pieces of the
 * first such job, until the time is long enough. The bottleneck of a part (arithmetic, memory, a
 * bus) depends on the shape, so rates of other kinds do not apply.
 */
final class Dispatcher {

  /** Minimum time of a measurement, long compared to one-time costs. */
  private static final long MIN_MEASUREMENT_NS = 2_000_000;

  private static final long MEASUREMENT_GROWTH = 4;

  private final int parts;
  private final TaskPool threads;
  private final Optional<double[]> fixedRates;
  private final Map<JobKind, double[]> measuredRates = new ConcurrentHashMap<>();
  private volatile Optional<JobShares> last = Optional.empty();

  /**
   * Makes a dispatcher.
   *
   * @param fixedRates rate of each part; empty to measure them
   */
  Dispatcher(int parts, TaskPool threads, Optional<double[]> fixedRates) {
    this.parts = parts;
    this.threads = threads;
    this.fixedRates = fixedRates;
  }

  /**
   * Runs a job.
   *
   * @throws RuntimeException the first failure of a part, after all have stopped
   */
  void run(SharedJob job) {
    threads.requireOpen();
    if (job.units() == 0) {
      return;
    }
    double[] rates =
        fixedRates.orElseGet(
            () -> measuredRates.computeIfAbsent(job.kind(), _ -> measureRates(job)));
    runSlices(job, JobShares.of(job.units(), job.granule(), rates));
  }

  /** Returns the shares of the last job. */
  Optional<JobShares> last() {
    return last;
  }

  private void runSlices(SharedJob job, JobShares division) {
    last = Optional.of(division);
    List<Runnable> slices = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      if (!division.isIdle(part)) {
        int worker = part;
        slices.add(() -> job.slice().run(worker, division.from(worker), division.to(worker)));
      }
    }
    threads.runAll(slices);
  }

  private double[] measureRates(SharedJob job) {
    double[] rates = new double[parts];
    for (int part = 0; part < parts; part++) {
      rates[part] = measureRate(job, part);
    }
    return rates;
  }

  /** Returns the units that a part processes per nanosecond. */
  private static double measureRate(SharedJob job, int part) {
    long units = Math.min(job.granule(), job.units());
    long nanoseconds = leastTime(job, part, units);
    while (nanoseconds < MIN_MEASUREMENT_NS && units < job.units()) {
      units = Math.min(units * MEASUREMENT_GROWTH, job.units());
      nanoseconds = leastTime(job, part, units);
    }
    return (double) units / Math.max(1, nanoseconds);
  }

  /** Returns the minimum of two times: the first may include one-time costs. */
  private static long leastTime(SharedJob job, int part, long units) {
    return Math.min(time(job, part, units), time(job, part, units));
  }

  private static long time(SharedJob job, int part, long units) {
    long start = System.nanoTime();
    job.slice().run(part, 0, units);
    return System.nanoTime() - start;
  }
}
