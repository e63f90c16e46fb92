package io.fieldstone.cpu.sorting;

import io.fieldstone.engine.memory.CpuInfo;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Sorts short heap arrays of keys by {@link Arrays}, where it orders keys as the format does. */
final class JdkArraySort {

  private static final Map<KeyType, Integer> MAX_KEYS = new EnumMap<>(KeyType.class);

  static {
    for (KeyType key : KeyType.values()) {
      MAX_KEYS.put(key, maxKeys(key, CpuInfo.current()));
    }
  }

  private JdkArraySort() {}

  /** Returns whether the records are keys so few that the JDK sorts them faster. */
  static boolean isShort(RecordFormat format, MemorySegment records) {
    int bytes = format.bytes();
    return format.payloadBytes() == 0
        && format.direction() == Direction.ASCENDING
        && records.address() % bytes == 0
        && records.byteSize() <= (long) MAX_KEYS.getOrDefault(format.key(), 0) * bytes;
  }

  /** Sorts the records in place, or returns false and leaves them unchanged. */
  static boolean sort(RecordFormat format, MemorySegment records) {
    if (!isShort(format, records)) {
      return false;
    }
    int bytes = format.bytes();
    int first = (int) (records.address() / bytes);
    int end = first + (int) (records.byteSize() / bytes);
    switch (records.heapBase().orElse(null)) {
      case int[] keys when format.key() == KeyType.I32 -> Arrays.sort(keys, first, end);
      case int[] keys when format.key() == KeyType.U32 -> {
        flipSigns(keys, first, end);
        Arrays.sort(keys, first, end);
        flipSigns(keys, first, end);
      }
      case long[] keys when format.key() == KeyType.I64 -> Arrays.sort(keys, first, end);
      case long[] keys when format.key() == KeyType.U64 -> {
        flipSigns(keys, first, end);
        Arrays.sort(keys, first, end);
        flipSigns(keys, first, end);
      }
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

  /**
   * Returns the number of keys above which the radix sort is faster. The JDK sorts all types with
   * AVX-512, though not on Zen 3 and 4 (JDK-8317976), and 32-bit types with AVX2.
   */
  static int maxKeys(KeyType key, CpuInfo processor) {
    boolean isAmd = processor.get("vendor_id").equals(Optional.of("AuthenticAMD"));
    boolean isZen3Or4 = isAmd && processor.get("cpu family").equals(Optional.of("25"));
    if (processor.flags().contains("avx512dq") && !isZen3Or4) {
      // Moves to many places in the first caches are faster on Zen 5 than on Intel.
      return isAmd ? 1 << 12 : 1 << 14;
    }
    boolean isVectorized = key.bytes() == Integer.BYTES && processor.flags().contains("avx2");
    return isVectorized ? 1 << 11 : 1 << 9;
  }

  /** Makes the order of unsigned keys that of signed keys, and back. */
  private static void flipSigns(int[] keys, int first, int end) {
    for (int i = first; i < end; i++) {
      keys[i] ^= Integer.MIN_VALUE;
    }
  }

  private static void flipSigns(long[] keys, int first, int end) {
    for (int i = first; i < end; i++) {
      keys[i] ^= Long.MIN_VALUE;
    }
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
