package io.fieldstone.engine.stars;

/**
 * Searches the stars of one {@link StarField}, over ranges of points, so that it can be divided,
 * streamed and stopped. A star belongs to the range that contains its lowest point.
 *
 * <p>Thread-safe. Created by {@link Stars#search}; the caller closes it before the engine.
 */
public interface StarSearch extends AutoCloseable {

  /** Returns the field. */
  StarField field();

  /** Returns the name of the method, one of {@link Stars#methods}. */
  String method();

  /**
   * Counts the stars whose lowest point is among points {@code first} … {@code first + points − 1}.
   *
   * @throws IndexOutOfBoundsException if the range exceeds the points
   */
  long count(int first, int points);

  /** Counts all stars. */
  default long count() {
    return count(0, field().points());
  }

  /**
   * Passes the stars that {@link #count(int, int)} counts to a sink, each once. The search may
   * continue in its buffers while the sink runs.
   *
   * @param sink called by one thread at a time; batches of {@link StarBatch.PairBits} come in
   *     ascending order of lowest points
   * @throws IndexOutOfBoundsException if the range exceeds the points
   * @throws X if the sink throws it, which ends the search
   */
  <X extends Exception> void enumerate(int first, int points, StarSink<X> sink) throws X;

  /** Passes all stars to a sink. */
  default <X extends Exception> void enumerate(StarSink<X> sink) throws X {
    enumerate(0, field().points(), sink);
  }

  /**
   * Returns the number of points whose triples a search of a range examines, to which its time is
   * proportional. It exceeds the range where a method searches whole cells.
   *
   * @throws IndexOutOfBoundsException if the range exceeds the points
   */
  default int examinedPoints(int first, int points) {
    field().requirePoints(first, points);
    return points;
  }

  /** Frees the engine memory of the search. Idempotent. */
  @Override
  void close();
}
