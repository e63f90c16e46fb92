package io.fieldstone.rlnc.object;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The senders of a receiver, in the order of their slots. A sender has a slot, which is used again
 * after it has left, and a number, which is not. So blocks of a sender that left are never taken
 * for those of another.
 */
final class Senders implements Iterable<SenderState> {

  private static final int SLOT_BITS = 10;
  private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

  private @Nullable SenderState[] bySlot = new SenderState[8];
  private int slots;
  private int count;
  private int incarnations;

  SenderState add(long seed, SenderKind kind, int alias) {
    int slot = 0;
    while (slot < slots && bySlot[slot] != null) {
      slot++;
    }
    if (slot == ObjectReceiver.MAX_SENDERS || incarnations > Integer.MAX_VALUE >>> SLOT_BITS) {
      throw new IllegalStateException("there are %d senders".formatted(count));
    }
    if (slot == bySlot.length) {
      bySlot = Arrays.copyOf(bySlot, 2 * slot);
    }
    slots = Math.max(slots, slot + 1);
    SenderState added =
        new SenderState(incarnations++ << SLOT_BITS | slot, slot, seed, kind, alias);
    bySlot[slot] = added;
    count++;
    return added;
  }

  void remove(SenderState removed) {
    bySlot[removed.slot()] = null;
    count--;
  }

  @Nullable SenderState get(int number) {
    int slot = number & SLOT_MASK;
    SenderState sender = number >= 0 && slot < slots ? bySlot[slot] : null;
    return sender != null && sender.number() == number ? sender : null;
  }

  /** Returns the sender in a slot, or null. */
  @Nullable SenderState at(int slot) {
    return bySlot[slot];
  }

  /** Returns the number of slots, used or not. */
  int slots() {
    return slots;
  }

  int count() {
    return count;
  }

  /**
   * Returns the only sender that has a generation, or null. Such a sender is asked for any number
   * of them while on probation, because there is nobody to mix it with. An immediate relay is not:
   * it has little to send at first.
   */
  @Nullable SenderState only(int generation) {
    SenderState only = null;
    for (SenderState sender : this) {
      if (sender.has(generation)) {
        if (only != null) {
          return null;
        }
        only = sender;
      }
    }
    return only == null || only.isImmediate() ? null : only;
  }

  @Override
  public Iterator<SenderState> iterator() {
    return new InSlots();
  }

  /** Goes through the slots that are used. */
  private final class InSlots implements Iterator<SenderState> {
    private int slot;

    @Override
    public boolean hasNext() {
      while (slot < slots && bySlot[slot] == null) {
        slot++;
      }
      return slot < slots;
    }

    @Override
    public SenderState next() {
      SenderState next = hasNext() ? bySlot[slot++] : null;
      if (next == null) {
        throw new NoSuchElementException();
      }
      return next;
    }
  }

  /** Returns the next generation of a set, from one on, that a sender has; −1 if there is none. */
  int nextAvailable(BitSet wanted, int from) {
    int generation = wanted.nextSetBit(from);
    while (generation >= 0) {
      int next = nextAvailable(generation);
      if (next == generation || next < 0) {
        return next;
      }
      generation = wanted.nextSetBit(next);
    }
    return -1;
  }

  private int nextAvailable(int generation) {
    int nearest = -1;
    for (SenderState sender : this) {
      int next = sender.nextAvailable(generation);
      if (next >= 0 && (nearest < 0 || next < nearest)) {
        nearest = next;
      }
    }
    return nearest;
  }

  void clear() {
    slots = 0;
    count = 0;
  }
}
