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

  /**
   * Returns whether keys {@code first} … {@code last} are in order.
   *
   * @param reversed whether to check for reverse order without NaN, whose order must not change
   */
  boolean areOrdered(int first, int last, boolean reversed);

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
    public boolean areOrdered(int first, int last, boolean reversed) {
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
    public boolean areOrdered(int first, int last, boolean reversed) {
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
    public boolean areOrdered(int first, int last, boolean reversed) {
      float[] a = keys;
      int end = start + last;
      int at = start + first;
      if (!reversed) {
        while (at < end && (a[at] < a[at + 1] || areOrdered(a[at], a[at + 1]))) {
          at++;
        }
      } else if (!Float.isNaN(a[at])) {
        while (at < end && (a[at] > a[at + 1] || areOrdered(a[at + 1], a[at]))) {
          at++;
        }
      }
      return at == end;
    }

    /** Compares the bits first: comparing values takes ten times as long. */
    private static boolean areOrdered(float key, float next) {
      return Float.floatToRawIntBits(key) == Float.floatToRawIntBits(next)
          || Float.compare(key, next) <= 0;
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
    public boolean areOrdered(int first, int last, boolean reversed) {
      double[] a = keys;
      int end = start + last;
      int at = start + first;
      if (!reversed) {
        while (at < end && (a[at] < a[at + 1] || areOrdered(a[at], a[at + 1]))) {
          at++;
        }
      } else if (!Double.isNaN(a[at])) {
        while (at < end && (a[at] > a[at + 1] || areOrdered(a[at + 1], a[at]))) {
          at++;
        }
      }
      return at == end;
    }

    /** Compares the bits first: comparing values takes ten times as long. */
    private static boolean areOrdered(double key, double next) {
      return Double.doubleToRawLongBits(key) == Double.doubleToRawLongBits(next)
          || Double.compare(key, next) <= 0;
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
