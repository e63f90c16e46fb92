package io.fieldstone.cuda.checksums;

import io.fieldstone.engine.memory.Extents;
import java.util.ArrayList;
import java.util.List;

/**
 * Some of a batch of messages.
 *
 * @param first its first message in the batch
 * @param messages its messages
 * @param begin of all bytes from the first of any message to the last of any
 * @param end of these
 * @param maxBytes bytes of the maxBytes
 * @param totalBytes bytes of all
 */
record MessageRange(
    long first, Extents messages, long begin, long end, long maxBytes, long totalBytes) {

  /** Messages of a range: what lists of them and their remainders take is bounded. */
  private static final long MAX_MESSAGES = 1 << 20;

  /** Gaps between messages that cross the bus with them rather than being left out. */
  private static final long MAX_GAP_BYTES = 64 << 10;

  /** Ranges in which messages have about {@code most} bytes together, but at least one message. */
  static List<MessageRange> split(Extents messages, long most) {
    List<MessageRange> ranges = new ArrayList<>();
    for (long first = 0; first < messages.count(); ) {
      MessageRange range = from(messages, first, most);
      ranges.add(range);
      first += range.messages().count();
    }
    return ranges;
  }

  private static MessageRange from(Extents messages, long first, long most) {
    long maxCount = Math.min(MAX_MESSAGES, messages.count() - first);
    return switch (messages) {
      case Extents.Equal equal -> {
        long count = Math.clamp(most / Math.max(1, equal.length()), 1, maxCount);
        Extents.Equal some = equal.slice(first, count);
        long end = some.offset() + (count - 1) * some.stride() + some.length();
        yield new MessageRange(
            first, some, some.offset(), end, some.length(), count * some.length());
      }
      case Extents.Listed listed -> listedFrom(listed, first, maxCount, most);
    };
  }

  private static MessageRange listedFrom(
      Extents.Listed listed, long first, long maxCount, long most) {
    long begin = Long.MAX_VALUE;
    long end = 0;
    long maxBytes = 0;
    long totalBytes = 0;
    long count = 0;
    while (count < maxCount) {
      long offset = listed.offset(first + count);
      long length = listed.length(first + count);
      if (count > 0 && totalBytes + length > most) {
        break;
      }
      begin = Math.min(begin, offset);
      end = Math.max(end, offset + length);
      maxBytes = Math.max(maxBytes, length);
      totalBytes += length;
      count++;
    }
    return new MessageRange(first, listed.slice(first, count), begin, end, maxBytes, totalBytes);
  }

  /** Whether the bytes between them are so many that they should not cross the bus. */
  boolean isScattered() {
    return end - begin > 2 * totalBytes + MAX_GAP_BYTES;
  }

  /** Bytes that cross the bus. */
  long transferBytes() {
    return isScattered() ? totalBytes : end - begin;
  }

  long count() {
    return messages.count();
  }
}
