package io.fieldstone.engine.stars;

/**
 * The search for the stars of one {@link StarField}, over ranges of points so that it can be
 * shared, streamed and stopped. A star belongs to the range in which its lowest point is.
 *
 * <p>Thread-safe. Made by {@link Stars#search}; belongs to the caller, who closes it before the
 * engine.
 */
public interface StarSearch extends AutoCloseable {

  /** Where it searches. */
  StarField field();

  /** How it searches, one of {@link Stars#methods}. */
  String method();

  /**
   * How many stars have their lowest point among points {@code first} … {@code first + points − 1}.
   *
   * @throws IndexOutOfBoundsException if there are not so many points
   */
  long count(int first, int points);

  /** How many stars there are. */
  default long count() {
    return count(0, field().points());
  }

  /**
   * Hands out the stars that {@link #count(int, int)} counts, each once. While the sink works, the
   * search may go on, as far as its memory reaches.
   *
   * @param sink is called by one thread at a time, for ascending lowest points if batches are
   *     {@link StarBatch.PairBits}
   * @throws IndexOutOfBoundsException if there are not so many points
   * @throws X what the sink throws, which ends the search
   */
  <X extends Exception> void enumerate(int first, int points, StarSink<X> sink) throws X;

  /** Hands out all stars. */
  default <X extends Exception> void enumerate(StarSink<X> sink) throws X {
    enumerate(0, field().points(), sink);
  }

  /** Frees what the search holds on the engine. Idempotent. */
  @Override
  void close();
}
