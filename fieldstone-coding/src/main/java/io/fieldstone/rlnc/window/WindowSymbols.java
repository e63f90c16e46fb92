package io.fieldstone.rlnc.window;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.Scratch;
import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The symbols of a window in a ring of slots: source packet i is in slot i mod w. The window is the
 * ids first … end − 1, at most w; a symbol in it is known or not. For one thread at a time.
 */
final class WindowSymbols implements AutoCloseable {

  private static final int ALIGNMENT = 64;

  /** The symbol is known. */
  private static final byte KNOWN = 1;

  /** The source packet has arrived. */
  private static final byte RECEIVED = 2;

  private final WindowShape shape;
  private final Products products;
  private final Arena arena = new CountedArena();
  private final ByteMatrices ring;
  private final byte[] states;
  private final Scratch rotated = new Scratch();
  private long first;
  private long end;

  WindowSymbols(Products products, WindowShape shape, long first) {
    this.shape = shape;
    this.products = products;
    this.states = new byte[shape.window()];
    this.ring = allocate(arena, shape.window(), shape.symbolBytes());
    this.first = first;
    this.end = first;
  }

  /** Allocates symbols that start on cache lines. */
  static ByteMatrices allocate(Arena arena, int symbols, int symbolBytes) {
    long stride = ByteMatrices.paddedStride(symbolBytes);
    MemorySegment memory = arena.allocate(Math.multiplyExact(stride, symbols), ALIGNMENT);
    return ByteMatrices.strided(memory, symbols, symbolBytes, stride);
  }

  /** Returns the first id of the window. */
  long first() {
    return first;
  }

  /** Returns the id after the last of the window. */
  long end() {
    return end;
  }

  /** Returns the slot of an id. */
  int slot(long id) {
    return (int) (id % states.length);
  }

  boolean isKnown(long id) {
    return id >= first && id < end && states[slot(id)] != 0;
  }

  /** Returns whether all symbols of ids {@code from} … {@code to} − 1 are known. */
  boolean areKnown(long from, long to) {
    long id = from;
    while (id < to && isKnown(id)) {
      id++;
    }
    return id == to;
  }

  boolean isReceived(long id) {
    return (states[slot(id)] & RECEIVED) != 0;
  }

  /** Records that a known source packet has arrived itself. */
  void receive(long id) {
    states[slot(id)] |= RECEIVED;
  }

  /** Extends the window, which must have room. */
  void extend(long newEnd) {
    end = newEnd;
  }

  /** Removes all ids below {@code newFirst}. */
  void slide(long newFirst) {
    long removed = Math.min(end, newFirst);
    for (long id = first; id < removed; id++) {
      states[slot(id)] = 0;
    }
    first = newFirst;
    end = Math.max(end, newFirst);
  }

  /** Stores a packet of the window that has arrived. */
  void store(long id, MemorySegment packet) {
    shape.frame(packet, symbol(id));
    states[slot(id)] = KNOWN | RECEIVED;
  }

  /** Stores a symbol of the window that was solved. */
  void storeSolved(long id, MemorySegment symbol) {
    MemorySegment.copy(symbol, 0, ring.data(), ring.offset(0, slot(id)), shape.symbolBytes());
    states[slot(id)] = KNOWN;
  }

  MemorySegment symbol(long id) {
    return ring.row(0, slot(id));
  }

  /** Returns a known packet, as a view. */
  MemorySegment packet(long id) {
    return shape.packet(symbol(id));
  }

  /**
   * Writes combinations of the symbols of ids {@code from}, {@code from + 1}, …
   *
   * @param vectors m×n coefficients, n ≤ w; those of unknown symbols are zero
   * @param combinations m×E bytes, overwritten
   */
  void combine(ByteMatrices vectors, long from, ByteMatrices combinations) {
    int window = states.length;
    int slot = slot(from);
    int n = vectors.columns();
    if (slot + n <= window) {
      products.multiply(Gf256.DEFAULT, vectors, ring.rows(slot, n), combinations);
      return;
    }
    // One product of the whole ring costs, on average, at most twice that of the n symbols.
    ByteMatrices whole = rotated.matrix(vectors.rows(), window);
    int head = window - slot;
    for (int row = 0; row < vectors.rows(); row++) {
      long at = whole.offset(0, row);
      long given = vectors.offset(0, row);
      MemorySegment.copy(vectors.data(), given, whole.data(), at + slot, head);
      MemorySegment.copy(vectors.data(), given + head, whole.data(), at, n - head);
      whole.data().asSlice(at + n - head, window - n).fill((byte) 0);
    }
    products.multiply(Gf256.DEFAULT, whole, ring, combinations);
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
      rotated.close();
    }
  }
}
