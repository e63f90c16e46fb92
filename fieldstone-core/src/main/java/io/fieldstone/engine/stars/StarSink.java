package io.fieldstone.engine.stars;

/**
 * Takes stars as they are found.
 *
 * @param <X> what it throws
 */
@FunctionalInterface
public interface StarSink<X extends Exception> {

  /**
   * Takes some stars.
   *
   * @param batch whose memory is the sink's only until it returns
   */
  void accept(StarBatch batch) throws X;
}
