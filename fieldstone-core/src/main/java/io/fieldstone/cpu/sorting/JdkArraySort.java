package io.fieldstone.cpu.sorting;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Sorts short heap arrays of keys by {@link Arrays}, where it orders keys as a format does. */
final class JdkArraySort {

  /** The radix sort is faster above about 300 keys without AVX-512, and above 1,000 with it. */
  private static final int MAX_KEYS = 1 << 9;

  private JdkArraySort() {}

  /** Sorts the records in place, or returns false and leaves them unchanged. */
  static boolean sort(RecordFormat format, MemorySegment records) {
    int bytes = format.bytes();
    if (!format.equals(RecordFormat.of(format.key()))
        || records.byteSize() > (long) MAX_KEYS * bytes
        || records.address() % bytes != 0) {
      return false;
    }
    int first = (int) (records.address() / bytes);
    int end = first + (int) (records.byteSize() / bytes);
    switch (records.heapBase().orElse(null)) {
      case int[] keys when format.key() == KeyType.I32 -> Arrays.sort(keys, first, end);
      case long[] keys when format.key() == KeyType.I64 -> Arrays.sort(keys, first, end);
      case float[] keys when format.key() == KeyType.F32 && !hasNan(keys, first, end) ->
          Arrays.sort(keys, first, end);
      case double[] keys when format.key() == KeyType.F64 && !hasNan(keys, first, end) ->
          Arrays.sort(keys, first, end);
      case null, default -> {
        return false;
      }
    }
    return true;
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
