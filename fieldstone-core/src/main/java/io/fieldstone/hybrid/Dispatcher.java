package io.fieldstone.hybrid;

import io.fieldstone.concurrent.TaskPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Cuts jobs and has the parts do their slices at the same time, each a share proportional to its
 * rate. A job that must not be cut goes to the part with the highest rate. Thread-safe.
 *
 * <p>Rates are given, or measured once for each kind of job: each part first does a growing piece
 * of the first job of that kind until its time is not mostly the start. What bounds a part
 * (multiplying, memory, a bus) changes with the shape, so other kinds say nothing.
 */
final class Dispatcher {

  /** A measurement that takes so long is not mostly the start. */
  private static final long MIN_MEASUREMENT_NS = 2_000_000;

  private static final long MEASUREMENT_GROWTH = 4;

  private final int parts;
  private final TaskPool threads;
  private final Optional<double[]> fixedRates;
  private final Map<JobKind, double[]> measuredRates = new ConcurrentHashMap<>();
  private volatile Optional<JobShares> last = Optional.empty();

  /**
   * A dispatcher.
   *
   * @param fixedRates a rate for each part, if they are not to be measured
   */
  Dispatcher(int parts, TaskPool threads, Optional<double[]> fixedRates) {
    this.parts = parts;
    this.threads = threads;
    this.fixedRates = fixedRates;
  }

  /**
   * Does a job.
   *
   * @throws RuntimeException what the first part that failed has thrown, when all have stopped
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

  /** How the last job was divided. */
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

  /** Units of a job that a part does in a nanosecond. */
  private static double measureRate(SharedJob job, int part) {
    long units = Math.min(job.granule(), job.units());
    long nanoseconds = leastTime(job, part, units);
    while (nanoseconds < MIN_MEASUREMENT_NS && units < job.units()) {
      units = Math.min(units * MEASUREMENT_GROWTH, job.units());
      nanoseconds = leastTime(job, part, units);
    }
    return (double) units / Math.max(1, nanoseconds);
  }

  /** The lesser of two times: the first may include what happens once. */
  private static long leastTime(SharedJob job, int part, long units) {
    return Math.min(time(job, part, units), time(job, part, units));
  }

  private static long time(SharedJob job, int part, long units) {
    long start = System.nanoTime();
    job.slice().run(part, 0, units);
    return System.nanoTime() - start;
  }
}
