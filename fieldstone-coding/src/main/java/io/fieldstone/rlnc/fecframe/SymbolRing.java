package io.fieldstone.rlnc.fecframe;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The latest source symbols of a stream, and which ADUs they make.
 *
 * <p>Symbols have ids that never wrap. Those from {@link #first} to {@link #end} have a slot. An
 * ADU is complete when it is known where it begins and all its symbols are known. Where each symbol
 * is an ADU, every id begins one; else an ADU begins at the id of a source packet, and after a
 * complete ADU.
 */
final class SymbolRing {

  private static final byte KNOWN = 1;
  private static final byte RECEIVED = 2;
  private static final byte BEGIN = 4;
  private static final byte COMPLETE = 8;

  private final int capacity;
  private final int symbolBytes;
  private final int mostSymbols;
  private final MemorySegment memory;

  /** The symbols of an ADU one after another, where they wrap around the end of the ring. */
  private final MemorySegment unwrapped;

  private final byte[] state;

  /** The number of symbols of the complete ADU that begins in a slot. */
  private final char[] spans;

  private long first;
  private long end;

  /** Whether an ADU is known to begin at {@link #end}. */
  private boolean beginsAtEnd;

  SymbolRing(int capacity, int symbolBytes, int mostSymbols) {
    this.capacity = capacity;
    this.symbolBytes = symbolBytes;
    this.mostSymbols = mostSymbols;
    this.memory = MemorySegment.ofArray(new byte[Math.multiplyExact(capacity, symbolBytes)]);
    this.unwrapped = MemorySegment.ofArray(new byte[Math.multiplyExact(mostSymbols, symbolBytes)]);
    this.state = new byte[capacity];
    this.spans = new char[capacity];
  }

  /** Returns whether each symbol is an ADU. */
  boolean isSingle() {
    return mostSymbols == 1;
  }

  /** Returns the lowest id with a slot. */
  long first() {
    return first;
  }

  /** Returns the id after the highest with a slot; 0 if there was none. */
  long end() {
    return end;
  }

  /** Forgets all symbols; {@code capacity} slots up to an end are unknown. */
  void clear(long newEnd) {
    end = newEnd;
    first = newEnd - capacity;
    beginsAtEnd = false;
    Arrays.fill(state, isSingle() ? BEGIN : 0);
  }

  /** Moves the end up; the oldest symbols leave. */
  void extend(long newEnd) {
    if (newEnd - end >= capacity) {
      clear(newEnd);
      return;
    }
    for (long id = end; id < newEnd; id++) {
      state[slot(id)] = isSingle() || beginsAtEnd ? BEGIN : 0;
      beginsAtEnd = false;
    }
    end = newEnd;
    first = newEnd - capacity;
  }

  private int slot(long id) {
    return (int) (id % capacity);
  }

  private boolean is(long id, byte flag) {
    return contains(id) && (state[slot(id)] & flag) != 0;
  }

  boolean contains(long id) {
    return id >= first && id < end;
  }

  boolean isKnown(long id) {
    return is(id, KNOWN);
  }

  boolean isKnown(long id, int symbols) {
    for (int i = 0; i < symbols; i++) {
      if (!isKnown(id + i)) {
        return false;
      }
    }
    return true;
  }

  boolean isReceived(long id) {
    return is(id, RECEIVED);
  }

  boolean isBegin(long id) {
    return is(id, BEGIN) && isKnown(id);
  }

  boolean isComplete(long id) {
    return is(id, COMPLETE);
  }

  /** Marks a symbol as received in a source packet; false if it was before. */
  boolean receive(long id) {
    boolean added = !isReceived(id);
    state[slot(id)] |= RECEIVED;
    return added;
  }

  /** Returns whether no known symbol differs from those of an ADU that begins at an id. */
  boolean agrees(long id, MemorySegment adui) {
    for (int i = 0; (long) i * symbolBytes < adui.byteSize(); i++) {
      MemorySegment symbol = adui.asSlice((long) i * symbolBytes, symbolBytes);
      if (isKnown(id + i) && symbol.mismatch(symbol(id + i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  void store(long id, MemorySegment symbol) {
    MemorySegment.copy(symbol, 0, memory, (long) slot(id) * symbolBytes, symbolBytes);
    state[slot(id)] |= KNOWN;
  }

  MemorySegment symbol(long id) {
    return memory.asSlice((long) slot(id) * symbolBytes, symbolBytes);
  }

  /** Returns consecutive symbols in one piece, which is valid until the next call. */
  MemorySegment symbols(long id, int symbols) {
    int slot = slot(id);
    if (slot + symbols <= capacity) {
      return memory.asSlice((long) slot * symbolBytes, (long) symbols * symbolBytes);
    }
    for (int i = 0; i < symbols; i++) {
      MemorySegment.copy(symbol(id + i), 0, unwrapped, (long) i * symbolBytes, symbolBytes);
    }
    return unwrapped.asSlice(0, (long) symbols * symbolBytes);
  }

  /** Notes that an ADU begins at an id. */
  void begin(long id) {
    if (contains(id)) {
      state[slot(id)] |= BEGIN;
    } else if (id == end) {
      beginsAtEnd = true;
    }
  }

  /** Returns the nearest id at or before a symbol where an ADU of which it may be part begins. */
  long beginBefore(long id) {
    long at = id;
    while (at > id - mostSymbols + 1 && !is(at, BEGIN)) {
      at--;
    }
    return at;
  }

  /** Notes that an ADU is complete, so that the next one begins after it. */
  void complete(long id, int symbols) {
    state[slot(id)] |= COMPLETE;
    spans[slot(id)] = (char) symbols;
    begin(id + symbols);
  }

  /** Notes that what begins at an id is no ADU. */
  void refuse(long id) {
    state[slot(id)] &= ~BEGIN;
  }

  /** Returns the number of symbols of the complete ADU at an id. */
  int span(long id) {
    return spans[slot(id)];
  }
}
