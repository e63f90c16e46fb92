package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import java.util.Arrays;
import java.util.Objects;

/**
 * Sorts arrays on all cores of this machine. {@link #with} sorts on another engine, in other
 * orders, and records with payloads.
 *
 * {@snippet :
 * RadixSort.sort(keys);
 * RadixSort.with(engine).descending().sort(keys);
 * }
 *
 * <p>Sorting uses about the size of the array in native memory, which is kept for later calls.
 * Thread-safe. Order and stability are those of {@link Sorter}.
 */
public final class RadixSort {

  private RadixSort() {}

  /** Returns the ascending sorter on all cores that the methods of this class use. */
  public static Sorter onCores() {
    return Cores.SORTER;
  }

  /** Returns an ascending sorter on an engine, which the caller closes. */
  public static Sorter with(Engine engine) {
    return Sorter.of(engine);
  }

  /** Sorts an array in ascending order. */
  public static void sort(int[] keys) {
    Cores.SORTER.sort(keys);
  }

  /** Sorts an array in ascending order. */
  public static void sort(long[] keys) {
    Cores.SORTER.sort(keys);
  }

  /** Sorts an array in ascending order, with NaN last. */
  public static void sort(float[] keys) {
    Cores.SORTER.sort(keys);
  }

  /** Sorts an array in ascending order, with NaN last. */
  public static void sort(double[] keys) {
    Cores.SORTER.sort(keys);
  }

  /**
   * Sorts part of an array in ascending order, from index {@code from} up to the key before {@code
   * to}.
   */
  public static void sort(int[] keys, int from, int to) {
    Cores.SORTER.sort(keys, from, to);
  }

  /** Sorts part of an array, as {@link #sort(int[], int, int)} does. */
  public static void sort(long[] keys, int from, int to) {
    Cores.SORTER.sort(keys, from, to);
  }

  /** Sorts part of an array, as {@link #sort(int[], int, int)} does, with NaN last. */
  public static void sort(float[] keys, int from, int to) {
    Cores.SORTER.sort(keys, from, to);
  }

  /** Sorts part of an array, as {@link #sort(int[], int, int)} does, with NaN last. */
  public static void sort(double[] keys, int from, int to) {
    Cores.SORTER.sort(keys, from, to);
  }

  /** Sorts an array of unsigned integers in ascending order. */
  public static void sortUnsigned(int[] keys) {
    Cores.SORTER.unsigned().sort(keys);
  }

  /** Sorts an array of unsigned integers in ascending order. */
  public static void sortUnsigned(long[] keys) {
    Cores.SORTER.unsigned().sort(keys);
  }

  /** Sorts an array in descending order. */
  public static void sortDescending(int[] keys) {
    Cores.SORTER.descending().sort(keys);
  }

  /** Sorts an array in descending order. */
  public static void sortDescending(long[] keys) {
    Cores.SORTER.descending().sort(keys);
  }

  /** Sorts an array in descending order, with NaN first. */
  public static void sortDescending(float[] keys) {
    Cores.SORTER.descending().sort(keys);
  }

  /** Sorts an array in descending order, with NaN first. */
  public static void sortDescending(double[] keys) {
    Cores.SORTER.descending().sort(keys);
  }

  /** Returns the sorting permutation of an array, as {@link Sorter#argsort(int[])} does. */
  public static int[] argsort(int[] keys) {
    return Cores.SORTER.argsort(keys);
  }

  /** Returns the sorting permutation of an array, as {@link Sorter#argsort(int[])} does. */
  public static int[] argsort(long[] keys) {
    return Cores.SORTER.argsort(keys);
  }

  /** Returns the sorting permutation of an array, as {@link Sorter#argsort(int[])} does. */
  public static int[] argsort(float[] keys) {
    return Cores.SORTER.argsort(keys);
  }

  /** Returns the sorting permutation of an array, as {@link Sorter#argsort(int[])} does. */
  public static int[] argsort(double[] keys) {
    return Cores.SORTER.argsort(keys);
  }

  /**
   * Returns the sorting permutation of a part of an array, as positions in the array.
   *
   * @param from the first position
   * @param to the position after the last one
   * @throws IndexOutOfBoundsException if the part exceeds the array
   */
  public static int[] argsort(int[] keys, int from, int to) {
    Objects.checkFromToIndex(from, to, keys.length);
    return moved(argsort(Arrays.copyOfRange(keys, from, to)), from);
  }

  /**
   * Returns the sorting permutation of a part of an array, as positions in the array.
   *
   * @param from the first position
   * @param to the position after the last one
   * @throws IndexOutOfBoundsException if the part exceeds the array
   */
  public static int[] argsort(long[] keys, int from, int to) {
    Objects.checkFromToIndex(from, to, keys.length);
    return moved(argsort(Arrays.copyOfRange(keys, from, to)), from);
  }

  /**
   * Returns the sorting permutation of a part of an array, as positions in the array.
   *
   * @param from the first position
   * @param to the position after the last one
   * @throws IndexOutOfBoundsException if the part exceeds the array
   */
  public static int[] argsort(float[] keys, int from, int to) {
    Objects.checkFromToIndex(from, to, keys.length);
    return moved(argsort(Arrays.copyOfRange(keys, from, to)), from);
  }

  /**
   * Returns the sorting permutation of a part of an array, as positions in the array.
   *
   * @param from the first position
   * @param to the position after the last one
   * @throws IndexOutOfBoundsException if the part exceeds the array
   */
  public static int[] argsort(double[] keys, int from, int to) {
    Objects.checkFromToIndex(from, to, keys.length);
    return moved(argsort(Arrays.copyOfRange(keys, from, to)), from);
  }

  private static int[] moved(int[] positions, int from) {
    for (int i = 0; i < positions.length; i++) {
      positions[i] += from;
    }
    return positions;
  }

  /**
   * Holds the engine, which is opened on first use and never closed; its idle threads end by
   * themselves.
   */
  private static final class Cores {
    private static final Sorter SORTER = with(Engine.open("cpu"));
  }
}
