package io.fieldstone.engine.memory;

/**
 * Hears what work was done when: how uploads, kernels and downloads overlap, and what waits for
 * what. Measuring costs a little, so nothing is measured for {@link #NONE}.
 *
 * <p>Called by any thread, some time after a phase has ended and at the latest when the call of the
 * port that it belongs to returns; it must be thread-safe and quick.
 */
@FunctionalInterface
public interface PhaseListener {

  /** Nobody. */
  PhaseListener NONE = phase -> {};

  /** Is told of a phase that has ended. */
  void spent(Phase phase);
}
