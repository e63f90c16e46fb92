package io.fieldstone.bench.net;

import java.util.Arrays;

/**
 * What one direction of a link has done.
 *
 * @param arrived packets that left it at the far end
 * @param arrivedBytes their bytes
 * @param lost packets lost at random
 * @param overflowed packets dropped because the queue was full
 * @param meanQueueMicros mean time that a packet waited before its transmission
 * @param p99QueueMicros 99th percentile of that time
 */
record LinkCounters(
    long arrived,
    long arrivedBytes,
    long lost,
    long overflowed,
    long meanQueueMicros,
    long p99QueueMicros) {

  private static final int FIELDS = 6;

  /** Returns the packets offered to the link. */
  long offered() {
    return arrived + lost + overflowed;
  }

  /** Returns the share of the offered packets that a full queue dropped. */
  double overflowShare() {
    return offered() == 0 ? 0 : (double) overflowed / offered();
  }

  /** Parses the form of {@link #toText}. */
  static LinkCounters parse(String text) {
    long[] fields = Arrays.stream(text.split("/", -1)).mapToLong(Long::parseLong).toArray();
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("'%s' has no %d fields".formatted(text, FIELDS));
    }
    return new LinkCounters(fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]);
  }

  /** Returns all fields in their order, with {@code /} between them. */
  String toText() {
    return "%d/%d/%d/%d/%d/%d"
        .formatted(arrived, arrivedBytes, lost, overflowed, meanQueueMicros, p99QueueMicros);
  }
}
