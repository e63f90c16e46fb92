package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.engine.sorting.Sorting;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;

/**
 * Sorts arrays and memory on an engine, stably. Floating-point numbers have the order of {@link
 * Double#compare}: −0 before +0, and NaN last.
 *
 * {@snippet :
 * Sorter sorter = RadixSort.with(engine);
 * int[] order = sorter.argsort(keys);
 * sorter.sort(keys, values); // two arrays, together
 * sorter.sort(records, KeyType.U64, 8); // 64-bit keys with 8 bytes of payload
 * }
 *
 * <p>Immutable; as thread-safe as its engine, which the caller closes.
 */
public final class Sorter {

  private final Engine engine;
  private final Optional<String> method;
  private final Direction direction;
  private final boolean isUnsigned;

  private Sorter(Engine engine, Optional<String> method, Direction direction, boolean isUnsigned) {
    engine.requireOpen();
    this.engine = engine;
    this.method = method;
    this.direction = direction;
    this.isUnsigned = isUnsigned;
  }

  /**
   * Returns an ascending sorter of signed integers and floating-point numbers, which uses the
   * fastest method.
   */
  static Sorter of(Engine engine) {
    return new Sorter(engine, Optional.empty(), Direction.ASCENDING, false);
  }

  /**
   * Returns a sorter that uses one of the engine's methods ({@link
   * io.fieldstone.engine.sorting.Sorts#methods}).
   */
  public Sorter by(String method) {
    return new Sorter(engine, Optional.of(method), direction, isUnsigned);
  }

  /** Returns a sorter in descending order; equal keys keep their order. */
  public Sorter descending() {
    return new Sorter(engine, method, Direction.DESCENDING, isUnsigned);
  }

  /** Returns a sorter that compares integers as unsigned. */
  public Sorter unsigned() {
    return new Sorter(engine, method, direction, true);
  }

  /** Sorts an array in place. */
  public void sort(int[] keys) {
    of(intType()).sort(MemorySegment.ofArray(keys));
  }

  /** Sorts an array in place. */
  public void sort(long[] keys) {
    of(longType()).sort(MemorySegment.ofArray(keys));
  }

  /** Sorts an array in place. */
  public void sort(float[] keys) {
    of(KeyType.F32).sort(MemorySegment.ofArray(keys));
  }

  /** Sorts an array in place. */
  public void sort(double[] keys) {
    of(KeyType.F64).sort(MemorySegment.ofArray(keys));
  }

  /**
   * Sorts part of an array in place.
   *
   * @param from the index of the first key of the part
   * @param to the index after its last key
   * @throws IndexOutOfBoundsException if the part exceeds the array
   */
  public void sort(int[] keys, int from, int to) {
    sort(of(intType()), MemorySegment.ofArray(keys), from, to, keys.length);
  }

  /**
   * Sorts part of an array in place.
   *
   * @param from the index of the first key of the part
   * @param to the index after its last key
   * @throws IndexOutOfBoundsException if the part exceeds the array
   */
  public void sort(long[] keys, int from, int to) {
    sort(of(longType()), MemorySegment.ofArray(keys), from, to, keys.length);
  }

  /**
   * Sorts part of an array in place.
   *
   * @param from the index of the first key of the part
   * @param to the index after its last key
   * @throws IndexOutOfBoundsException if the part exceeds the array
   */
  public void sort(float[] keys, int from, int to) {
    sort(of(KeyType.F32), MemorySegment.ofArray(keys), from, to, keys.length);
  }

  /**
   * Sorts part of an array in place.
   *
   * @param from the index of the first key of the part
   * @param to the index after its last key
   * @throws IndexOutOfBoundsException if the part exceeds the array
   */
  public void sort(double[] keys, int from, int to) {
    sort(of(KeyType.F64), MemorySegment.ofArray(keys), from, to, keys.length);
  }

  /**
   * Sorts an array of keys in place, and moves the value of each key with it.
   *
   * @throws IllegalArgumentException if the lengths differ
   */
  public void sort(int[] keys, int[] values) {
    int[] order = order(of(intType()), MemorySegment.ofArray(keys), keys.length, values.length);
    permute(order, keys);
    permute(order, values);
  }

  /**
   * Sorts an array of keys in place, and moves the value of each key with it.
   *
   * @throws IllegalArgumentException if the lengths differ
   */
  public void sort(int[] keys, long[] values) {
    int[] order = order(of(intType()), MemorySegment.ofArray(keys), keys.length, values.length);
    permute(order, keys);
    permute(order, values);
  }

  /**
   * Sorts an array of keys in place, and moves the value of each key with it.
   *
   * @throws IllegalArgumentException if the lengths differ
   */
  public <T> void sort(int[] keys, T[] values) {
    int[] order = order(of(intType()), MemorySegment.ofArray(keys), keys.length, values.length);
    permute(order, keys);
    permute(order, values);
  }

  /**
   * Sorts an array of keys in place, and moves the value of each key with it.
   *
   * @throws IllegalArgumentException if the lengths differ
   */
  public void sort(long[] keys, int[] values) {
    int[] order = order(of(longType()), MemorySegment.ofArray(keys), keys.length, values.length);
    permute(order, keys);
    permute(order, values);
  }

  /**
   * Sorts an array of keys in place, and moves the value of each key with it.
   *
   * @throws IllegalArgumentException if the lengths differ
   */
  public void sort(long[] keys, long[] values) {
    int[] order = order(of(longType()), MemorySegment.ofArray(keys), keys.length, values.length);
    permute(order, keys);
    permute(order, values);
  }

  /**
   * Sorts an array of keys in place, and moves the value of each key with it.
   *
   * @throws IllegalArgumentException if the lengths differ
   */
  public <T> void sort(long[] keys, T[] values) {
    int[] order = order(of(longType()), MemorySegment.ofArray(keys), keys.length, values.length);
    permute(order, keys);
    permute(order, values);
  }

  /**
   * Sorts an array of keys in place, and moves the value of each key with it.
   *
   * @throws IllegalArgumentException if the lengths differ
   */
  public void sort(float[] keys, int[] values) {
    int[] order = order(of(KeyType.F32), MemorySegment.ofArray(keys), keys.length, values.length);
    permute(order, keys);
    permute(order, values);
  }

  /**
   * Sorts an array of keys in place, and moves the value of each key with it.
   *
   * @throws IllegalArgumentException if the lengths differ
   */
  public void sort(float[] keys, long[] values) {
    int[] order = order(of(KeyType.F32), MemorySegment.ofArray(keys), keys.length, values.length);
    permute(order, keys);
    permute(order, values);
  }

  /**
   * Sorts an array of keys in place, and moves the value of each key with it.
   *
   * @throws IllegalArgumentException if the lengths differ
   */
  public <T> void sort(float[] keys, T[] values) {
    int[] order = order(of(KeyType.F32), MemorySegment.ofArray(keys), keys.length, values.length);
    permute(order, keys);
    permute(order, values);
  }

  /**
   * Sorts an array of keys in place, and moves the value of each key with it.
   *
   * @throws IllegalArgumentException if the lengths differ
   */
  public void sort(double[] keys, int[] values) {
    int[] order = order(of(KeyType.F64), MemorySegment.ofArray(keys), keys.length, values.length);
    permute(order, keys);
    permute(order, values);
  }

  /**
   * Sorts an array of keys in place, and moves the value of each key with it.
   *
   * @throws IllegalArgumentException if the lengths differ
   */
  public void sort(double[] keys, long[] values) {
    int[] order = order(of(KeyType.F64), MemorySegment.ofArray(keys), keys.length, values.length);
    permute(order, keys);
    permute(order, values);
  }

  /**
   * Sorts an array of keys in place, and moves the value of each key with it.
   *
   * @throws IllegalArgumentException if the lengths differ
   */
  public <T> void sort(double[] keys, T[] values) {
    int[] order = order(of(KeyType.F64), MemorySegment.ofArray(keys), keys.length, values.length);
    permute(order, keys);
    permute(order, values);
  }

  /**
   * Returns the sorting permutation of an array, which is not changed.
   *
   * @return the index of the first key in sorted order, then that of the second, …
   */
  public int[] argsort(int[] keys) {
    return argsort(of(intType()), MemorySegment.ofArray(keys), keys.length);
  }

  /**
   * Returns the sorting permutation of an array.
   *
   * @see #argsort(int[])
   */
  public int[] argsort(long[] keys) {
    return argsort(of(longType()), MemorySegment.ofArray(keys), keys.length);
  }

  /**
   * Returns the sorting permutation of an array.
   *
   * @see #argsort(int[])
   */
  public int[] argsort(float[] keys) {
    return argsort(of(KeyType.F32), MemorySegment.ofArray(keys), keys.length);
  }

  /**
   * Returns the sorting permutation of an array.
   *
   * @see #argsort(int[])
   */
  public int[] argsort(double[] keys) {
    return argsort(of(KeyType.F64), MemorySegment.ofArray(keys), keys.length);
  }

  /**
   * Returns the sorting permutation of keys in memory of any kind, which stay as they are.
   *
   * @param keys keys of native byte order, at any address
   * @param key their type, which also defines whether they are signed
   * @return the positions of the keys in sorted order; equal keys keep their order
   * @throws IllegalArgumentException if the memory is not a whole number of keys, or has more than
   *     2^31 − 1
   */
  public int[] argsort(MemorySegment keys, KeyType key) {
    long count = keys.byteSize() / key.bytes();
    if (count * key.bytes() != keys.byteSize() || count > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%d bytes are not 0 to 2^31 - 1 keys of %d bytes"
              .formatted(keys.byteSize(), key.bytes()));
    }
    return argsort(of(key), keys, (int) count);
  }

  /**
   * Sorts records in place, in memory of any kind: keys of native byte order, each followed by its
   * payload.
   *
   * @param key the type of the keys, which also defines whether they are signed
   * @param payloadBytes the bytes after each key
   * @throws IllegalArgumentException if the memory is not a whole number of records
   */
  public void sort(MemorySegment records, KeyType key, int payloadBytes) {
    sorting(new RecordFormat(key, payloadBytes, direction)).sort(records);
  }

  /**
   * Sorts records of any layout in place, in the direction of the layout. It uses 16 bytes per
   * record, a copy of the records and the working memory of the engine.
   *
   * @throws IllegalArgumentException if the memory is not a whole number of records, or read-only
   * @throws InterruptedException if the calling thread is interrupted; the records are unchanged
   */
  public void sort(MemorySegment records, RecordLayout layout) throws InterruptedException {
    new MemorySort(sorting(MemorySort.format(layout)), layout, engine.threads()).sort(records);
  }

  private KeyType intType() {
    return isUnsigned ? KeyType.U32 : KeyType.I32;
  }

  private KeyType longType() {
    return isUnsigned ? KeyType.U64 : KeyType.I64;
  }

  private static void sort(Sorting sorting, MemorySegment keys, int from, int to, int length) {
    Objects.checkFromToIndex(from, to, length);
    int bytes = sorting.format().bytes();
    sorting.sort(keys.asSlice((long) from * bytes, (long) (to - from) * bytes));
  }

  private static int[] order(Sorting sorting, MemorySegment keys, int count, int values) {
    if (values != count) {
      throw new IllegalArgumentException("%d values for %d keys".formatted(values, count));
    }
    return argsort(sorting, keys, count);
  }

  private static void permute(int[] order, int[] array) {
    int[] old = array.clone();
    for (int i = 0; i < order.length; i++) {
      array[i] = old[order[i]];
    }
  }

  private static void permute(int[] order, long[] array) {
    long[] old = array.clone();
    for (int i = 0; i < order.length; i++) {
      array[i] = old[order[i]];
    }
  }

  private static void permute(int[] order, float[] array) {
    float[] old = array.clone();
    for (int i = 0; i < order.length; i++) {
      array[i] = old[order[i]];
    }
  }

  private static void permute(int[] order, double[] array) {
    double[] old = array.clone();
    for (int i = 0; i < order.length; i++) {
      array[i] = old[order[i]];
    }
  }

  private static <T> void permute(int[] order, T[] array) {
    T[] old = array.clone();
    for (int i = 0; i < order.length; i++) {
      array[i] = old[order[i]];
    }
  }

  private static int[] argsort(Sorting sorting, MemorySegment keys, int count) {
    int[] order = new int[count];
    sorting.argsort(keys, MemorySegment.ofArray(order));
    return order;
  }

  private Sorting of(KeyType key) {
    return sorting(new RecordFormat(key, 0, direction));
  }

  private Sorting sorting(RecordFormat format) {
    return method
        .map(name -> engine.sorts().sorting(format, name))
        .orElseGet(() -> engine.sorts().sorting(format));
  }
}
