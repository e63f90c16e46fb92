package io.fieldstone.rlnc.object;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The senders of a receiver. A sender has a slot, which is used again after it has left, and a
 * number, which is not. So blocks of a sender that left are never taken for those of another.
 */
final class Senders {

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
    bySlot[removed.slot] = null;
    count--;
  }

  @Nullable SenderState get(int number) {
    int slot = number & SLOT_MASK;
    SenderState sender = number >= 0 && slot < slots ? bySlot[slot] : null;
    return sender != null && sender.number == number ? sender : null;
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
    for (int slot = 0; slot < slots; slot++) {
      SenderState sender = bySlot[slot];
      if (sender == null) {
        continue;
      }
      BitSet available = sender.available;
      int next = available == null ? generation : available.nextSetBit(generation);
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
