package io.fieldstone.bench;

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
 * @param progress told what it is at
 * @param findings told what it has found
 */
public record BenchOptions(
    String engine, int threads, Pace pace, Progress progress, Findings findings) {

  /** The best engine there is, all processors, at full pace. */
  public static final BenchOptions DEFAULT =
      new BenchOptions(
          "auto", EngineOptions.DEFAULT.threads(), Pace.FULL, Progress.NONE, Findings.NONE);

  public BenchOptions {
    if (threads < 1) {
      throw new IllegalArgumentException("threads " + threads + " is less than 1");
    }
  }

  /** The same at another pace. */
  public BenchOptions withPace(Pace other) {
    return new BenchOptions(engine, threads, other, progress, findings);
  }

  /** The same with another engine. */
  public BenchOptions withEngine(String other) {
    return new BenchOptions(other, threads, pace, progress, findings);
  }

  /** The same with another number of threads. */
  public BenchOptions withThreads(int other) {
    return new BenchOptions(engine, other, pace, progress, findings);
  }

  /** The same, telling somebody how far it is. */
  public BenchOptions withProgress(Progress other) {
    return new BenchOptions(engine, threads, pace, other, findings);
  }

  /** The same, telling somebody what it finds. */
  public BenchOptions withFindings(Findings other) {
    return new BenchOptions(engine, threads, pace, progress, other);
  }
}
