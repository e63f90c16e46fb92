package io.fieldstone.cpu.sorting;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.engine.memory.NativeCall;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The C kernels of {@code sorting.c}.
 *
 * <p>All but {@link #sortRun} take heap arrays, which hold up the garbage collector: callers give
 * them at most a few hundred thousand items. Addresses and sizes are not checked. Thread-safe.
 */
final class NativeSortKernels {

  /** Name of a kernel in {@code fs_NAME_LEVEL}; the others are written for the same levels. */
  private static final String COUNT_NAME = "sort_count";

  private static final Linker.Option HEAP = Linker.Option.critical(true);

  /** Counts, which take no last argument, have the type of moves: linking a type takes 10 ms. */
  private static final MethodHandle COUNT_OR_MOVE =
      handle(
          FunctionDescriptor.of(
              JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
              ADDRESS, JAVA_LONG),
          HEAP);

  /** A handle that many sorts do not need. */
  private static final class Copies {
    /** The result of writing is undefined. */
    static final MethodHandle READ_OR_WRITE =
        handle(
            FunctionDescriptor.of(
                JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS),
            HEAP);

    private Copies() {}
  }

  private final MemorySegment count;
  private final MemorySegment tally;
  private final MemorySegment move;
  private final MemorySegment read;
  private final MemorySegment write;
  private final MemorySegment run;

  private NativeSortKernels(NativeLibrary library, NativeLevel level) {
    this.count = library.function(COUNT_NAME, level);
    this.tally = library.function("sort_tally", level);
    this.move = library.function("sort_move", level);
    this.read = library.function("sort_read", level);
    this.write = library.function("sort_write", level);
    this.run = library.function("sort_run", level);
  }

  /** Returns a handle that takes the address of the kernel as its first argument. */
  private static MethodHandle handle(FunctionDescriptor type, Linker.Option... options) {
    return Linker.nativeLinker().downcallHandle(type, options);
  }

  /** Returns the kernels of the highest level that they are written for, if there is one. */
  static Optional<NativeSortKernels> of(NativeLibrary library) {
    return library.levels(COUNT_NAME).stream()
        .findFirst()
        .map(level -> new NativeSortKernels(library, level));
  }

  /**
   * Counts items by a digit.
   *
   * @param items the items, in native memory or in an array
   * @param kind a number of fieldstone.h
   * @param flips bits that are flipped in each key
   * @param areFloating whether the keys are floating-point numbers
   * @param counts receives the counts; its length is a power of two
   * @return whether no key is NaN
   */
  boolean count(
      MemorySegment items,
      int number,
      int kind,
      long flips,
      boolean areFloating,
      int shift,
      long[] counts) {
    try {
      return (int)
              COUNT_OR_MOVE.invokeExact(
                  count,
                  items,
                  (long) number,
                  kind,
                  flips,
                  areFloating ? 1 : 0,
                  shift,
                  bits(counts),
                  MemorySegment.ofArray(counts),
                  0L)
          == 0;
    } catch (Throwable e) {
      throw NativeCall.unexpected(e);
    }
  }

  /**
   * Counts items by their keys.
   *
   * @return whether no key is NaN, and the table has all of them
   */
  boolean tally(
      MemorySegment items, int number, int kind, long flips, boolean areFloating, KeyTable table) {
    try {
      return (int)
              COUNT_OR_MOVE.invokeExact(
                  tally,
                  items,
                  (long) number,
                  kind,
                  flips,
                  areFloating ? 1 : 0,
                  table.maxKeys(),
                  table.slotBits(),
                  table.memory(),
                  0L)
          == 0;
    } catch (Throwable e) {
      throw NativeCall.unexpected(e);
    }
  }

  /**
   * Moves items by a digit.
   *
   * @param heads the next address of each digit; its length is a power of two
   * @param last address of the last destination
   * @return whether no head was after {@code last}
   */
  boolean move(
      MemorySegment items,
      int number,
      int kind,
      long flips,
      boolean areFloating,
      int shift,
      long[] heads,
      long last) {
    try {
      return (int)
              COUNT_OR_MOVE.invokeExact(
                  move,
                  items,
                  (long) number,
                  kind,
                  flips,
                  areFloating ? 1 : 0,
                  shift,
                  bits(heads),
                  MemorySegment.ofArray(heads),
                  last)
          == 0;
    } catch (Throwable e) {
      throw NativeCall.unexpected(e);
    }
  }

  /** Copies items and makes their keys bit-ordered; returns whether no key is NaN. */
  boolean read(
      MemorySegment items,
      int number,
      int kind,
      long flips,
      boolean areFloating,
      MemorySegment to) {
    try {
      return (int)
              Copies.READ_OR_WRITE.invokeExact(
                  read, items, (long) number, kind, flips, areFloating ? 1 : 0, to)
          == 0;
    } catch (Throwable e) {
      throw NativeCall.unexpected(e);
    }
  }

  /** Copies items and makes their bit-ordered keys what they were before {@link #read}. */
  void write(
      MemorySegment items,
      int number,
      int kind,
      long flips,
      boolean areFloating,
      MemorySegment to) {
    try {
      int _ =
          (int)
              Copies.READ_OR_WRITE.invokeExact(
                  write, items, (long) number, kind, flips, areFloating ? 1 : 0, to);
    } catch (Throwable e) {
      throw NativeCall.unexpected(e);
    }
  }

  /**
   * Sorts items that fit into the cache.
   *
   * @param maxBits the maximum bits of a digit, which may have one more
   * @return whether the sorted items are in the other buffer
   */
  boolean sortRun(long run, long other, int number, int kind, int maxBits) {
    return (int) NativeCall.call(this.run, run, other, number, kind, maxBits) != 0;
  }

  private static int bits(long[] values) {
    return Integer.numberOfTrailingZeros(values.length);
  }
}
