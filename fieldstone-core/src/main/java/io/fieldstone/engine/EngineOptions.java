package io.fieldstone.engine;

import io.fieldstone.engine.memory.PhaseListener;

/**
 * How an engine is opened.
 *
 * @param threads worker threads an engine on the CPU may use, ≥ 1
 * @param phases hears what a GPU spends its time on
 */
public record EngineOptions(int threads, PhaseListener phases) {

  /** As many threads as the machine has processors, and nobody who listens. */
  public static final EngineOptions DEFAULT =
      new EngineOptions(Runtime.getRuntime().availableProcessors());

  public EngineOptions {
    if (threads < 1) {
      throw new IllegalArgumentException("threads " + threads + " is less than 1");
    }
  }

  /**
   * With nobody who listens.
   *
   * @param threads worker threads, ≥ 1
   */
  public EngineOptions(int threads) {
    this(threads, PhaseListener.NONE);
  }
}
