package io.fieldstone.engine.memory;

/**
 * An interval in which a stream or thread did one kind of work.
 *
 * @param track the stream of a GPU, the CPU, or the thread of a stage; phases of one track do not
 *     overlap
 * @param name the kind of work: {@code upload}, {@code compute}, {@code download}, …
 * @param startNs the start, in {@link System#nanoTime}
 * @param endNs the end, by the same clock
 * @param bytes the bytes processed; zero if not counted
 */
public record Phase(String track, String name, long startNs, long endNs, long bytes) {

  public Phase {
    if (endNs - startNs < 0) {
      throw new IllegalArgumentException(
          "%s of %s ends %d ns before it begins".formatted(name, track, startNs - endNs));
    }
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes " + bytes + " is negative");
    }
  }

  /** Returns the duration in nanoseconds. */
  public long durationNs() {
    return endNs - startNs;
  }
}
