package io.fieldstone.cpu.sorting;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Keys in a heap array, which are checked for their order and reversed without a copy. */
@SuppressWarnings("ArrayRecordComponent") // The caller's.
sealed interface ArrayKeys {

  /**
   * Returns the keys, if the records are the elements of an array. Floating-point keys in
   * descending order are left out.
   */
  static Optional<ArrayKeys> of(RecordFormat format, MemorySegment records) {
    KeyType type = format.key();
    int bytes = type.bytes();
    if (format.payloadBytes() > 0 || records.address() % bytes != 0) {
      return Optional.empty();
    }
    int start = (int) (records.address() / bytes);
    boolean descend = format.direction() == Direction.DESCENDING;
    return switch (records.heapBase().orElse(null)) {
      case int[] keys when type == KeyType.I32 || type == KeyType.U32 ->
          Optional.of(new Ints(keys, start, type == KeyType.I32, descend));
      case long[] keys when type == KeyType.I64 || type == KeyType.U64 ->
          Optional.of(new Longs(keys, start, type == KeyType.I64, descend));
      case float[] keys when type == KeyType.F32 && !descend ->
          Optional.of(new Floats(keys, start));
      case double[] keys when type == KeyType.F64 && !descend ->
          Optional.of(new Doubles(keys, start));
      case null, default -> Optional.empty();
    };
  }

  /** Pairs of neighbours that are compared before the loop over all. */
  int TRIED = 8;

  /**
   * Returns whether keys {@code first} … {@code last} are in order.
   *
   * @param reversed whether to check for reverse order without NaN, whose order must not change
   */
  default boolean areOrdered(int first, int last, boolean reversed) {
    // The loop is compiled for keys in order only if it does not end at once for most arrays.
    for (int i = first; i < Math.min(last, first + TRIED); i++) {
      int order = compare(i, i + 1);
      if (reversed ? order < 0 : order > 0) {
        return false;
      }
    }
    return areAllOrdered(first, last, reversed);
  }

  /** Compares two keys in the order of the format. */
  int compare(int index, int other);

  /** As {@link #areOrdered}, by one loop. */
  boolean areAllOrdered(int first, int last, boolean reversed);

  /** Reverses {@code count} keys in reverse order; returns whether all are in order then. */
  default boolean sortIfOrdered(int count) {
    int last = count - 1;
    if (count < 2 || areOrdered(0, last, false)) {
      return true;
    }
    if (!areOrdered(0, last, true)) {
      return false;
    }
    exchange(0, last, count / 2);
    return true;
  }

  /** Exchanges keys {@code low}, {@code low} + 1, … with {@code high}, {@code high} − 1, …. */
  void exchange(int low, int high, int count);

  record Ints(int[] keys, int start, boolean areSigned, boolean descend) implements ArrayKeys {
    @Override
    public int compare(int index, int other) {
      int order =
          areSigned
              ? Integer.compare(keys[start + index], keys[start + other])
              : Integer.compareUnsigned(keys[start + index], keys[start + other]);
      return descend ? -order : order;
    }

    @Override
    public boolean areAllOrdered(int first, int last, boolean reversed) {
      int end = start + last;
      return orderedEnd(start + first, end, reversed == descend) == end;
    }

    private int orderedEnd(int first, int end, boolean rising) {
      int[] a = keys;
      int at = first;
      if (areSigned && rising) {
        while (at < end && a[at] <= a[at + 1]) {
          at++;
        }
      } else if (areSigned) {
        while (at < end && a[at] >= a[at + 1]) {
          at++;
        }
      } else if (rising) {
        while (at < end && Integer.compareUnsigned(a[at], a[at + 1]) <= 0) {
          at++;
        }
      } else {
        while (at < end && Integer.compareUnsigned(a[at], a[at + 1]) >= 0) {
          at++;
        }
      }
      return at;
    }

    @Override
    public void exchange(int low, int high, int count) {
      int[] a = keys;
      int lower = start + low;
      int upper = start + high;
      for (int i = 0; i < count; i++) {
        int key = a[lower + i];
        a[lower + i] = a[upper - i];
        a[upper - i] = key;
      }
    }
  }

  record Longs(long[] keys, int start, boolean areSigned, boolean descend) implements ArrayKeys {
    @Override
    public int compare(int index, int other) {
      int order =
          areSigned
              ? Long.compare(keys[start + index], keys[start + other])
              : Long.compareUnsigned(keys[start + index], keys[start + other]);
      return descend ? -order : order;
    }

    @Override
    public boolean areAllOrdered(int first, int last, boolean reversed) {
      int end = start + last;
      return orderedEnd(start + first, end, reversed == descend) == end;
    }

    private int orderedEnd(int first, int end, boolean rising) {
      long[] a = keys;
      int at = first;
      if (areSigned && rising) {
        while (at < end && a[at] <= a[at + 1]) {
          at++;
        }
      } else if (areSigned) {
        while (at < end && a[at] >= a[at + 1]) {
          at++;
        }
      } else if (rising) {
        while (at < end && Long.compareUnsigned(a[at], a[at + 1]) <= 0) {
          at++;
        }
      } else {
        while (at < end && Long.compareUnsigned(a[at], a[at + 1]) >= 0) {
          at++;
        }
      }
      return at;
    }

    @Override
    public void exchange(int low, int high, int count) {
      long[] a = keys;
      int lower = start + low;
      int upper = start + high;
      for (int i = 0; i < count; i++) {
        long key = a[lower + i];
        a[lower + i] = a[upper - i];
        a[upper - i] = key;
      }
    }
  }

  record Floats(float[] keys, int start) implements ArrayKeys {
    @Override
    public int compare(int index, int other) {
      return Float.compare(keys[start + index], keys[start + other]);
    }

    @Override
    public boolean areAllOrdered(int first, int last, boolean reversed) {
      float[] a = keys;
      int end = start + last;
      int at = start + first;
      if (reversed) {
        if (at < end && (Float.isNaN(a[at]) || Float.isNaN(a[end]))) {
          return false;
        }
        while (at < end && rank(a[at]) >= rank(a[at + 1])) {
          at++;
        }
      } else if (rank(a[at]) >= rank(Float.NEGATIVE_INFINITY)) {
        while (at < end && rank(a[at]) <= rank(a[at + 1])) {
          at++;
        }
      }
      return at == end;
    }

    /**
     * Returns a number of the same order, for which NaN is the least or the greatest. Comparing
     * these takes the same time for any keys, {@link Float#compare} up to ten times as long.
     */
    private static int rank(float key) {
      int bits = Float.floatToRawIntBits(key);
      return bits ^ bits >> 31 >>> 1;
    }

    @Override
    public void exchange(int low, int high, int count) {
      float[] a = keys;
      int lower = start + low;
      int upper = start + high;
      for (int i = 0; i < count; i++) {
        float key = a[lower + i];
        a[lower + i] = a[upper - i];
        a[upper - i] = key;
      }
    }
  }

  record Doubles(double[] keys, int start) implements ArrayKeys {
    @Override
    public int compare(int index, int other) {
      return Double.compare(keys[start + index], keys[start + other]);
    }

    @Override
    public boolean areAllOrdered(int first, int last, boolean reversed) {
      double[] a = keys;
      int end = start + last;
      int at = start + first;
      if (reversed) {
        if (at < end && (Double.isNaN(a[at]) || Double.isNaN(a[end]))) {
          return false;
        }
        while (at < end && rank(a[at]) >= rank(a[at + 1])) {
          at++;
        }
      } else if (rank(a[at]) >= rank(Double.NEGATIVE_INFINITY)) {
        while (at < end && rank(a[at]) <= rank(a[at + 1])) {
          at++;
        }
      }
      return at == end;
    }

    /**
     * Returns a number of the same order, for which NaN is the least or the greatest. Comparing
     * these takes the same time for any keys, {@link Double#compare} up to ten times as long.
     */
    private static long rank(double key) {
      long bits = Double.doubleToRawLongBits(key);
      return bits ^ bits >> 63 >>> 1;
    }

    @Override
    public void exchange(int low, int high, int count) {
      double[] a = keys;
      int lower = start + low;
      int upper = start + high;
      for (int i = 0; i < count; i++) {
        double key = a[lower + i];
        a[lower + i] = a[upper - i];
        a[upper - i] = key;
      }
    }
  }
}
