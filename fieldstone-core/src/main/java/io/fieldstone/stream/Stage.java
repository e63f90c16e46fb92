package io.fieldstone.stream;

/**
 * One step of a {@link Pipeline}. Called by one thread, the stage's own, with one slot after
 * another.
 *
 * @param <S> what slots hold
 * @param <X> what may go wrong
 */
@FunctionalInterface
public interface Stage<S, X extends Exception> {

  /** What the first stage returns when there is nothing left. */
  long END = -1;

  /**
   * Works on a slot, which no other thread touches meanwhile.
   *
   * @return the bytes worked on, ≥ 0, for the profile; {@link #END} from the first stage when there
   *     is nothing left, the slot being unused then
   * @throws InterruptedException if the pipeline was cancelled
   */
  long run(S slot) throws X, InterruptedException;
}
