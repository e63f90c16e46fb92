package io.fieldstone.engine.stars;

/**
 * Receives batches of stars as they are found.
 *
 * @param <X> the exceptions of the sink
 */
@FunctionalInterface
public interface StarSink<X extends Exception> {

  /**
   * Receives a batch.
   *
   * @param batch valid until this method returns
   */
  void accept(StarBatch batch) throws X;
}
