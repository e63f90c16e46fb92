package io.fieldstone.sort;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.SortPreconditions;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * Checks the order of records given in parts, and computes a fingerprint that is independent of
 * their order: the sum of a hash of each. Equal fingerprints of input and output mean that no
 * record was lost, added or changed, with an error probability of 2^−64.
 *
 * <p>For one thread.
 */
public final class RecordCheck {

  /** An odd multiplier without structure: the fraction of the golden ratio. */
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private final RecordLayout layout;

  /** The ranks of the last key, all zero before the first, which no key precedes. */
  private final long[] last;

  private long seen;
  private long fingerprint;
  private OptionalLong outOfOrder = OptionalLong.empty();

  /** Creates a check without records. */
  public RecordCheck(RecordFormat format) {
    this(RecordLayout.of(format));
  }

  /** Creates a check without records. */
  public RecordCheck(RecordLayout layout) {
    this.layout = layout;
    this.last = new long[layout.ranks()];
  }

  /** Returns a check of the records that follow {@code before} of those added to it. */
  static RecordCheck after(MemorySegment before, RecordLayout layout) {
    RecordCheck check = new RecordCheck(layout);
    if (before.byteSize() > 0) {
      check.compareWithLast(before, before.byteSize() - layout.recordBytes());
    }
    return check;
  }

  /**
   * Adds the result of another check.
   *
   * @param first the number of records before those of the other check
   */
  void add(RecordCheck other, long first) {
    seen += other.seen;
    fingerprint += other.fingerprint;
    if (other.outOfOrder.isPresent()) {
      long found = first + other.outOfOrder.getAsLong();
      outOfOrder = OptionalLong.of(Math.min(found, outOfOrder.orElse(found)));
    }
  }

  /**
   * Adds the next records.
   *
   * @throws IllegalArgumentException if they are not a whole number of records
   */
  public void add(MemorySegment records) {
    int bytes = layout.recordBytes();
    SortPreconditions.requireRecords(bytes, layout, records.byteSize());
    for (long at = 0; at < records.byteSize(); at += bytes) {
      if (compareWithLast(records, at) < 0 && outOfOrder.isEmpty()) {
        outOfOrder = OptionalLong.of(seen);
      }
      fingerprint += hash(records, at, bytes);
      seen++;
    }
  }

  /** Compares the key of a record with the last one, whose place it takes. */
  private int compareWithLast(MemorySegment records, long at) {
    int order = 0;
    for (int i = 0; i < last.length; i++) {
      long rank = layout.rank(records, at, i);
      order = order == 0 ? Long.compareUnsigned(rank, last[i]) : order;
      last[i] = rank;
    }
    return order;
  }

  /** Returns the number of records added. */
  public long records() {
    return seen;
  }

  /** Returns the fingerprint, which does not depend on the order of the records. */
  public long fingerprint() {
    return fingerprint;
  }

  /** Returns the index of the first record that should precede the record before it. */
  public OptionalLong outOfOrder() {
    return outOfOrder;
  }

  private static long hash(MemorySegment records, long offset, int bytes) {
    long hash = bytes;
    int at = 0;
    for (; at + Long.BYTES <= bytes; at += Long.BYTES) {
      hash = mix(hash ^ records.get(JAVA_LONG_UNALIGNED, offset + at));
    }
    long rest = 0;
    int shift = 0;
    if (at + Integer.BYTES <= bytes) {
      rest = Integer.toUnsignedLong(records.get(JAVA_INT_UNALIGNED, offset + at));
      at += Integer.BYTES;
      shift = Integer.SIZE;
    }
    for (; at < bytes; at++, shift += Byte.SIZE) {
      rest |= Byte.toUnsignedLong(records.get(JAVA_BYTE, offset + at)) << shift;
    }
    return mix(hash ^ rest);
  }

  /** Returns a bijective hash in which every input bit affects every output bit. */
  private static long mix(long value) {
    long x = (value ^ value >>> 32) * MULTIPLIER;
    x = (x ^ x >>> 29) * MULTIPLIER;
    return x ^ x >>> 32;
  }
}
