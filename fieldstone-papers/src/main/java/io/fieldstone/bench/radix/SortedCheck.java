package io.fieldstone.bench.radix;

import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.sort.RecordCheck;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/** Checks that records are in order and the same as before, on all threads of the common pool. */
final class SortedCheck {

  /** Records of a task. */
  private static final long BLOCK = 1 << 18;

  private final RecordFormat format;
  private final long fingerprint;

  /** Computes the fingerprint of unsorted records. */
  SortedCheck(RecordFormat format, MemorySegment records) {
    this.format = format;
    this.fingerprint = scan(records).fingerprint;
  }

  /**
   * The findings on some records.
   *
   * @param fingerprint their sum
   * @param outOfOrder index of the first record that is less than the one before it
   */
  private record Seen(long fingerprint, OptionalLong outOfOrder) {

    Seen and(Seen later) {
      return new Seen(
          fingerprint + later.fingerprint, outOfOrder.isPresent() ? outOfOrder : later.outOfOrder);
    }
  }

  /**
   * Requires that records are in order and the same.
   *
   * @param name of the method that sorted them
   * @throws IllegalStateException if they are not
   */
  void require(String name, MemorySegment sorted) {
    Seen seen = scan(sorted);
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

  private Seen scan(MemorySegment records) {
    long count = records.byteSize() / format.bytes();
    return LongStream.range(0, Math.ceilDiv(count, BLOCK))
        .parallel()
        .mapToObj(block -> scan(records, block * BLOCK, Math.min(count, (block + 1) * BLOCK)))
        .reduce(new Seen(0, OptionalLong.empty()), Seen::and);
  }

  private Seen scan(MemorySegment records, long from, long to) {
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
    long rank = format.bitOrdered(records, index * bytes);
    return Long.compareUnsigned(rank, format.bitOrdered(records, (index - 1) * bytes)) < 0;
  }
}
