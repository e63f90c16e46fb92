package io.fieldstone.engine.memory;

/**
 * A stretch of time that something spent on one kind of work.
 *
 * @param place who worked: a lane of a GPU, the cores, a stage of a pipeline; phases of one place
 *     do not overlap
 * @param name what was done, in a word: {@code upload}, {@code compute}, {@code download} …
 * @param startNs when it began, by {@link System#nanoTime}
 * @param endNs when it ended, by the same clock
 * @param bytes that were worked on; zero if they are not counted
 */
public record Phase(String place, String name, long startNs, long endNs, long bytes) {

  public Phase {
    if (endNs - startNs < 0) {
      throw new IllegalArgumentException(
          "%s of %s ends %d ns before it begins".formatted(name, place, startNs - endNs));
    }
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes " + bytes + " is negative");
    }
  }

  /** How long it took, in nanoseconds. */
  public long durationNs() {
    return endNs - startNs;
  }
}
