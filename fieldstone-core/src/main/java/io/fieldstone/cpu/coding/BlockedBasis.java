package io.fieldstone.cpu.coding;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.execution.NativeRows;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * In-place Gauss–Jordan elimination by products.
 *
 * <p>Row p of the n×n {@code state} is the reduced row with pivot column p. Its entries at
 * non-pivot columns are its remaining coefficients. At a pivot column q, where the coefficient of a
 * reduced row is zero, it holds the multiplier of the vector received into slot q. So the state
 * combines the reduced echelon form and the transformation to it, and at full rank it is the
 * inverse.
 *
 * <p>A new vector is first reduced in a strip of few columns only. If it has a nonzero entry there,
 * it is innovative, and waits. Up to {@value #PANEL} pending vectors are then reduced in all
 * columns, and the state by them, by three large products. A vector without an entry in the strip
 * settles the pending ones and begins another strip.
 *
 * <p>The methods are synchronized, although a basis is meant for one thread at a time: its loops
 * work on addresses, and misuse by a second thread must not access or free memory in use.
 */
public final class BlockedBasis implements Basis {

  /** Maximum pending vectors: enough for efficient products, few enough to stay in L1. */
  private static final int PANEL = 64;

  private static final int MIN_STRIP = 64;

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  private final Gf256 field;
  private final ProductKernel kernel;
  private final Arena arena;
  private final int columns;

  /** Columns of the rows, padded with zeros to a multiple that suits the kernel. */
  private final int width;

  /** Columns of the strip. */
  private final int stripWidth;

  private final MemorySegment memory;
  private final Rows state;

  /** The columns of the strip of the state. */
  private final Rows stateStrip;

  /** Pending vectors as received, without their entries at settled pivots. */
  private final Rows received;

  /** The entries of pending vectors at settled pivots. */
  private final Rows factors;

  /** Pending vectors, reduced in all columns. */
  private final Rows pending;

  /**
   * Pending vectors in the strip, reduced by the state and by each other; behind each, its
   * multipliers of the vectors reduced by the state.
   */
  private final Rows reduced;

  /** The vector being added: a copy, its row of {@link #reduced}, and its multipliers. */
  private final Rows vector;

  private final Rows candidate;
  private final Rows multipliers;

  /** 0xFF at pivots that are in the state. */
  private final Rows settled;

  /** Multipliers of an update of the state, n×{@value #PANEL} bytes. */
  private final Rows updates;

  private final int[] pendingPivots = new int[PANEL];

  /** Whether a pending vector, or the vector being added, has entries at settled pivots. */
  private final boolean[] hasFactors = new boolean[PANEL];

  private final boolean[] filled;
  private final boolean[] solved;
  private int stripStart;
  private int pendingRows;
  private int rank;
  private int solvedRows;

  /** All settled pivots are below this column. */
  private int pivotsEnd;

  /** All columns below this are pivots. */
  private int firstUnfilled;

  /** Whether the state has changed since solved rows were counted. */
  private boolean stale;

  public BlockedBasis(Gf256 field, ProductKernel kernel, int columns, Arena arena) {
    this.field = field;
    this.kernel = kernel;
    this.columns = columns;
    this.arena = arena;
    stripWidth = Math.max(kernel.columnMultiple(), MIN_STRIP);
    width = Math.ceilDiv(columns, stripWidth) * stripWidth;
    long stride = ByteMatrices.paddedStride(width);
    long reducedStride = reducedWidth();
    memory =
        arena.allocate(
            (columns + 3 * PANEL + 2) * stride
                + (PANEL + 1) * reducedStride
                + (long) columns * (stripWidth + PANEL)
                + PANEL,
            NativeRows.ALIGNMENT);
    state = Rows.of(memory, 0, stride);
    received = state.from(columns, 0);
    factors = received.from(PANEL, 0);
    pending = factors.from(PANEL, 0);
    vector = pending.from(PANEL, 0);
    settled = vector.from(1, 0);
    reduced = new Rows(settled.at(1), reducedStride);
    candidate = reduced.from(PANEL, 0);
    stateStrip = new Rows(candidate.at(1), stripWidth);
    updates = new Rows(stateStrip.at(columns), PANEL);
    multipliers = updates.from(columns, 0);
    filled = new boolean[columns];
    solved = new boolean[columns];
  }

  @Override
  public int columns() {
    return columns;
  }

  @Override
  public synchronized int rank() {
    return rank;
  }

  @Override
  public synchronized int add(MemorySegment vector) {
    int pivot = reduce(vector);
    if (pivot == NOT_INNOVATIVE) {
      return NOT_INNOVATIVE;
    }
    Rows newest = reduced.from(pendingRows, 0);
    setByte(multipliers.at(0), field.inverse(byteAt(candidate.at(0) + pivot - stripStart)));
    kernel.multiply(1, 1, reducedWidth(), multipliers, candidate, newest, false);
    for (int q = 0; q < pendingRows; q++) {
      setByte(updates.at(q), byteAt(reduced.at(q) + pivot - stripStart));
    }
    kernel.multiply(pendingRows, 1, reducedWidth(), updates, newest, reduced, true);
    pendingPivots[pendingRows++] = pivot;
    filled[pivot] = true;
    while (firstUnfilled < columns && filled[firstUnfilled]) {
      firstUnfilled++;
    }
    rank++;
    stale = true;
    if (pendingRows == PANEL) {
      settle();
    }
    return pivot;
  }

  @Override
  public synchronized boolean isInnovative(MemorySegment vector) {
    return reduce(vector) != NOT_INNOVATIVE;
  }

  @Override
  public synchronized boolean isFilled(int slot) {
    return filled[slot];
  }

  @Override
  public synchronized boolean isSolved(int source) {
    findSolved();
    return solved[source];
  }

  @Override
  public synchronized int solved() {
    findSolved();
    return solvedRows;
  }

  @Override
  public synchronized void solution(int source, MemorySegment destination) {
    if (!isSolved(source)) {
      throw new IllegalStateException("source block " + source + " is not solved yet");
    }
    MemorySegment.copy(MEMORY, state.at(source), destination, 0, columns);
  }

  @Override
  public synchronized void clear() {
    requireOpen();
    // Rows without a pivot are multiplied by zeros only.
    MEMORY.asSlice(settled.at(0), width).fill((byte) 0);
    Arrays.fill(filled, false);
    Arrays.fill(solved, false);
    stripStart = 0;
    pendingRows = 0;
    rank = 0;
    solvedRows = 0;
    pivotsEnd = 0;
    firstUnfilled = 0;
    stale = false;
  }

  @Override
  public synchronized void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }

  /**
   * Reduces a vector in a strip where it has an entry without a pivot, as the next pending vector.
   * Returns the column of that entry.
   */
  private int reduce(MemorySegment added) {
    requireOpen();
    Bases.requireFits(added, columns);
    long length = added.byteSize();
    MemorySegment.copy(added, 0, MEMORY, vector.at(0), length);
    MEMORY.asSlice(vector.at(0) + length, vector.stride() - length).fill((byte) 0);
    split();
    int pivot = reduceInStrip();
    if (pivot != NOT_INNOVATIVE || width == stripWidth) {
      return pivot;
    }
    settle();
    split();
    int column = firstEntry(received.at(0), 0, columns);
    if (column != NOT_INNOVATIVE) {
      beginStrip(column);
      pivot = reduceInStrip();
      if (pivot != NOT_INNOVATIVE) {
        return pivot;
      }
    }
    MemorySegment.copy(MEMORY, received.at(0), MEMORY, pending.at(0), width);
    kernel.multiply(1, pivotsEnd, width, factors, state, pending, true);
    pivot = firstEntry(pending.at(0), 0, columns);
    if (pivot != NOT_INNOVATIVE) {
      beginStrip(pivot);
      pivot = reduceInStrip();
    }
    return pivot;
  }

  /** Moves the vector's entries at settled pivots to its factors, the others to its row. */
  private void split() {
    long any = 0;
    long from = vector.at(0);
    long to = received.at(pendingRows);
    long moved = factors.at(pendingRows);
    long mask = settled.at(0);
    for (long at = 0; at < width; at += Long.BYTES) {
      long word = MEMORY.get(WORD, from + at);
      long pivots = MEMORY.get(WORD, mask + at);
      MEMORY.set(WORD, to + at, word & ~pivots);
      MEMORY.set(WORD, moved + at, word & pivots);
      any |= word & pivots;
    }
    hasFactors[pendingRows] = any != 0;
  }

  /** Reduces the vector in the strip; returns the first column there with an entry, if any. */
  private int reduceInStrip() {
    long at = candidate.at(0);
    MemorySegment.copy(MEMORY, received.at(pendingRows) + stripStart, MEMORY, at, stripWidth);
    MEMORY.asSlice(at + stripWidth, candidate.stride() - stripWidth).fill((byte) 0);
    setByte(at + stripWidth + pendingRows, 1);
    if (hasFactors[pendingRows]) {
      kernel.multiply(
          1, pivotsEnd, stripWidth, factors.from(pendingRows, 0), stateStrip, candidate, true);
    }
    for (int q = 0; q < pendingRows; ) {
      int next = endOfRun(q);
      copy(at + pendingPivots[q] - stripStart, multipliers.at(0) + q, next - q);
      q = next;
    }
    kernel.multiply(1, pendingRows, reducedWidth(), multipliers, reduced, candidate, true);
    return firstEntry(at - stripStart, stripStart, Math.min(columns, stripStart + stripWidth));
  }

  /** Returns the first nonzero column of a row without a pivot. */
  private int firstEntry(long row, int from, int end) {
    for (int column = Math.max(from, firstUnfilled); column < end; column++) {
      if (byteAt(row + column) != 0 && !filled[column]) {
        return column;
      }
    }
    return NOT_INNOVATIVE;
  }

  /** Begins a strip that contains a column, when no vector is pending. */
  private void beginStrip(int column) {
    stripStart = Math.min(column, width - stripWidth);
    for (int row = 0; row < pivotsEnd; row++) {
      MemorySegment.copy(
          MEMORY, state.at(row) + stripStart, MEMORY, stateStrip.at(row), stripWidth);
    }
  }

  private boolean anyFactors() {
    boolean any = false;
    for (int q = 0; q < pendingRows; q++) {
      any |= hasFactors[q];
    }
    return any;
  }

  private int reducedWidth() {
    return stripWidth + Math.max(stripWidth, PANEL);
  }

  /** Moves the pending vectors into the state, and begins a strip at the first free column. */
  private void settle() {
    if (pendingRows == 0) {
      return;
    }
    if (anyFactors()) {
      kernel.multiply(pendingRows, pivotsEnd, width, factors, state, received, true);
    }
    kernel.multiply(
        pendingRows, pendingRows, width, reduced.from(0, stripWidth), received, pending, false);
    for (int row = 0; row < pendingRows; row++) {
      for (int q = 0; q < pendingRows; q++) {
        setByte(pending.at(row) + pendingPivots[q], byteAt(reduced.at(row) + stripWidth + q));
      }
    }
    if (takePivots()) {
      kernel.multiply(pivotsEnd, pendingRows, width, updates, pending, state, true);
    }
    for (int q = 0; q < pendingRows; q++) {
      int pivot = pendingPivots[q];
      MemorySegment.copy(MEMORY, pending.at(q), MEMORY, state.at(pivot), width);
      setByte(settled.at(0) + pivot, 0xFF);
      pivotsEnd = Math.max(pivotsEnd, pivot + 1);
    }
    pendingRows = 0;
    if (firstUnfilled < columns) {
      beginStrip(firstUnfilled);
    }
  }

  /** Moves the columns of pending pivots of the state to the updates; false if all were zero. */
  private boolean takePivots() {
    long any = 0;
    for (int q = 0; q < pendingRows; ) {
      int next = endOfRun(q);
      for (int row = 0; row < pivotsEnd; row++) {
        any |= take(state.at(row) + pendingPivots[q], updates.at(row) + q, next - q);
      }
      q = next;
    }
    return any != 0;
  }

  /** Returns the end of the pending pivots that follow one in adjacent columns. */
  private int endOfRun(int q) {
    int end = q + 1;
    while (end < pendingRows && pendingPivots[end] == pendingPivots[end - 1] + 1) {
      end++;
    }
    return end;
  }

  private static void copy(long from, long to, int length) {
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      MEMORY.set(WORD, to + at, MEMORY.get(WORD, from + at));
    }
    for (; at < length; at++) {
      MEMORY.set(JAVA_BYTE, to + at, MEMORY.get(JAVA_BYTE, from + at));
    }
  }

  /** Moves bytes and zeroes them; returns zero if all were zero. */
  private static long take(long from, long to, int length) {
    long any = 0;
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      long word = MEMORY.get(WORD, from + at);
      any |= word;
      MEMORY.set(WORD, to + at, word);
      MEMORY.set(WORD, from + at, 0);
    }
    for (; at < length; at++) {
      byte value = MEMORY.get(JAVA_BYTE, from + at);
      any |= value;
      MEMORY.set(JAVA_BYTE, to + at, value);
      MEMORY.set(JAVA_BYTE, from + at, (byte) 0);
    }
    return any;
  }

  /** Prevents accesses by address to freed memory. */
  private void requireOpen() {
    if (!memory.scope().isAlive()) {
      throw new IllegalStateException("the basis is closed");
    }
  }

  private void findSolved() {
    requireOpen();
    if (!stale) {
      return;
    }
    settle();
    for (int row = 0; row < pivotsEnd; row++) {
      if (filled[row] && !solved[row] && hasOnlyMultipliers(row)) {
        solved[row] = true;
        solvedRows++;
      }
    }
    stale = false;
  }

  private boolean hasOnlyMultipliers(int row) {
    return firstEntry(state.at(row), 0, columns) == NOT_INNOVATIVE;
  }

  private int byteAt(long at) {
    return MEMORY.get(JAVA_BYTE, at) & 0xFF;
  }

  private void setByte(long at, int value) {
    MEMORY.set(JAVA_BYTE, at, (byte) value);
  }
}
