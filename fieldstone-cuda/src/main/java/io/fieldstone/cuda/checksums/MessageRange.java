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
 * @param longest bytes of the longest
 * @param total bytes of all
 */
record MessageRange(long first, Extents messages, long begin, long end, long longest, long total) {

  /** Messages of a range: what lists of them and their remainders take is bounded. */
  private static final long MAX_MESSAGES = 1 << 20;

  /** Gaps between messages that cross the bus with them rather than being left out. */
  private static final long FEW_BYTES = 64 << 10;

  /** Ranges in which messages have about {@code most} bytes together, but at least one message. */
  static List<MessageRange> cut(Extents messages, long most) {
    List<MessageRange> ranges = new ArrayList<>();
    for (long first = 0; first < messages.count(); ) {
      MessageRange range = from(messages, first, most);
      ranges.add(range);
      first += range.messages().count();
    }
    return ranges;
  }

  private static MessageRange from(Extents messages, long first, long most) {
    long mostCount = Math.min(MAX_MESSAGES, messages.count() - first);
    return switch (messages) {
      case Extents.Equal equal -> {
        long count = Math.clamp(most / Math.max(1, equal.length()), 1, mostCount);
        Extents.Equal some = equal.slice(first, count);
        long end = some.offset() + (count - 1) * some.stride() + some.length();
        yield new MessageRange(
            first, some, some.offset(), end, some.length(), count * some.length());
      }
      case Extents.Listed listed -> listedFrom(listed, first, mostCount, most);
    };
  }

  private static MessageRange listedFrom(
      Extents.Listed listed, long first, long mostCount, long most) {
    long begin = Long.MAX_VALUE;
    long end = 0;
    long longest = 0;
    long total = 0;
    long count = 0;
    while (count < mostCount) {
      long offset = listed.offset(first + count);
      long length = listed.length(first + count);
      if (count > 0 && total + length > most) {
        break;
      }
      begin = Math.min(begin, offset);
      end = Math.max(end, offset + length);
      longest = Math.max(longest, length);
      total += length;
      count++;
    }
    return new MessageRange(first, listed.slice(first, count), begin, end, longest, total);
  }

  /** Whether the bytes between them are so many that they should not cross the bus. */
  boolean isScattered() {
    return end - begin > 2 * total + FEW_BYTES;
  }

  /** Bytes that cross the bus. */
  long crossingBytes() {
    return isScattered() ? total : end - begin;
  }

  long count() {
    return messages.count();
  }
}
