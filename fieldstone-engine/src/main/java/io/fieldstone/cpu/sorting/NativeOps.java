package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;

import java.lang.foreign.MemorySegment;

/**
 * The loops over items by C kernels. Loops that take little time, or that the compiler makes
 * vectors of, stay in Java.
 */
final class NativeOps extends ItemOps {

  /** Bytes of a block: its moves take a few hundred microseconds. */
  private static final long BLOCK_BYTES = 256 << 10;

  private final ItemOps inJava;
  private final NativeSortKernels kernels;
  private final int kind;
  private final int maxRunBits;

  private NativeOps(ItemOps inJava, NativeSortKernels kernels, int maxRunBits) {
    super(inJava.bytesShift(), inJava.keyBits());
    this.inJava = inJava;
    this.kernels = kernels;
    this.kind = kind(inJava);
    this.maxRunBits = maxRunBits;
  }

  /** Returns the loops over the same items. */
  static NativeOps of(ItemOps inJava, NativeSortKernels kernels) {
    return of(inJava, kernels, SortSizes.HERE.maxRunBits());
  }

  /** As above, with digits of at most {@code maxRunBits} bits, or one more, within a cache. */
  static NativeOps of(ItemOps inJava, NativeSortKernels kernels, int maxRunBits) {
    return new NativeOps(inJava, kernels, maxRunBits);
  }

  /** Returns the number of fieldstone.h. */
  static int kind(ItemOps items) {
    return switch (items) {
      case IntOps _ -> 0;
      case LongOps _ -> items.keyBits() == Integer.SIZE ? 1 : 2;
      case WideOps _ -> 3;
      case NativeOps nested -> nested.kind;
    };
  }

  @Override
  int blockItems() {
    return (int) items(BLOCK_BYTES);
  }

  @Override
  void exchange(long address, long other) {
    inJava.exchange(address, other);
  }

  @Override
  long key(long address) {
    return inJava.key(address);
  }

  @Override
  int inOrder(long address, int items, boolean reversed) {
    return inJava.inOrder(address, items, reversed);
  }

  @Override
  long differing(long address, long items, long key) {
    return inJava.differing(address, items, key);
  }

  @Override
  KeyBounds bounds(long address, int items) {
    return inJava.bounds(address, items);
  }

  @Override
  void add(long address, int items, long summand) {
    inJava.add(address, items, summand);
  }

  @Override
  boolean areKeys() {
    return inJava.areKeys();
  }

  @Override
  void fill(long address, long items, long key) {
    inJava.fill(address, items, key);
  }

  @Override
  boolean hasDescent(long address) {
    return inJava.hasDescent(address);
  }

  @Override
  long insert(long address, int first, int end) {
    return inJava.insert(address, first, end);
  }

  @Override
  void count(long address, int items, int shift, long[] counts) {
    count(memory(address, items), items, 0, false, shift, counts);
  }

  /**
   * Counts items of a caller.
   *
   * @param flips bits that are flipped in each key
   * @param areFloating whether the keys are floating-point numbers
   * @return whether no key is NaN
   */
  boolean count(
      MemorySegment from, int items, long flips, boolean areFloating, int shift, long[] counts) {
    return kernels.count(from, items, kind, flips, areFloating, shift, counts);
  }

  /**
   * Counts items of a caller by their keys.
   *
   * @param flips bits that are flipped in each key
   * @param areFloating whether the keys are floating-point numbers
   * @return false if a key is NaN or one too many for the table; the counts are not right then
   */
  boolean tally(MemorySegment from, int items, long flips, boolean areFloating, KeyTable table) {
    return kernels.tally(from, items, kind, flips, areFloating, table);
  }

  @Override
  void scatter(long address, int items, int shift, long[] heads) {
    scatterWithin(address, items, shift, heads, Long.MAX_VALUE - bytes(1));
  }

  @Override
  public void scatterWithin(long address, int items, int shift, long[] heads, long last) {
    scatterWithin(memory(address, items), items, 0, false, shift, heads, last);
  }

  /** As {@link #scatterWithin(long, int, int, long[], long)}, for items of a caller. */
  void scatterWithin(
      MemorySegment from,
      int items,
      long flips,
      boolean areFloating,
      int shift,
      long[] heads,
      long last) {
    if (!kernels.move(from, items, kind, flips, areFloating, shift, heads, last)) {
      throw changed();
    }
  }

  /** Copies items of a caller and makes their keys bit-ordered; returns whether none is NaN. */
  boolean read(MemorySegment from, int items, long flips, boolean areFloating, long to) {
    return kernels.read(from, items, kind, flips, areFloating, memory(to, items));
  }

  /** Copies items to a caller's memory, with keys as they were before {@link #read}. */
  void write(long from, int items, long flips, boolean areFloating, MemorySegment to) {
    kernels.write(memory(from, items), items, kind, flips, areFloating, to);
  }

  @Override
  long sortRun(long run, long other, int items) {
    return kernels.sortRun(run, other, items, kind, maxRunBits) ? other : run;
  }

  private MemorySegment memory(long address, int items) {
    return MEMORY.asSlice(address, bytes(items));
  }
}
