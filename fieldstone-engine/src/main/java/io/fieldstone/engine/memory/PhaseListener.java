package io.fieldstone.engine.memory;

/**
 * Receives the phases of work, which show how uploads, kernels and downloads overlap. Phases are
 * measured only for a listener other than {@link #NONE}.
 *
 * <p>Called from any thread, after a phase has ended and before the port call that it belongs to
 * returns. Implementations must be thread-safe and fast.
 */
@FunctionalInterface
public interface PhaseListener {

  /** Ignores all phases. A class: a lambda is linked later, in longer than an engine opens. */
  PhaseListener NONE =
      new PhaseListener() {
        @Override
        public void onPhase(Phase phase) {}
      };

  /** Receives a phase that has ended. */
  void onPhase(Phase phase);
}
