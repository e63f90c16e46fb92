package io.fieldstone.rlnc.window;

import io.fieldstone.field.Gf256;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The coefficients of linear equations over the missing packets of a window, in reduced row echelon
 * form: the pivot of an equation is its oldest unknown, and no other equation contains it. So an
 * unknown that leaves the window takes at most one equation with it.
 *
 * <p>The right side of an equation is not here. It is a combination of stored symbols, each in a
 * numbered slot: an equation says
 *
 * <p>Σ coefficient · packet = Σ source · symbol in slot.
 *
 * <p>A column is a packet that was unknown when an equation with it arrived. If the packet becomes
 * known later, its column stays, and the packet is subtracted when the equation is solved. For one
 * thread at a time.
 */
final class Equations {

  private static final int NONE = -1;

  /** An equation; all its elements beyond the columns and slots in use are zero. */
  private static final class Equation {
    final PackedRow coefficients = new PackedRow();
    final PackedRow sources = new PackedRow();
    int pivot = NONE;
  }

  private final int window;
  private final int spare;

  /** Equations 0 … rank − 1; those after them are reused. */
  private Equation[] equations = new Equation[0];

  private int rank;

  /** The equation that is being added. */
  private final Equation candidate = new Equation();

  private final BitSet columns = new BitSet();

  /** All bits of an element are set if its column is an unknown. */
  private final PackedRow unknowns = new PackedRow();

  private int unknownColumns;

  /** The packet of each column. */
  private long[] ids = new long[Long.BYTES];

  /** The column of the packet in each slot of the window. */
  private final int[] columnAt;

  private final BitSet slots = new BitSet();

  Equations(int window) {
    this.window = window;
    this.spare = window / 4 + Long.BYTES;
    this.columnAt = new int[window];
    Arrays.fill(columnAt, NONE);
  }

  /** Returns the maximum number of slots. */
  static int maxSlots(int window) {
    return window + window / 4 + 2 * Long.BYTES;
  }

  int rank() {
    return rank;
  }

  /** Returns the number of equations without unknowns older than {@code id}. */
  int rankFrom(long id) {
    int count = 0;
    for (int i = 0; i < rank; i++) {
      count += pivot(i) >= id ? 1 : 0;
    }
    return count;
  }

  /** Returns the oldest unknown of an equation. */
  long pivot(int equation) {
    return ids[equations[equation].pivot];
  }

  /** Returns the number of slots in use, or a little more. */
  int slots() {
    return slots.length();
  }

  /** Returns the number of columns in use, or a little more. */
  int columns() {
    return columns.length();
  }

  boolean isColumn(int column) {
    return columns.get(column);
  }

  boolean isUnknown(int column) {
    return unknowns.get(column) != 0;
  }

  long id(int column) {
    return ids[column];
  }

  int coefficient(int equation, int column) {
    return equations[equation].coefficients.get(column);
  }

  int source(int equation, int slot) {
    return equations[equation].sources.get(slot);
  }

  /** Returns a coefficient of the equation that {@link #mix} computed. */
  int mixedCoefficient(int column) {
    return candidate.coefficients.get(column);
  }

  /** Returns a source of the equation that {@link #mix} computed. */
  int mixedSource(int slot) {
    return candidate.sources.get(slot);
  }

  /**
   * Frees what no equation refers to, if much is in use.
   *
   * @return whether still much is in use, so that {@link #rebased} is due
   */
  boolean isCrowded() {
    if (isOverSpare()) {
      collect();
    }
    return isOverSpare();
  }

  private boolean isOverSpare() {
    return slots.cardinality() > rank + spare || columns.cardinality() > unknownColumns + spare;
  }

  private void collect() {
    for (int slot = slots.nextSetBit(0); slot >= 0; slot = slots.nextSetBit(slot + 1)) {
      boolean isUsed = false;
      for (int i = 0; i < rank && !isUsed; i++) {
        isUsed = source(i, slot) != 0;
      }
      slots.set(slot, isUsed);
    }
    for (int column = columns.nextSetBit(0); column >= 0; column = columns.nextSetBit(column + 1)) {
      if (!isReferred(column)) {
        free(column);
      }
    }
  }

  private boolean isReferred(int column) {
    for (int i = 0; i < rank; i++) {
      if (coefficient(i, column) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Begins an equation without coefficients. */
  void begin() {
    candidate.coefficients.clear();
    candidate.sources.clear();
    candidate.pivot = NONE;
  }

  /** Adds a coefficient of an unknown to the equation. */
  void set(long id, int coefficient) {
    int at = (int) (id % window);
    if (columnAt[at] == NONE) {
      columnAt[at] = newColumn(id);
    }
    candidate.coefficients.set(columnAt[at], coefficient);
  }

  private int newColumn(long id) {
    int column = columns.nextClearBit(0);
    columns.set(column);
    if (column >= ids.length) {
      ids = Arrays.copyOf(ids, 2 * ids.length);
    }
    int words = PackedRow.words(column + 1);
    unknowns.reserve(words);
    candidate.coefficients.reserve(words);
    for (Equation equation : equations) {
      equation.coefficients.reserve(words);
    }
    ids[column] = id;
    unknowns.set(column, 0xFF);
    unknownColumns++;
    return column;
  }

  private void free(int column) {
    if (isUnknown(column)) {
      unknownColumns--;
      unknowns.set(column, 0);
    }
    columns.clear(column);
    int at = (int) (ids[column] % window);
    if (columnAt[at] == column) {
      columnAt[at] = NONE;
    }
  }

  /**
   * Subtracts the other equations from the one that was begun.
   *
   * @return whether an unknown remains, so that the equation is independent of the others
   */
  boolean reduce() {
    for (int i = 0; i < rank; i++) {
      int factor = candidate.coefficients.get(equations[i].pivot);
      if (factor != 0) {
        add(candidate, factor, equations[i]);
      }
    }
    candidate.pivot = oldestUnknown(candidate);
    return candidate.pivot != NONE;
  }

  private void add(Equation to, int factor, Equation from) {
    to.coefficients.add(factor, from.coefficients, PackedRow.words(columns()));
    to.sources.add(factor, from.sources, PackedRow.words(slots()));
  }

  private int oldestUnknown(Equation equation) {
    int oldest = NONE;
    int words = PackedRow.words(columns());
    for (int word = 0; word < words; word++) {
      long left = equation.coefficients.word(word) & unknowns.word(word);
      while (left != 0) {
        int at = Long.numberOfTrailingZeros(left) / Byte.SIZE;
        left &= ~(0xFFL << (at * Byte.SIZE));
        int column = word * Long.BYTES + at;
        if (oldest == NONE || ids[column] < ids[oldest]) {
          oldest = column;
        }
      }
    }
    return oldest;
  }

  /** Returns a free slot for the symbol of the equation that was reduced. */
  int freeSlot() {
    return slots.nextClearBit(0);
  }

  /**
   * Adds the equation that was reduced.
   *
   * @param slot the slot of its symbol
   */
  void accept(int slot) {
    use(slot);
    candidate.sources.set(slot, 1);
    Equation added = next();
    added.coefficients.clear();
    added.sources.clear();
    added.pivot = candidate.pivot;
    add(added, inverse(candidate.coefficients.get(candidate.pivot)), candidate);
    rank++;
    eliminate(added);
  }

  private void use(int slot) {
    slots.set(slot);
    int words = PackedRow.words(slot + 1);
    candidate.sources.reserve(words);
    for (Equation equation : equations) {
      equation.sources.reserve(words);
    }
  }

  private static int inverse(int element) {
    return Gf256.DEFAULT.inverse(element);
  }

  private Equation next() {
    if (rank == equations.length) {
      int length = equations.length;
      equations = Arrays.copyOf(equations, Math.max(Long.BYTES, 2 * length));
      for (int i = length; i < equations.length; i++) {
        equations[i] = new Equation();
        equations[i].coefficients.reserve(PackedRow.words(columns()));
        equations[i].sources.reserve(PackedRow.words(slots()));
      }
    }
    return equations[rank];
  }

  /** Subtracts an equation with pivot 1 from all others. */
  private void eliminate(Equation pivot) {
    for (int i = 0; i < rank; i++) {
      int factor = equations[i].coefficients.get(pivot.pivot);
      if (equations[i] != pivot && factor != 0) {
        add(equations[i], factor, pivot);
      }
    }
  }

  /** Records that a packet of the window has become known. */
  void know(long id) {
    int column = columnAt[(int) (id % window)];
    if (column == NONE) {
      return;
    }
    unknowns.set(column, 0);
    unknownColumns--;
    for (int i = 0; i < rank; i++) {
      Equation equation = equations[i];
      if (equation.pivot == column) {
        equation.pivot = oldestUnknown(equation);
        if (equation.pivot == NONE) {
          remove(i);
        } else {
          normalise(equation);
          eliminate(equation);
        }
        break;
      }
    }
    if (!isReferred(column)) {
      free(column);
    }
  }

  private void normalise(Equation equation) {
    int factor = inverse(equation.coefficients.get(equation.pivot));
    equation.coefficients.scale(factor, PackedRow.words(columns()));
    equation.sources.scale(factor, PackedRow.words(slots()));
  }

  /** Removes an equation; the last one gets its number. */
  void remove(int equation) {
    Equation removed = equations[equation];
    rank--;
    equations[equation] = equations[rank];
    equations[rank] = removed;
    if (rank == 0) {
      clear();
    }
  }

  private void clear() {
    for (int column = columns.nextSetBit(0); column >= 0; column = columns.nextSetBit(column + 1)) {
      free(column);
    }
    slots.clear();
  }

  /** Returns whether exactly one unknown is left in an equation. */
  boolean isSolved(int equation) {
    PackedRow coefficients = equations[equation].coefficients;
    int words = PackedRow.words(columns());
    boolean isOne = false;
    for (int word = 0; word < words; word++) {
      long left = coefficients.word(word) & unknowns.word(word);
      if (left != 0) {
        int at = Long.numberOfTrailingZeros(left) / Byte.SIZE;
        if (isOne || (left & ~(0xFFL << (at * Byte.SIZE))) != 0) {
          return false;
        }
        isOne = true;
      }
    }
    return isOne;
  }

  /** Removes an equation that gave its only unknown. */
  void removeSolved(int equation) {
    int column = equations[equation].pivot;
    remove(equation);
    if (columns.get(column)) {
      free(column);
    }
  }

  /** Returns whether a known packet is on the left side of an equation. */
  boolean containsKnown(long id) {
    int column = columnAt[(int) (id % window)];
    return column != NONE && !isUnknown(column) && isReferred(column);
  }

  /**
   * Moves a known packet to the right sides.
   *
   * @param slot a free slot, into which its symbol has been copied
   */
  void moveToSources(long id, int slot) {
    int column = columnAt[(int) (id % window)];
    use(slot);
    for (int i = 0; i < rank; i++) {
      equations[i].sources.set(slot, coefficient(i, column));
      equations[i].coefficients.set(column, 0);
    }
    free(column);
  }

  /** Removes a packet that leaves the window. No equation contains it if it is known. */
  void evict(long id) {
    int column = columnAt[(int) (id % window)];
    if (column == NONE) {
      return;
    }
    for (int i = 0; i < rank; i++) {
      if (equations[i].pivot == column) {
        remove(i);
        break;
      }
    }
    if (columns.get(column)) {
      free(column);
    }
  }

  /**
   * Records that slot i has been overwritten by the right side of equation i without its known
   * packets, for every equation.
   */
  void rebased() {
    int words = PackedRow.words(columns());
    slots.clear();
    slots.set(0, rank);
    for (int i = 0; i < rank; i++) {
      equations[i].coefficients.keep(unknowns, words);
      equations[i].sources.clear();
      equations[i].sources.set(i, 1);
    }
    for (int column = columns.nextSetBit(0); column >= 0; column = columns.nextSetBit(column + 1)) {
      if (!isUnknown(column)) {
        free(column);
      }
    }
  }

  /** Computes a combination of all equations: see {@link #mixedCoefficient}. */
  void mix(byte[] factors) {
    begin();
    for (int i = 0; i < rank; i++) {
      if (factors[i] != 0) {
        add(candidate, Byte.toUnsignedInt(factors[i]), equations[i]);
      }
    }
  }
}
