package io.fieldstone.cli.demo;

/**
 * The window of generations in flight. It advances when every receiver has its first generation, so
 * that a node holds at most {@code size} generations of an object of any length.
 *
 * <p>It advances between ticks, while no node works.
 */
final class Window {

  private final int size;
  private final long generations;
  private long first;

  /**
   * @param generations the generations of the object
   * @param size the maximum number of generations in flight, at least 1
   */
  Window(long generations, int size) {
    this.generations = generations;
    this.size = size;
  }

  /** Returns the first generation that some receiver misses. */
  long first() {
    return first;
  }

  /** Returns the end of the window, exclusive. */
  long end() {
    return Math.min(generations, first + size);
  }

  boolean contains(long generation) {
    return generation >= first && generation < end();
  }

  /** Tests whether every receiver has all generations. */
  boolean isDone() {
    return first == generations;
  }

  /** Advances the window to a generation. */
  void moveTo(long generation) {
    first = generation;
  }
}
