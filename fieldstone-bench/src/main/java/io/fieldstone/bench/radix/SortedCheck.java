package io.fieldstone.bench.radix;

import io.fieldstone.engine.RecordFormat;
import io.fieldstone.sort.RecordCheck;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * What records have to be once they are sorted: in order, and the same. Looks at them by all
 * threads of the common pool, as there may be 10^9.
 */
final class SortedCheck {

  /** Records that a thread looks at in one go. */
  private static final long BLOCK = 1 << 18;

  private final RecordFormat format;
  private final long fingerprint;

  /** Remembers the fingerprint of unsorted records. */
  SortedCheck(RecordFormat format, MemorySegment records) {
    this.format = format;
    this.fingerprint = look(records).fingerprint;
  }

  /**
   * What was seen of some records.
   *
   * @param outOfOrder the first that is less than the one before it
   */
  private record Seen(long fingerprint, OptionalLong outOfOrder) {

    Seen and(Seen later) {
      return new Seen(
          fingerprint + later.fingerprint, outOfOrder.isPresent() ? outOfOrder : later.outOfOrder);
    }
  }

  /**
   * Refuses what is not in order, or not the same records.
   *
   * @param name of what has sorted them
   */
  void require(String name, MemorySegment sorted) {
    Seen seen = look(sorted);
    long count = sorted.byteSize() / format.bytes();
    if (seen.outOfOrder.isPresent()) {
      throw new IllegalStateException(
          "%s of %d records of %s leaves record %d out of order"
              .formatted(name, count, format, seen.outOfOrder.getAsLong()));
    }
    if (seen.fingerprint != fingerprint) {
      throw new IllegalStateException(
          "%s of %d records of %s has changed some".formatted(name, count, format));
    }
  }

  private Seen look(MemorySegment records) {
    long count = records.byteSize() / format.bytes();
    return LongStream.range(0, Math.ceilDiv(count, BLOCK))
        .parallel()
        .mapToObj(block -> look(records, block * BLOCK, Math.min(count, (block + 1) * BLOCK)))
        .reduce(new Seen(0, OptionalLong.empty()), Seen::and);
  }

  private Seen look(MemorySegment records, long from, long to) {
    int bytes = format.bytes();
    RecordCheck check = new RecordCheck(format);
    check.add(records.asSlice(from * bytes, (to - from) * bytes));
    OptionalLong outOfOrder =
        check.outOfOrder().isPresent()
            ? OptionalLong.of(from + check.outOfOrder().getAsLong())
            : OptionalLong.empty();
    if (from > 0 && isLess(records, from)) {
      outOfOrder = OptionalLong.of(from);
    }
    return new Seen(check.fingerprint(), outOfOrder);
  }

  private boolean isLess(MemorySegment records, long index) {
    int bytes = format.bytes();
    long rank = format.rank(records, index * bytes);
    return Long.compareUnsigned(rank, format.rank(records, (index - 1) * bytes)) < 0;
  }
}
