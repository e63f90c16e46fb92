package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.engine.sorting.Sorting;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Sorts arrays and memory on an engine, stably. Floating-point numbers are in the order of {@link
 * Double#compare}: −0 before +0, NaN after everything else.
 *
 * <p>Immutable; as thread-safe as its engine, which stays the caller's.
 */
public final class Sorter {

  private final Engine engine;
  private final Optional<String> method;
  private final Direction direction;
  private final boolean isUnsigned;

  private Sorter(Engine engine, Optional<String> method, Direction direction, boolean isUnsigned) {
    this.engine = engine;
    this.method = method;
    this.direction = direction;
    this.isUnsigned = isUnsigned;
  }

  /** Ascending, signed, by the engine's choice of method. */
  static Sorter of(Engine engine) {
    return new Sorter(engine, Optional.empty(), Direction.ASCENDING, false);
  }

  /**
   * The same by one of the engine's methods ({@link io.fieldstone.engine.sorting.Sorts#methods}).
   */
  public Sorter by(String method) {
    return new Sorter(engine, Optional.of(method), direction, isUnsigned);
  }

  /** The same with the greatest first; what is equal stays in its order. */
  public Sorter descending() {
    return new Sorter(engine, method, Direction.DESCENDING, isUnsigned);
  }

  /** The same with integers taken as unsigned. */
  public Sorter unsigned() {
    return new Sorter(engine, method, direction, true);
  }

  /** Sorts an array. */
  public void sort(int[] keys) {
    of(intType()).sort(MemorySegment.ofArray(keys));
  }

  /** Sorts an array. */
  public void sort(long[] keys) {
    of(longType()).sort(MemorySegment.ofArray(keys));
  }

  /** Sorts an array. */
  public void sort(float[] keys) {
    of(KeyType.F32).sort(MemorySegment.ofArray(keys));
  }

  /** Sorts an array. */
  public void sort(double[] keys) {
    of(KeyType.F64).sort(MemorySegment.ofArray(keys));
  }

  /**
   * Finds the order of an array, which stays as it is.
   *
   * @return the index of the key that comes first, then that of the next, …
   */
  public int[] argsort(int[] keys) {
    return argsort(of(intType()), MemorySegment.ofArray(keys), keys.length);
  }

  /** As {@link #argsort(int[])}. */
  public int[] argsort(long[] keys) {
    return argsort(of(longType()), MemorySegment.ofArray(keys), keys.length);
  }

  /** As {@link #argsort(int[])}. */
  public int[] argsort(float[] keys) {
    return argsort(of(KeyType.F32), MemorySegment.ofArray(keys), keys.length);
  }

  /** As {@link #argsort(int[])}. */
  public int[] argsort(double[] keys) {
    return argsort(of(KeyType.F64), MemorySegment.ofArray(keys), keys.length);
  }

  /**
   * Sorts records in memory of any kind: keys of native byte order, each with its payload after it.
   *
   * @param key their type, whatever this sorter says of integers
   * @param payloadBytes after each key
   * @throws IllegalArgumentException if the memory is not a whole number of records
   */
  public void sort(MemorySegment records, KeyType key, int payloadBytes) {
    sorting(new RecordFormat(key, payloadBytes, direction)).sort(records);
  }

  private KeyType intType() {
    return isUnsigned ? KeyType.U32 : KeyType.I32;
  }

  private KeyType longType() {
    return isUnsigned ? KeyType.U64 : KeyType.I64;
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
