package io.fieldstone.cpu.coding;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.execution.NativeRows;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reduces vectors by products of one row, and pending vectors by products of one column. */
final class ProductReduction implements BasisReduction {

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  private final Gf256 field;
  private final ProductKernel kernel;
  private final Parts parts;
  private final int reducedWidth;

  /** The vector being reduced: its row of the parts. */
  private final Rows candidate;

  /** A factor of each pending vector: one row, or one column. */
  private final Rows multipliers;

  private final int[] pivots = new int[PANEL];
  private int start;
  private int pivotsEnd;
  private boolean anyFactors;

  ProductReduction(Gf256 field, ProductKernel kernel, Parts parts, Arena arena) {
    this.field = field;
    this.kernel = kernel;
    this.parts = parts;
    this.reducedWidth = Parts.reducedWidth(parts.stripWidth());
    MemorySegment memory = arena.allocate(reducedWidth + PANEL, NativeRows.ALIGNMENT);
    this.candidate = Rows.of(memory, 0, reducedWidth);
    this.multipliers = Rows.of(memory, reducedWidth, 1);
  }

  @Override
  public void begin(int start, int pivotsEnd) {
    this.start = start;
    this.pivotsEnd = pivotsEnd;
    anyFactors = false;
  }

  @Override
  public boolean anyFactors() {
    return anyFactors;
  }

  @Override
  public int reduce(int pending, boolean keep) {
    boolean hasFactors = split(pending);
    anyFactors |= hasFactors;
    int stripWidth = parts.stripWidth();
    long at = candidate.address();
    MemorySegment.copy(MEMORY, parts.received().at(pending) + start, MEMORY, at, stripWidth);
    MEMORY.asSlice(at + stripWidth, reducedWidth - stripWidth).fill((byte) 0);
    setByte(at + stripWidth + pending, 1);
    if (hasFactors) {
      Rows factors = parts.factors().from(pending, 0);
      kernel.multiply(1, pivotsEnd, stripWidth, factors, parts.strip(), candidate, true);
    }
    for (int q = 0; q < pending; q++) {
      setByte(multipliers.at(q), byteAt(at + pivots[q] - start));
    }
    kernel.multiply(1, pending, reducedWidth, multipliers, parts.reduced(), candidate, true);
    int pivot = firstEntry();
    if (keep && pivot != Basis.NOT_INNOVATIVE) {
      append(pending, pivot);
    }
    return pivot;
  }

  /** Moves the vector's entries at settled pivots to its factors, the others to its row. */
  private boolean split(int pending) {
    long any = 0;
    long from = parts.vector().address();
    long to = parts.received().at(pending);
    long moved = parts.factors().at(pending);
    long mask = parts.settled().address();
    for (long at = 0; at < parts.width(); at += Long.BYTES) {
      long word = MEMORY.get(WORD, from + at);
      long settled = MEMORY.get(WORD, mask + at);
      MEMORY.set(WORD, to + at, word & ~settled);
      MEMORY.set(WORD, moved + at, word & settled);
      any |= word & settled;
    }
    return any != 0;
  }

  /** Returns the column of the first entry that is not at a settled pivot. */
  private int firstEntry() {
    for (int column = 0; column < parts.stripWidth(); column++) {
      if (byteAt(candidate.address() + column) != 0
          && byteAt(parts.settled().address() + start + column) == 0) {
        return start + column;
      }
    }
    return Basis.NOT_INNOVATIVE;
  }

  private void append(int pending, int pivot) {
    Rows newest = parts.reduced().from(pending, 0);
    setByte(multipliers.address(), field.inverse(byteAt(candidate.address() + pivot - start)));
    kernel.multiply(1, 1, reducedWidth, multipliers, candidate, newest, false);
    for (int q = 0; q < pending; q++) {
      setByte(multipliers.at(q), byteAt(parts.reduced().at(q) + pivot - start));
    }
    kernel.multiply(pending, 1, reducedWidth, multipliers, newest, parts.reduced(), true);
    pivots[pending] = pivot;
  }

  private static int byteAt(long at) {
    return MEMORY.get(JAVA_BYTE, at) & 0xFF;
  }

  private static void setByte(long at, int value) {
    MEMORY.set(JAVA_BYTE, at, (byte) value);
  }
}
