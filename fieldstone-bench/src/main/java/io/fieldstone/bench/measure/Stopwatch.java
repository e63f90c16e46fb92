package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Measurement;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Measures candidates against each other in one run. Each is warmed up; then they take turns, a
 * sample each, so that noise from other processes affects all of them equally. Compare only
 * measurements of one call.
 *
 * <p>Not thread-safe; candidates may start threads.
 */
public final class Stopwatch {

  /** The compilation time of a warm-up above which a candidate may still become faster. */
  private static final long BUSY_COMPILING_MILLIS = 10;

  /** The number of warm-ups after which a candidate is measured even if the compiler is busy. */
  private static final int MAX_WARM_UPS = 6;

  private final Pace pace;
  private final LongSupplier nanoClock;
  private final LongSupplier compiledMillis;

  /** Makes a stopwatch that reads the clock of the system. */
  public Stopwatch(Pace pace) {
    this(pace, System::nanoTime, compilationClock());
  }

  /**
   * Makes a stopwatch that reads other clocks.
   *
   * @param nanoClock counts nanoseconds
   * @param compiledMillis counts the milliseconds that the JVM has spent compiling
   */
  Stopwatch(Pace pace, LongSupplier nanoClock, LongSupplier compiledMillis) {
    this.pace = pace;
    this.nanoClock = nanoClock;
    this.compiledMillis = compiledMillis;
  }

  private static LongSupplier compilationClock() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return compiler != null && compiler.isCompilationTimeMonitoringSupported()
        ? compiler::getTotalCompilationTime
        : () -> 0;
  }

  /** Returns the pace of measurements. */
  public Pace pace() {
    return pace;
  }

  /** Measures a single candidate. */
  public Measurement measure(Candidate candidate) {
    return compare(List.of(candidate)).getFirst();
  }

  /** Measures candidates in turns; the result is in their order. */
  public List<Measurement> compare(List<Candidate> candidates) {
    return sampled(candidates.stream().map(this::warmUp).toList(), Series::wantsSample);
  }

  /**
   * Measures candidates in turns without a warm-up: processes, or long work that is compiled. Each
   * runs once in each round.
   *
   * @param rounds at least 1
   */
  public List<Measurement> compareInRounds(int rounds, List<Candidate> candidates) {
    return sampled(
        candidates.stream().map(candidate -> new Series(candidate, 1)).toList(),
        series -> series.nanosPerRun.size() < rounds);
  }

  private static List<Measurement> sampled(List<Series> series, Predicate<Series> wantsSample) {
    boolean unfinished = true;
    while (unfinished) {
      unfinished = false;
      for (Series one : series) {
        if (wantsSample.test(one)) {
          one.sample();
          unfinished = true;
        }
      }
    }
    return series.stream().map(Series::result).toList();
  }

  /**
   * Runs a candidate at least once and until it is compiled, and counts the runs that fill a
   * sample.
   */
  private Series warmUp(Candidate candidate) {
    long runNanos = 0;
    for (int round = 0; round < MAX_WARM_UPS; round++) {
      long compiledBefore = compiledMillis.getAsLong();
      runNanos = runForWarmUpTime(candidate);
      if (compiledMillis.getAsLong() - compiledBefore <= BUSY_COMPILING_MILLIS) {
        break;
      }
    }
    long runs = Math.ceilDiv(pace.sample().toNanos(), Math.max(1, runNanos));
    return new Series(candidate, Math.clamp(runs, 1, 1_000_000));
  }

  /** Runs a candidate for the time of a warm-up; returns the time of the last run. */
  private long runForWarmUpTime(Candidate candidate) {
    long start = nanoClock.getAsLong();
    long before;
    long now = start;
    do {
      before = now;
      if (candidate.prepare().isPresent()) {
        candidate.prepare().get().run();
        before = nanoClock.getAsLong();
      }
      candidate.body().run();
      now = nanoClock.getAsLong();
    } while (now - start < pace.warmUp().toNanos());
    return now - before;
  }

  private final class Series {
    private final Candidate candidate;
    private final int runsPerSample;
    private final List<Double> nanosPerRun = new ArrayList<>();
    private long spentNanos;

    Series(Candidate candidate, int runsPerSample) {
      this.candidate = candidate;
      this.runsPerSample = runsPerSample;
    }

    boolean wantsSample() {
      int taken = nanosPerRun.size();
      return taken < pace.minSamples()
          || (taken < pace.maxSamples() && spentNanos < pace.measured().toNanos());
    }

    void sample() {
      long elapsed =
          Math.max(1, candidate.prepare().map(this::runsOneByOne).orElseGet(this::runsTogether));
      spentNanos += elapsed;
      nanosPerRun.add((double) elapsed / runsPerSample);
    }

    private long runsTogether() {
      Runnable body = candidate.body();
      long start = nanoClock.getAsLong();
      for (int run = 0; run < runsPerSample; run++) {
        body.run();
      }
      return nanoClock.getAsLong() - start;
    }

    private long runsOneByOne(Runnable prepare) {
      long elapsed = 0;
      for (int run = 0; run < runsPerSample; run++) {
        prepare.run();
        long start = nanoClock.getAsLong();
        candidate.body().run();
        elapsed += nanoClock.getAsLong() - start;
      }
      return elapsed;
    }

    Measurement result() {
      double[] sorted = nanosPerRun.stream().mapToDouble(Double::doubleValue).toArray();
      Arrays.sort(sorted);
      int middle = sorted.length / 2;
      double median =
          sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
      return new Measurement(candidate.name(), candidate.work(), sorted.length, sorted[0], median);
    }
  }
}
