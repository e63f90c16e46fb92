package io.fieldstone.cli.demo;

/**
 * The generations under way. It moves when every receiver has the lowest, so that no node ever
 * holds more than {@code size} of them, however long the object is.
 *
 * <p>Moved between ticks, while no node works.
 */
final class Window {

  private final int size;
  private final long generations;
  private long first;

  /**
   * @param generations of the object
   * @param size most generations under way at once, ≥ 1
   */
  Window(long generations, int size) {
    this.generations = generations;
    this.size = size;
  }

  /** The lowest generation that some receiver lacks. */
  long first() {
    return first;
  }

  /** The generation after the last under way. */
  long end() {
    return Math.min(generations, first + size);
  }

  boolean contains(long generation) {
    return generation >= first && generation < end();
  }

  /** Whether every receiver has everything. */
  boolean isDone() {
    return first == generations;
  }

  /** Moves on to {@code lowestWanted}. */
  void moveTo(long lowestWanted) {
    first = lowestWanted;
  }
}
