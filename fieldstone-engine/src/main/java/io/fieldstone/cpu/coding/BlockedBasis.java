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
 * <p>A new vector is first reduced in a strip of few columns only, by a {@link BasisReduction}. If
 * it has a nonzero entry there, it is innovative, and waits. Up to {@value BasisReduction#PANEL}
 * pending vectors are then reduced in all columns, and the state by them, by three large products.
 * A vector without an entry in the strip settles the pending ones and begins another strip.
 *
 * <p>The methods are synchronized, although a basis is meant for one thread at a time: its loops
 * work on addresses, and misuse by a second thread must not access or free memory in use.
 */
public final class BlockedBasis implements Basis {

  /** Maximum pending vectors: enough for efficient products, few enough to stay in L1. */
  private static final int PANEL = BasisReduction.PANEL;

  private static final int MIN_STRIP = 64;

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  private final ProductKernel kernel;
  private final Arena arena;
  private final int columns;

  /** Columns of the rows, padded with zeros to a multiple that suits the kernel. */
  private final int width;

  /** Columns of the strip. */
  private final int stripWidth;

  private final MemorySegment memory;
  private final Rows state;

  /** The rows that reductions read and write. */
  private final BasisReduction.Parts parts;

  /** Pending vectors, reduced in all columns. */
  private final Rows pending;

  /** Multipliers of an update of the state, n×{@value #PANEL} bytes. */
  private final Rows updates;

  private final int[] pendingPivots = new int[PANEL];

  private final boolean[] filled;
  private final boolean[] solved;

  /** By products, until the kernel has a faster way. */
  private BasisReduction reduction;

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
    this.kernel = kernel;
    this.columns = columns;
    this.arena = arena;
    stripWidth = Math.max(kernel.columnMultiple(), MIN_STRIP);
    width = Math.ceilDiv(columns, stripWidth) * stripWidth;
    long stride = ByteMatrices.paddedStride(width);
    int reducedWidth = BasisReduction.Parts.reducedWidth(stripWidth);
    memory =
        arena.allocate(
            (columns + 3 * PANEL + 2) * stride
                + PANEL * reducedWidth
                + (long) columns * (stripWidth + PANEL),
            NativeRows.ALIGNMENT);
    state = Rows.of(memory, 0, stride);
    Rows received = state.from(columns, 0);
    Rows factors = received.from(PANEL, 0);
    pending = factors.from(PANEL, 0);
    Rows vector = pending.from(PANEL, 0);
    Rows settled = vector.from(1, 0);
    Rows reduced = new Rows(settled.at(1), reducedWidth);
    Rows strip = new Rows(reduced.at(PANEL), stripWidth);
    updates = new Rows(strip.at(columns), PANEL);
    parts =
        new BasisReduction.Parts(
            width, vector, settled, received, factors, stripWidth, strip, reduced);
    reduction = new ProductReduction(field, kernel, parts, arena);
    filled = new boolean[columns];
    solved = new boolean[columns];
    beginStrip(0);
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
    int pivot = reduce(vector, true);
    if (pivot == NOT_INNOVATIVE) {
      return NOT_INNOVATIVE;
    }
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
    return reduce(vector, false) != NOT_INNOVATIVE;
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
    MEMORY.asSlice(parts.settled().address(), width).fill((byte) 0);
    Arrays.fill(filled, false);
    Arrays.fill(solved, false);
    pendingRows = 0;
    rank = 0;
    solvedRows = 0;
    pivotsEnd = 0;
    firstUnfilled = 0;
    stale = false;
    beginStrip(0);
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
   *
   * @param keep whether to add it to the pending vectors
   */
  private int reduce(MemorySegment added, boolean keep) {
    requireOpen();
    Bases.requireFits(added, columns);
    long length = added.byteSize();
    long vector = parts.vector().address();
    MemorySegment.copy(added, 0, MEMORY, vector, length);
    MEMORY.asSlice(vector + length, width - length).fill((byte) 0);
    int pivot = reduction.reduce(pendingRows, keep);
    if (pivot != NOT_INNOVATIVE || width == stripWidth) {
      return pivot;
    }
    settle();
    pivot = reduction.reduce(0, keep);
    if (pivot != NOT_INNOVATIVE) {
      return pivot;
    }
    Rows received = parts.received();
    int column = firstEntry(received.address(), 0, columns);
    if (column != NOT_INNOVATIVE) {
      beginStrip(column);
      pivot = reduction.reduce(0, keep);
      if (pivot != NOT_INNOVATIVE) {
        return pivot;
      }
    }
    MemorySegment.copy(MEMORY, received.address(), MEMORY, pending.address(), width);
    kernel.multiply(1, pivotsEnd, width, parts.factors(), state, pending, true);
    column = firstEntry(pending.address(), 0, columns);
    if (column == NOT_INNOVATIVE) {
      return NOT_INNOVATIVE;
    }
    beginStrip(column);
    return reduction.reduce(0, keep);
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
    int start = Math.min(column / stripWidth * stripWidth, width - stripWidth);
    for (int row = 0; row < pivotsEnd; row++) {
      MemorySegment.copy(MEMORY, state.at(row) + start, MEMORY, parts.strip().at(row), stripWidth);
    }
    if (reduction instanceof ProductReduction) {
      kernel.reduction(parts, arena).ifPresent(faster -> reduction = faster);
    }
    reduction.begin(start, pivotsEnd);
  }

  /** Moves the pending vectors into the state, and begins a strip at the first free column. */
  private void settle() {
    if (pendingRows == 0) {
      return;
    }
    if (reduction.anyFactors()) {
      kernel.multiply(
          pendingRows, pivotsEnd, width, parts.factors(), state, parts.received(), true);
    }
    Rows multipliers = parts.reduced().from(0, stripWidth);
    kernel.multiply(pendingRows, pendingRows, width, multipliers, parts.received(), pending, false);
    for (int q = 0; q < pendingRows; ) {
      int next = endOfRun(q);
      for (int row = 0; row < pendingRows; row++) {
        copy(multipliers.at(row) + q, pending.at(row) + pendingPivots[q], next - q);
      }
      q = next;
    }
    if (takePivots()) {
      kernel.multiply(pivotsEnd, pendingRows, width, updates, pending, state, true);
    }
    for (int q = 0; q < pendingRows; q++) {
      int pivot = pendingPivots[q];
      MemorySegment.copy(MEMORY, pending.at(q), MEMORY, state.at(pivot), width);
      MEMORY.set(JAVA_BYTE, parts.settled().address() + pivot, (byte) 0xFF);
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
}
