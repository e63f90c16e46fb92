package io.fieldstone.cpu.sorting;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Sorts heap arrays of keys by {@link Arrays} if they are short, or if samples are in order: the
 * JDK sorts ordered arrays in linear time. The format must order keys as the JDK does.
 */
final class JdkArraySort {

  /** The radix sort is faster above about 300 keys without AVX-512, and above 1,000 with it. */
  private static final int MAX_KEYS = 1 << 9;

  private static final int SAMPLES = 32;

  private JdkArraySort() {}

  /** Sorts the records in place, or returns false and leaves them unchanged. */
  static boolean sort(RecordFormat format, MemorySegment records) {
    int bytes = format.bytes();
    if (!format.equals(RecordFormat.of(format.key()))
        || records.heapBase().isEmpty()
        || records.address() % bytes != 0
        || (records.byteSize() > (long) MAX_KEYS * bytes && !seemsOrdered(format, records))) {
      return false;
    }
    int first = (int) (records.address() / bytes);
    int end = first + (int) (records.byteSize() / bytes);
    switch (records.heapBase().get()) {
      case int[] keys when format.key() == KeyType.I32 -> Arrays.sort(keys, first, end);
      case long[] keys when format.key() == KeyType.I64 -> Arrays.sort(keys, first, end);
      case float[] keys when format.key() == KeyType.F32 && !hasNan(keys, first, end) ->
          Arrays.sort(keys, first, end);
      case double[] keys when format.key() == KeyType.F64 && !hasNan(keys, first, end) ->
          Arrays.sort(keys, first, end);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Returns whether sampled keys rise, or fall, throughout. */
  private static boolean seemsOrdered(RecordFormat format, MemorySegment records) {
    long step = records.byteSize() / format.bytes() / SAMPLES * format.bytes();
    boolean rises = true;
    boolean falls = true;
    for (int i = 1; i < SAMPLES; i++) {
      long before = format.bitOrdered(records, (i - 1) * step);
      int order = Long.compareUnsigned(before, format.bitOrdered(records, i * step));
      rises &= order <= 0;
      falls &= order >= 0;
    }
    return rises || falls;
  }

  /** Returns whether a key is NaN: the JDK may reorder NaNs of different bits. */
  private static boolean hasNan(float[] keys, int first, int end) {
    boolean hasNan = false;
    for (int i = first; i < end; i++) {
      hasNan |= Float.isNaN(keys[i]);
    }
    return hasNan;
  }

  private static boolean hasNan(double[] keys, int first, int end) {
    boolean hasNan = false;
    for (int i = first; i < end; i++) {
      hasNan |= Double.isNaN(keys[i]);
    }
    return hasNan;
  }
}
