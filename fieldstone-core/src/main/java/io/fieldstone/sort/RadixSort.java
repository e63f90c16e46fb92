package io.fieldstone.sort;

import io.fieldstone.engine.Engine;

/**
 * Sorts arrays on all cores of this machine. For another engine, another order, or records with
 * payloads, there is {@link #with}.
 *
 * <p>Sorting takes about as much memory again as the array, outside the heap, and keeps it for the
 * next call. Thread-safe. Order and stability are those of {@link Sorter}.
 */
public final class RadixSort {

  private RadixSort() {}

  /** Sorting on an engine, ascending; the engine stays the caller's. */
  public static Sorter with(Engine engine) {
    return Sorter.of(engine);
  }

  /** Sorts an array. */
  public static void sort(int[] keys) {
    Cores.SORTER.sort(keys);
  }

  /** Sorts an array. */
  public static void sort(long[] keys) {
    Cores.SORTER.sort(keys);
  }

  /** Sorts an array. */
  public static void sort(float[] keys) {
    Cores.SORTER.sort(keys);
  }

  /** Sorts an array. */
  public static void sort(double[] keys) {
    Cores.SORTER.sort(keys);
  }

  /** Sorts an array of unsigned numbers. */
  public static void sortUnsigned(int[] keys) {
    Cores.SORTER.unsigned().sort(keys);
  }

  /** Sorts an array of unsigned numbers. */
  public static void sortUnsigned(long[] keys) {
    Cores.SORTER.unsigned().sort(keys);
  }

  /** Sorts an array, the greatest first. */
  public static void sortDescending(int[] keys) {
    Cores.SORTER.descending().sort(keys);
  }

  /** Sorts an array, the greatest first. */
  public static void sortDescending(long[] keys) {
    Cores.SORTER.descending().sort(keys);
  }

  /** Sorts an array, NaN first, then the greatest. */
  public static void sortDescending(float[] keys) {
    Cores.SORTER.descending().sort(keys);
  }

  /** Sorts an array, NaN first, then the greatest. */
  public static void sortDescending(double[] keys) {
    Cores.SORTER.descending().sort(keys);
  }

  /** Finds the order of an array, as {@link Sorter#argsort(int[])} does. */
  public static int[] argsort(int[] keys) {
    return Cores.SORTER.argsort(keys);
  }

  /** Finds the order of an array, as {@link Sorter#argsort(int[])} does. */
  public static int[] argsort(long[] keys) {
    return Cores.SORTER.argsort(keys);
  }

  /** Finds the order of an array, as {@link Sorter#argsort(int[])} does. */
  public static int[] argsort(float[] keys) {
    return Cores.SORTER.argsort(keys);
  }

  /** Finds the order of an array, as {@link Sorter#argsort(int[])} does. */
  public static int[] argsort(double[] keys) {
    return Cores.SORTER.argsort(keys);
  }

  /** Opened when first used, and never closed: its threads end by themselves when idle. */
  private static final class Cores {
    private static final Sorter SORTER = with(Engine.open("cpu"));
  }
}
