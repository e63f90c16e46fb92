package io.fieldstone.engine;

import io.fieldstone.engine.memory.PhaseListener;
import java.util.Optional;

/**
 * Options for opening an engine.
 *
 * @param threads worker threads of an engine on the CPU, ≥ 1
 * @param phases receives the phases of work on a GPU
 * @param workload the job, by which {@code auto} chooses; without it, {@code auto} prefers a GPU
 */
public record EngineOptions(int threads, PhaseListener phases, Optional<Workload> workload) {

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

  /** Creates options without a workload. */
  public EngineOptions(int threads, PhaseListener phases) {
    this(threads, phases, Optional.empty());
  }

  /** Returns these options for a job. */
  public EngineOptions forWorkload(Workload job) {
    return new EngineOptions(threads, phases, Optional.of(job));
  }
}
