package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.ReportListener;
import io.fieldstone.engine.EngineOptions;

/**
 * How a benchmark is run.
 *
 * @param engine the engine that stands for "the fast one" in every table, as {@link
 *     io.fieldstone.engine.Engine#open} names it. Where the cores and a GPU stand side by side:
 *     {@code auto} for {@code cpu} and the first GPU there is; an engine of the cores for it alone;
 *     any other for it beside {@code cpu}
 * @param threads most threads to use, ≥ 1; rows for one thread are there as well
 * @param pace how long it may take
 * @param stepListener told what it is at
 * @param reportListener told what it has found
 */
public record BenchOptions(
    String engine,
    int threads,
    Pace pace,
    StepListener stepListener,
    ReportListener reportListener) {

  /** The best engine there is, all processors, at full pace. */
  public static final BenchOptions DEFAULT =
      new BenchOptions(
          "auto",
          EngineOptions.DEFAULT.threads(),
          Pace.FULL,
          StepListener.NONE,
          ReportListener.NONE);

  public BenchOptions {
    if (threads < 1) {
      throw new IllegalArgumentException("threads " + threads + " is less than 1");
    }
  }

  /** The same at another pace. */
  public BenchOptions withPace(Pace other) {
    return new BenchOptions(engine, threads, other, stepListener, reportListener);
  }

  /** The same with another engine. */
  public BenchOptions withEngine(String other) {
    return new BenchOptions(other, threads, pace, stepListener, reportListener);
  }

  /** The same with another number of threads. */
  public BenchOptions withThreads(int other) {
    return new BenchOptions(engine, other, pace, stepListener, reportListener);
  }

  /** The same, telling somebody how far it is. */
  public BenchOptions withStepListener(StepListener other) {
    return new BenchOptions(engine, threads, pace, other, reportListener);
  }

  /** The same, telling somebody what it finds. */
  public BenchOptions withReportListener(ReportListener other) {
    return new BenchOptions(engine, threads, pace, stepListener, other);
  }
}
