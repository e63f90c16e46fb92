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
 * <p>A new vector is reduced by one product with the state. Reducing the state by new rows is
 * deferred until {@value #PANEL} rows are pending or a query needs it; then it is one product too.
 *
 * <p>The methods are synchronized, although a basis is meant for one thread at a time: its loops
 * work on addresses, and misuse by a second thread must not access or free memory in use.
 */
public final class BlockedBasis implements Basis {

  /** Pending rows: enough to make the update a dense product, few enough to stay in L1. */
  private static final int PANEL = 32;

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  private final Gf256 field;
  private final ProductKernel kernel;
  private final Arena arena;
  private final int columns;

  /** Columns of the rows, padded with zeros to a multiple that suits the kernel. */
  private final int width;

  private final MemorySegment memory;
  private final Rows state;
  private final Rows pending;

  /** Multipliers of an update, n×{@value #PANEL} bytes; its first row serves single reductions. */
  private final Rows multipliers;

  /** Scratch rows: the multipliers of a vector being reduced, and the vector. */
  private final Rows factors;

  private final Rows reduced;

  /** 0xFF at pivots that are in the state. */
  private final Rows settled;

  private final int[] pendingPivots = new int[PANEL];
  private final int[] newestPivot = new int[1];
  private final boolean[] filled;
  private final boolean[] solved;
  private int pendingRows;
  private int rank;
  private int solvedRows;

  /** All pivots are below this column. */
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
    int multiple = kernel.columnMultiple();
    width = (columns + multiple - 1) / multiple * multiple;
    // Entries are moved in words, so that short rows need more than their width.
    long stride = ByteMatrices.paddedStride(Math.max(width, NativeRows.ALIGNMENT));
    memory = arena.allocate((columns + PANEL + 3) * stride + (long) columns * PANEL, 64);
    state = Rows.of(memory, 0, stride);
    pending = state.from(columns, 0);
    factors = pending.from(PANEL, 0);
    reduced = factors.from(1, 0);
    settled = reduced.from(1, 0);
    multipliers = new Rows(settled.at(1), PANEL);
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
    int scale = field.inverse(byteAt(reduced.at(0) + pivot));
    setByte(reduced.at(0) + pivot, 1);
    setByte(factors.at(0), scale);
    Rows newest = pending.from(pendingRows, 0);
    kernel.multiply(1, 1, width, factors, reduced, newest, false);
    eliminateFromPending(pivot, newest);
    pendingPivots[pendingRows++] = pivot;
    filled[pivot] = true;
    pivotsEnd = Math.max(pivotsEnd, pivot + 1);
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
    memory.fill((byte) 0);
    Arrays.fill(filled, false);
    Arrays.fill(solved, false);
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
   * Reduces the vector by all rows into {@code reduced} and returns the first nonzero column
   * without a pivot.
   */
  private int reduce(MemorySegment vector) {
    requireOpen();
    Bases.requireFits(vector, columns);
    long at = reduced.at(0);
    long length = vector.byteSize();
    MemorySegment.copy(vector, 0, MEMORY, at, length);
    MEMORY.asSlice(at + length, reduced.stride() - length).fill((byte) 0);
    if (takeFactors()) {
      kernel.multiply(1, pivotsEnd, width, factors, state, reduced, true);
    }
    for (int q = 0; q < pendingRows; q++) {
      long entry = at + pendingPivots[q];
      setByte(factors.at(0) + q, byteAt(entry));
      setByte(entry, 0);
    }
    kernel.multiply(1, pendingRows, width, factors, pending, reduced, true);
    for (int column = firstUnfilled; column < columns; column++) {
      if (!filled[column] && byteAt(at + column) != 0) {
        return column;
      }
    }
    return NOT_INNOVATIVE;
  }

  /**
   * Moves the entries at settled pivots from {@code reduced} to {@code factors}; false if all zero.
   */
  private boolean takeFactors() {
    long any = 0;
    for (long at = 0; at < reduced.stride(); at += Long.BYTES) {
      long word = MEMORY.get(WORD, reduced.address() + at);
      long mask = MEMORY.get(WORD, settled.address() + at);
      MEMORY.set(WORD, factors.address() + at, word & mask);
      MEMORY.set(WORD, reduced.address() + at, word & ~mask);
      any |= word & mask;
    }
    return any != 0;
  }

  private void eliminateFromPending(int pivot, Rows newest) {
    newestPivot[0] = pivot;
    if (takeColumns(pending, pendingRows, newestPivot, 1)) {
      kernel.multiply(pendingRows, 1, width, multipliers, newest, pending, true);
    }
  }

  /** Moves the pending rows into the state and reduces the state by them. */
  private void settle() {
    if (takeColumns(state, pivotsEnd, pendingPivots, pendingRows)) {
      kernel.multiply(pivotsEnd, pendingRows, width, multipliers, pending, state, true);
    }
    for (int q = 0; q < pendingRows; q++) {
      int pivot = pendingPivots[q];
      MemorySegment.copy(MEMORY, pending.at(q), MEMORY, state.at(pivot), state.stride());
      setByte(settled.at(0) + pivot, 0xFF);
    }
    pendingRows = 0;
  }

  /**
   * Moves columns of {@code rows} to {@code multipliers} and zeroes them; false if all were zero.
   */
  private boolean takeColumns(Rows rows, int count, int[] taken, int takenCount) {
    int any = 0;
    for (int row = 0; row < count; row++) {
      long from = rows.at(row);
      long to = multipliers.at(row);
      for (int q = 0; q < takenCount; q++) {
        int value = byteAt(from + taken[q]);
        any |= value;
        setByte(to + q, value);
        setByte(from + taken[q], 0);
      }
    }
    return any != 0;
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
    for (int column = firstUnfilled; column < columns; column++) {
      if (!filled[column] && byteAt(state.at(row) + column) != 0) {
        return false;
      }
    }
    return true;
  }

  private int byteAt(long at) {
    return MEMORY.get(JAVA_BYTE, at) & 0xFF;
  }

  private void setByte(long at, int value) {
    MEMORY.set(JAVA_BYTE, at, (byte) value);
  }
}
