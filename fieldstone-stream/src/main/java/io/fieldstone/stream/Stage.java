package io.fieldstone.stream;

/**
 * A stage of a {@link Pipeline}. Called by several threads, each with a slot of its own.
 *
 * @param <S> the contents of slots
 * @param <X> the exceptions of the stage
 */
@FunctionalInterface
public interface Stage<S, X extends Exception> {

  /** The result of the first stage at the end of the source. */
  long END = -1;

  /**
   * Processes a slot, which no other thread uses at the same time.
   *
   * @return the bytes processed, ≥ 0, for the profile; {@link #END} from the first stage at the end
   *     of the source, with an unused slot
   * @throws InterruptedException if the thread is interrupted
   */
  long run(S slot) throws X, InterruptedException;
}
