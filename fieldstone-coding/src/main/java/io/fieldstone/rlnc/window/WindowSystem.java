package io.fieldstone.rlnc.window;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.Scratch;
import io.fieldstone.engine.memory.Allocations;
import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * What is known of a window: the symbols, and equations over the missing ones.
 *
 * <p>An innovative repair symbol costs one 1×w·w×E product, which subtracts the known packets. Row
 * operations change coefficients only. Solved packets are computed together, by one m×r·r×E product
 * of the r stored symbols. A symbol that is not innovative costs no product. A packet that arrives
 * late is subtracted when its equations are solved, or is stored as one of their symbols if it
 * leaves the window before.
 *
 * <p>For one thread at a time.
 */
final class WindowSystem implements AutoCloseable {

  /** The maximum number of packets that one product solves. */
  private static final int MAX_SOLVED_AT_ONCE = 64;

  private static final long[] NO_IDS = {};

  private final WindowShape shape;
  private final Products products;
  private final WindowSymbols symbols;
  private final Equations equations;
  private final Arena arena = new CountedArena();

  /** Right sides of equations: received symbols without the packets known at their arrival. */
  private final ByteMatrices slots;

  private final Scratch vectors = new Scratch();
  private final Scratch product = new Scratch();
  private final Scratch sources = new Scratch();
  private final Scratch knownVectors = new Scratch();
  private final Scratch results = new Scratch();
  private final Scratch knownParts = new Scratch();
  private final int[] selected;
  private long[] solved = NO_IDS;
  private int solvedCount;
  private long damaged;

  WindowSystem(Engine engine, WindowShape shape, long first) {
    engine.requireOpen();
    WindowShape.requireIds(first, 1);
    this.shape = shape;
    this.products = engine.products();
    this.equations = new Equations(shape.window());
    this.selected = new int[shape.window()];
    this.symbols = new WindowSymbols(products, shape, first);
    this.slots =
        Allocations.next(
            () ->
                WindowSymbols.allocate(
                    arena, Equations.maxSlots(shape.window()), shape.symbolBytes()),
            symbols::close);
  }

  WindowSymbols symbols() {
    return symbols;
  }

  Equations equations() {
    return equations;
  }

  /** Returns the number of solved symbols that no packet can have made. */
  long damaged() {
    return damaged;
  }

  /** Returns the ids that the last call solved: the first {@link #solvedCount}, ascending. */
  long[] solved() {
    return solved;
  }

  int solvedCount() {
    return solvedCount;
  }

  /** Returns the first id of the window after it has been extended. */
  long firstAfter(long end) {
    return Math.max(symbols.first(), end - shape.window());
  }

  /** Extends the window to an id; the oldest packets leave if it is full. */
  void extend(long end) {
    if (end > symbols.end()) {
      slide(firstAfter(end));
      symbols.extend(end);
    }
  }

  /** Removes all packets below an id. */
  void slide(long newFirst) {
    long removed = Math.min(symbols.end(), newFirst);
    for (long id = symbols.first(); id < removed; id++) {
      if (equations.containsKnown(id)) {
        keep(id);
      }
      equations.evict(id);
    }
    if (newFirst > symbols.first()) {
      symbols.slide(newFirst);
    }
  }

  /** Moves a known packet, which equations contain, to their right sides before it leaves. */
  private void keep(long id) {
    if (equations.isCrowded()) {
      rebase();
    } else {
      int slot = equations.freeSlot();
      MemorySegment symbol = symbols.symbol(id);
      MemorySegment.copy(symbol, 0, slots.data(), slots.offset(0, slot), shape.symbolBytes());
      equations.moveToSources(id, slot);
    }
  }

  /** Adds a packet of the window, and solves what it makes solvable. */
  Reception source(long id, MemorySegment packet) {
    solvedCount = 0;
    if (symbols.isKnown(id)) {
      if (!shape.agrees(symbols.symbol(id), packet)) {
        return Reception.CONTRADICTORY;
      }
      symbols.receive(id);
      return Reception.REDUNDANT;
    }
    symbols.store(id, packet);
    equations.know(id);
    solve();
    return Reception.INNOVATIVE;
  }

  /** Returns scratch memory for a vector of {@code count} coefficients. */
  ByteMatrices vector(int count) {
    return vectors.matrix(1, count);
  }

  /** Returns the coefficients of a repair symbol, in scratch memory. */
  ByteMatrices vector(WindowCode code, Repair repair) {
    ByteMatrices vector = vector(repair.count());
    code.coefficients(repair.key(), repair.count(), vector.data());
    return vector;
  }

  /** Returns a copy of explicit coefficients, in scratch memory. */
  ByteMatrices vector(long first, MemorySegment coefficients) {
    WindowShape.requireIds(first, coefficients.byteSize());
    ByteMatrices vector = vector((int) coefficients.byteSize());
    MemorySegment.copy(coefficients, 0, vector.data(), 0, vector.columns());
    return vector;
  }

  /**
   * Adds a symbol, and solves what it makes solvable.
   *
   * @param first the id of coefficient 0; the window contains the last one
   * @param vector the coefficients, in the memory that {@link #vector} returned; changed
   * @param symbol E bytes
   */
  Reception combined(long first, ByteMatrices vector, MemorySegment symbol) {
    solvedCount = 0;
    MemorySegment coefficients = vector.data();
    int n = vector.columns();
    int left = Math.clamp(symbols.first() - first, 0, n);
    for (int i = 0; i < left; i++) {
      if (coefficients.get(ValueLayout.JAVA_BYTE, i) != 0) {
        return Reception.LATE;
      }
    }
    if (equations.isCrowded()) {
      rebase();
    }
    boolean hasUnknown = false;
    equations.begin();
    for (int i = left; i < n; i++) {
      int coefficient = Byte.toUnsignedInt(coefficients.get(ValueLayout.JAVA_BYTE, i));
      if (coefficient != 0 && !symbols.isKnown(first + i)) {
        equations.set(first + i, coefficient);
        coefficients.set(ValueLayout.JAVA_BYTE, i, (byte) 0);
        hasUnknown = true;
      }
    }
    if (!hasUnknown || !equations.reduce()) {
      return Reception.REDUNDANT;
    }
    int slot = equations.freeSlot();
    ByteMatrices known = product.matrix(1, shape.symbolBytes());
    symbols.combine(vector.columns(left, n - left), first + left, known);
    add(symbol, 0, known.data(), 0);
    MemorySegment.copy(known.data(), 0, slots.data(), slots.offset(0, slot), shape.symbolBytes());
    equations.accept(slot);
    solve();
    return Reception.INNOVATIVE;
  }

  /** Adds a symbol to another. */
  private void add(MemorySegment from, long at, MemorySegment to, long toAt) {
    int bytes = shape.symbolBytes();
    int i = 0;
    for (; i + Long.BYTES <= bytes; i += Long.BYTES) {
      long sum =
          from.get(ValueLayout.JAVA_LONG_UNALIGNED, at + i)
              ^ to.get(ValueLayout.JAVA_LONG_UNALIGNED, toAt + i);
      to.set(ValueLayout.JAVA_LONG_UNALIGNED, toAt + i, sum);
    }
    for (; i < bytes; i++) {
      int sum = from.get(ValueLayout.JAVA_BYTE, at + i) ^ to.get(ValueLayout.JAVA_BYTE, toAt + i);
      to.set(ValueLayout.JAVA_BYTE, toAt + i, (byte) sum);
    }
  }

  private void solve() {
    int count = selectSolved();
    while (count > 0) {
      ByteMatrices packets = rightSides(count);
      // From the last on: the equation that takes the number of a removed one is not selected.
      for (int i = count - 1; i >= 0; i--) {
        long id = equations.pivot(selected[i]);
        equations.removeSolved(selected[i]);
        MemorySegment symbol = packets.row(0, i);
        if (shape.isFramed(symbol)) {
          symbols.storeSolved(id, symbol);
          addSolved(id);
        } else {
          damaged++;
        }
      }
      count = selectSolved();
    }
    Arrays.sort(solved, 0, solvedCount);
  }

  private int selectSolved() {
    int count = 0;
    for (int i = 0; i < equations.rank() && count < MAX_SOLVED_AT_ONCE; i++) {
      if (equations.isSolved(i)) {
        selected[count++] = i;
      }
    }
    return count;
  }

  private void addSolved(long id) {
    if (solvedCount == solved.length) {
      solved = Arrays.copyOf(solved, Math.max(MAX_SOLVED_AT_ONCE, 2 * solvedCount));
    }
    solved[solvedCount++] = id;
  }

  /**
   * Computes the right sides of the selected equations, without their known packets.
   *
   * @return count×E bytes
   */
  private ByteMatrices rightSides(int count) {
    int width = equations.slots();
    ByteMatrices factors = sources.matrix(count, width);
    for (int i = 0; i < count; i++) {
      for (int slot = 0; slot < width; slot++) {
        byte source = (byte) equations.source(selected[i], slot);
        factors.data().set(ValueLayout.JAVA_BYTE, factors.offset(0, i) + slot, source);
      }
    }
    ByteMatrices sums = results.matrix(count, shape.symbolBytes());
    products.multiply(Gf256.DEFAULT, factors, slots.rows(0, width), sums);
    subtractKnown(count, sums);
    return sums;
  }

  /** Subtracts packets that have become known since the symbols of the equations arrived. */
  private void subtractKnown(int count, ByteMatrices sums) {
    long first = Long.MAX_VALUE;
    long last = -1;
    for (int column = 0; column < equations.columns(); column++) {
      if (equations.isColumn(column) && !equations.isUnknown(column)) {
        first = Math.min(first, equations.id(column));
        last = Math.max(last, equations.id(column));
      }
    }
    if (last < 0) {
      return;
    }
    ByteMatrices factors = knownVectors.matrix(count, (int) (last - first + 1));
    factors.data().asSlice(0, (long) count * factors.columns()).fill((byte) 0);
    for (int column = 0; column < equations.columns(); column++) {
      if (equations.isColumn(column) && !equations.isUnknown(column)) {
        long at = equations.id(column) - first;
        for (int i = 0; i < count; i++) {
          byte coefficient = (byte) equations.coefficient(selected[i], column);
          factors.data().set(ValueLayout.JAVA_BYTE, factors.offset(0, i) + at, coefficient);
        }
      }
    }
    ByteMatrices known = knownParts.matrix(count, shape.symbolBytes());
    symbols.combine(factors, first, known);
    for (int i = 0; i < count; i++) {
      add(known.data(), known.offset(0, i), sums.data(), sums.offset(0, i));
    }
  }

  /** Stores the right side of each equation in a slot of its own. */
  private void rebase() {
    int rank = equations.rank();
    if (rank > 0) {
      for (int i = 0; i < rank; i++) {
        selected[i] = i;
      }
      ByteMatrices sides = rightSides(rank);
      for (int i = 0; i < rank; i++) {
        MemorySegment.copy(
            sides.data(),
            sides.offset(0, i),
            slots.data(),
            slots.offset(0, i),
            shape.symbolBytes());
      }
    }
    equations.rebased();
  }

  /**
   * Writes a combination of all that is known.
   *
   * @param factors the factors of the equations
   * @param vector the factors of the packets of the window from {@code first} on, zero for unknown
   *     ones; receives the coefficients of the combination
   * @param symbol receives E bytes
   */
  void mix(byte[] factors, long first, ByteMatrices vector, MemorySegment symbol) {
    ByteMatrices sum = product.matrix(1, shape.symbolBytes());
    symbols.combine(vector, first, sum);
    if (equations.rank() > 0) {
      equations.mix(factors);
      int width = equations.slots();
      ByteMatrices mixed = sources.matrix(1, width);
      for (int slot = 0; slot < width; slot++) {
        mixed.data().set(ValueLayout.JAVA_BYTE, slot, (byte) equations.mixedSource(slot));
      }
      ByteMatrices part = results.matrix(1, shape.symbolBytes());
      products.multiply(Gf256.DEFAULT, mixed, slots.rows(0, width), part);
      add(part.data(), 0, sum.data(), 0);
      MemorySegment coefficients = vector.data();
      for (int column = 0; column < equations.columns(); column++) {
        int coefficient = equations.mixedCoefficient(column);
        if (coefficient != 0) {
          long at = equations.id(column) - first;
          coefficient ^= coefficients.get(ValueLayout.JAVA_BYTE, at);
          coefficients.set(ValueLayout.JAVA_BYTE, at, (byte) coefficient);
        }
      }
    }
    MemorySegment.copy(sum.data(), 0, symbol, 0, shape.symbolBytes());
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      symbols.close();
      arena.close();
      vectors.close();
      product.close();
      sources.close();
      knownVectors.close();
      results.close();
      knownParts.close();
    }
  }
}
