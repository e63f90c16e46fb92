package io.fieldstone.engine;

/**
 * How an engine is opened.
 *
 * @param threads worker threads an engine on the CPU may use, ≥ 1
 */
public record EngineOptions(int threads) {

  /** As many threads as the machine has processors. */
  public static final EngineOptions DEFAULT =
      new EngineOptions(Runtime.getRuntime().availableProcessors());

  public EngineOptions {
    if (threads < 1) {
      throw new IllegalArgumentException("threads " + threads + " is less than 1");
    }
  }
}
