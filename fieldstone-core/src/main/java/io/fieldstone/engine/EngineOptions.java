package io.fieldstone.engine;

import io.fieldstone.engine.memory.PhaseListener;

/**
 * Options for opening an engine.
 *
 * @param threads worker threads of an engine on the CPU, ≥ 1
 * @param phases receives the phases of work on a GPU
 */
public record EngineOptions(int threads, PhaseListener phases) {

  /** One thread per processor, and no phase listener. */
  public static final EngineOptions DEFAULT =
      new EngineOptions(Runtime.getRuntime().availableProcessors());

  public EngineOptions {
    if (threads < 1) {
      throw new IllegalArgumentException("threads " + threads + " is less than 1");
    }
  }

  /**
   * Creates options without a phase listener.
   *
   * @param threads worker threads, ≥ 1
   */
  public EngineOptions(int threads) {
    this(threads, PhaseListener.NONE);
  }
}
