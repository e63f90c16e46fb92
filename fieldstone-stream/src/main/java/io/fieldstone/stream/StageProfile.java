package io.fieldstone.stream;

/**
 * The sums over one stage of a {@link Pipeline}, or over all {@linkplain
 * io.fieldstone.engine.memory.Phase phases} of one name. A {@link Timeline} keeps each phase.
 *
 * @param name the name of the stage
 * @param busyNs the nanoseconds spent working, without waiting for other stages
 * @param items the number of slots or phases
 * @param bytes the bytes processed
 */
public record StageProfile(String name, long busyNs, long items, long bytes) {

  private static final double NS_PER_SECOND = 1e9;

  /** Returns the sum of this profile and another of the same name. */
  StageProfile plus(StageProfile other) {
    return new StageProfile(name, busyNs + other.busyNs, items + other.items, bytes + other.bytes);
  }

  /** Returns the seconds spent working. */
  public double busySeconds() {
    return busyNs / NS_PER_SECOND;
  }

  /** Returns the bytes per second of working time; zero if no time was spent. */
  public double bytesPerSecond() {
    return busyNs == 0 ? 0 : bytes / busySeconds();
  }
}
