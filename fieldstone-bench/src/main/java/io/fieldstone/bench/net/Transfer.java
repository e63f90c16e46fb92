package io.fieldstone.bench.net;

/**
 * The result of a transfer of a file when it ended, or when its time was over.
 *
 * @param bytes of the file that the receiver had; the smallest number if there were several
 * @param seconds from the start of the receiver's connection to the last byte; the longest time if
 *     there were several
 * @param blocksNeeded source blocks of the file; 0 without coding
 * @param blocksReceived coded or source blocks that arrived; 0 without coding
 */
record Transfer(long bytes, double seconds, long blocksNeeded, long blocksReceived) {

  /** The neutral element of {@link #and}. */
  static final Transfer NOTHING_YET = new Transfer(Long.MAX_VALUE, 0);

  Transfer(long bytes, double seconds) {
    this(bytes, seconds, 0, 0);
  }

  /** Returns the goodput in Mbit/s. */
  double megabitsPerSecond() {
    return seconds > 0 ? bytes * 8e-6 / seconds : 0;
  }

  /** Joins the transfers of two receivers that got the same file. */
  Transfer and(Transfer other) {
    return new Transfer(
        Math.min(bytes, other.bytes),
        Math.max(seconds, other.seconds),
        blocksNeeded + other.blocksNeeded,
        blocksReceived + other.blocksReceived);
  }
}
