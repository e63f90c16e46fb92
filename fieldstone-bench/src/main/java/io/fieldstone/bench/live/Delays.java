package io.fieldstone.bench.live;

/** The delays of sources beside that of the path, in slots. Not thread-safe. */
final class Delays {

  private static final int BINS = 1 << 12;

  private final long[] counts = new long[BINS];
  private final long sources;
  private final double slotMillis;
  private long repairs;

  /**
   * Creates an empty distribution.
   *
   * @param sources the number of sources; one that is never added has no end of its delay
   */
  Delays(long sources, double slotMillis) {
    this.sources = sources;
    this.slotMillis = slotMillis;
  }

  void add(int slots) {
    counts[Math.min(slots, BINS - 1)]++;
  }

  void countRepair() {
    repairs++;
  }

  /** Returns the repairs for each source. */
  double redundancy() {
    return (double) repairs / sources;
  }

  /** Returns the share of sources whose delay was longer. */
  double laterThan(double millis) {
    int limit = (int) Math.min(millis / slotMillis, BINS - 1);
    long inTime = 0;
    for (int slots = 0; slots <= limit; slots++) {
      inTime += counts[slots];
    }
    return (double) (sources - inTime) / sources;
  }

  /** Returns the delay in milliseconds that a share of the sources does not exceed. */
  double percentile(double share) {
    long inTime = counts[0];
    int slots = 0;
    while (inTime < share * sources && slots < BINS - 1) {
      slots++;
      inTime += counts[slots];
    }
    return slots * slotMillis;
  }
}
