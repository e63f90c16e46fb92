package io.fieldstone.rlnc;

import io.fieldstone.engine.Basis;
import io.fieldstone.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The blocks of one generation that are known to be independent, and the rows of a store in which
 * their payloads lie.
 */
final class Elimination implements AutoCloseable {

  private static final int NONE = -1;

  private final Basis basis;
  private final int[] rowOfSlot;
  private final MemorySegment bySlot;
  private final BitSet taken = new BitSet();

  Elimination(Engine engine, GenerationShape shape) {
    basis = engine.eliminations().basis(shape.field(), shape.blocks());
    rowOfSlot = new int[shape.blocks()];
    Arrays.fill(rowOfSlot, NONE);
    bySlot = MemorySegment.ofArray(new byte[shape.blocks()]);
  }

  int rank() {
    return basis.rank();
  }

  boolean isComplete() {
    return basis.rank() == basis.columns();
  }

  /** A row of the store that no independent block lies in. */
  int freeRow() {
    return taken.nextClearBit(0);
  }

  /** Adds the vector of the payload in (or bound for) {@code row}; whether it is independent. */
  boolean add(MemorySegment vector, int row) {
    int slot = basis.add(vector);
    if (slot == Basis.NOT_INNOVATIVE) {
      return false;
    }
    rowOfSlot[slot] = row;
    taken.set(row);
    return true;
  }

  /** Writes source block {@code source} as a combination of the rows of the store. */
  void solution(int source, MemorySegment byRow) {
    basis.solution(source, bySlot);
    byRow.fill((byte) 0);
    for (int slot = 0; slot < rowOfSlot.length; slot++) {
      if (rowOfSlot[slot] != NONE) {
        byRow.set(ValueLayout.JAVA_BYTE, rowOfSlot[slot], bySlot.get(ValueLayout.JAVA_BYTE, slot));
      }
    }
  }

  @Override
  public void close() {
    basis.close();
  }
}
