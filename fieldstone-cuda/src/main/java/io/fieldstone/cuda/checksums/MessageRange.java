package io.fieldstone.cuda.checksums;

import io.fieldstone.engine.memory.Extents;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of a batch of messages.
 *
 * @param first the index of the first message in the batch
 * @param messages the messages of the range
 * @param begin the offset of the first byte of any message
 * @param end the end of the last byte of any message
 * @param longestBytes the length of the longest message
 * @param totalBytes the sum of all lengths
 */
record MessageRange(
    long first, Extents messages, long begin, long end, long longestBytes, long totalBytes) {

  /** The maximum messages of a range, which bounds the memory of lists and remainders. */
  private static final long MAX_MESSAGES = 1 << 20;

  /** The gaps that are uploaded with the messages rather than packed. */
  private static final long MAX_GAP_BYTES = 64 << 10;

  /** Splits messages into ranges of at most {@code maxBytes} bytes, but at least one message. */
  static List<MessageRange> split(Extents messages, long maxBytes) {
    List<MessageRange> ranges = new ArrayList<>();
    for (long first = 0; first < messages.count(); ) {
      MessageRange range = from(messages, first, maxBytes);
      ranges.add(range);
      first += range.messages().count();
    }
    return ranges;
  }

  private static MessageRange from(Extents messages, long first, long maxBytes) {
    long maxCount = Math.min(MAX_MESSAGES, messages.count() - first);
    return switch (messages) {
      case Extents.Equal equal -> {
        long count = Math.clamp(maxBytes / Math.max(1, equal.length()), 1, maxCount);
        Extents.Equal some = equal.slice(first, count);
        long end = some.offset() + (count - 1) * some.stride() + some.length();
        yield new MessageRange(
            first, some, some.offset(), end, some.length(), count * some.length());
      }
      case Extents.Listed listed -> listedFrom(listed, first, maxCount, maxBytes);
    };
  }

  private static MessageRange listedFrom(
      Extents.Listed listed, long first, long maxCount, long maxBytes) {
    long begin = Long.MAX_VALUE;
    long end = 0;
    long longestBytes = 0;
    long totalBytes = 0;
    long count = 0;
    while (count < maxCount) {
      long offset = listed.offset(first + count);
      long length = listed.length(first + count);
      if (count > 0 && totalBytes + length > maxBytes) {
        break;
      }
      begin = Math.min(begin, offset);
      end = Math.max(end, offset + length);
      longestBytes = Math.max(longestBytes, length);
      totalBytes += length;
      count++;
    }
    return new MessageRange(
        first, listed.slice(first, count), begin, end, longestBytes, totalBytes);
  }

  /** Returns whether the gaps are too large to be uploaded. */
  boolean isScattered() {
    return end - begin > 2 * totalBytes + MAX_GAP_BYTES;
  }

  /** Returns the bytes to upload. */
  long transferBytes() {
    return isScattered() ? totalBytes : end - begin;
  }

  long count() {
    return messages.count();
  }
}
