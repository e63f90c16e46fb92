package io.fieldstone.cpu;

import java.lang.foreign.MemorySegment;

/** Buffers from which items go to where each digit's items belong, whole lines at a time. */
final class CombiningBuffers extends DigitBuffers {

  /** Where the content of each buffer goes. */
  private final long[] targets;

  /**
   * Empty buffers.
   *
   * @param buffers where they are, on a multiple of their size
   * @param targets where the items of each digit go, one after another; changed
   */
  CombiningBuffers(long buffers, long[] targets) {
    super(buffers, targets.length);
    this.targets = targets;
    for (int digit = 0; digit < targets.length; digit++) {
      // So that what is emptied ends where a line does.
      heads()[digit] += targets[digit] & OFFSET_MASK;
    }
  }

  @Override
  long empty(int digit, long head) {
    copy(digit, head);
    return buffer(digit);
  }

  /** Writes what is left. Nothing comes after it. */
  void finish() {
    for (int digit = 0; digit < targets.length; digit++) {
      copy(digit, heads()[digit]);
    }
  }

  private void copy(int digit, long head) {
    long from = buffer(digit) + (targets[digit] & OFFSET_MASK);
    MemorySegment.copy(Rows.MEMORY, from, Rows.MEMORY, targets[digit], head - from);
    targets[digit] += head - from;
  }
}
