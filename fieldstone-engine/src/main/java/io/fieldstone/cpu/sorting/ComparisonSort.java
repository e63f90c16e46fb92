package io.fieldstone.cpu.sorting;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.sorting.RecordFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The oracle: sorts indices by the bit-ordered keys of their records with the JDK's stable merge
 * sort.
 */
final class ComparisonSort implements SortKernel {

  static final String NAME = "comparison";

  private final RecordFormat format;

  ComparisonSort(RecordFormat format) {
    this.format = format;
  }

  /**
   * Counts a copy of the records, their bit-ordered keys and boxed indices, each twice while
   * merging.
   */
  @Override
  public long minWorkingBytes(long records) {
    return records * 2 * (format.bytes() + Long.BYTES + 4 * Integer.BYTES);
  }

  @Override
  public String sort(MemorySegment records, MemorySegment sorted, long limit) {
    Integer[] order = order(records);
    int bytes = format.bytes();
    MemorySegment copy = MemorySegment.ofArray(records.toArray(JAVA_BYTE));
    for (int i = 0; i < order.length; i++) {
      MemorySegment.copy(copy, (long) order[i] * bytes, sorted, (long) i * bytes, bytes);
    }
    return NAME;
  }

  @Override
  public void argsort(MemorySegment records, MemorySegment order, int indexBytes, long limit) {
    long at = 0;
    for (int index : order(records)) {
      if (indexBytes == Integer.BYTES) {
        order.set(JAVA_INT_UNALIGNED, at, index);
      } else {
        order.set(JAVA_LONG_UNALIGNED, at, index);
      }
      at += indexBytes;
    }
  }

  private Integer[] order(MemorySegment records) {
    int count = Math.toIntExact(records.byteSize() / format.bytes());
    long[] ranks = new long[count];
    Integer[] order = new Integer[count];
    for (int i = 0; i < count; i++) {
      ranks[i] = format.bitOrdered(records, (long) i * format.bytes());
      order[i] = i;
    }
    Arrays.sort(order, (a, b) -> Long.compareUnsigned(ranks[a], ranks[b]));
    return order;
  }
}
