package io.fieldstone.stream;

/**
 * What one stage of a pipeline did, or all {@linkplain io.fieldstone.engine.memory.Phase phases} of
 * one name together: sums, where a {@link Timeline} has each stretch of time by itself.
 *
 * @param name the stage
 * @param busyNs nanoseconds spent working, without waiting for neighbours
 * @param items slots it worked on, or phases
 * @param bytes bytes it says it worked on
 */
public record StageProfile(String name, long busyNs, long items, long bytes) {

  private static final double NS_PER_SECOND = 1e9;

  /** This and another of the same name. */
  StageProfile plus(StageProfile other) {
    return new StageProfile(name, busyNs + other.busyNs, items + other.items, bytes + other.bytes);
  }

  /** Seconds spent working. */
  public double busySeconds() {
    return busyNs / NS_PER_SECOND;
  }

  /** Bytes a second while busy; zero if the stage had nothing to do. */
  public double bytesPerSecond() {
    return busyNs == 0 ? 0 : bytes / busySeconds();
  }
}
