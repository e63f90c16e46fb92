package io.fieldstone.cuda.sorting;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.driver.Stream;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import java.lang.foreign.MemorySegment;

/**
 * What sorting takes in a lane besides the items: counts, bases, a plan, the states of tiles. One
 * for all the lanes of a job.
 */
final class SortTempStorage {

  private final SortKernels kernels;
  private final long counts;
  private final long bases;
  private final long plan;
  private final long states;
  private final long pinned;

  /**
   * Reserves it.
   *
   * @param most items that it is for
   * @param isRead whether the host reads counts
   */
  SortTempStorage(SortKernels kernels, ScratchLayout scratch, long most, boolean isRead) {
    this.kernels = kernels;
    this.counts = scratch.device(SortKernels.countBytes());
    this.bases = scratch.device(SortKernels.baseBytes());
    this.plan = scratch.device(SortKernels.PLAN_BYTES);
    this.states = scratch.device(kernels.stateBytes(most));
    this.pinned = isRead ? scratch.pinned(SortKernels.countBytes()) : 0;
  }

  SortKernels kernels() {
    return kernels;
  }

  /** Address of the plan. */
  long plan(StreamSlot slot) {
    return slot.device(plan);
  }

  /** Address of the counts. */
  long counts(StreamSlot slot) {
    return slot.device(counts);
  }

  /** Sets the counts to zero. */
  void clear(StreamSlot slot) {
    slot.stream().fill(counts(slot), 0, SortKernels.countBytes());
  }

  /** Sets the counts to those that the host knows. */
  void set(StreamSlot slot, long[] known) {
    MemorySegment here = slot.pinned(pinned, (long) known.length * Long.BYTES);
    MemorySegment.copy(known, 0, here, JAVA_LONG, 0, known.length);
    slot.stream().upload(here, counts(slot));
  }

  /** Counts the digits of items, and no others. */
  void count(StreamSlot slot, long items, long count) {
    clear(slot);
    kernels.count(slot, items, counts(slot), count);
  }

  /** Sorts items of which the digits have been counted; the plan says where they are then. */
  void sortCounted(StreamSlot slot, DoubleBuffer items, long count) {
    makePlan(slot, count);
    for (int digit = 0; digit < kernels.layout().digits(); digit++) {
      kernels.pass(slot, items, plan(slot), slot.device(bases), slot.device(states), count, digit);
    }
  }

  /** Sorts items; the plan says where they are then. */
  void sort(StreamSlot slot, DoubleBuffer items, long count) {
    try (StreamTrace.Open _ = slot.phase("sort", count * kernels.layout().itemBytes())) {
      count(slot, items.here(), count);
      sortCounted(slot, items, count);
    }
  }

  /** Moves items by one digit, of which the plan has been made. */
  void pass(StreamSlot slot, DoubleBuffer items, long count, int digit) {
    try (StreamTrace.Open _ = slot.phase("partition", count * kernels.layout().itemBytes())) {
      kernels.pass(slot, items, 0, slot.device(bases), slot.device(states), count, digit);
    }
  }

  /** Makes the plan, and with it the bases, of what has been counted. */
  void makePlan(StreamSlot slot, long count) {
    kernels.plan(slot, counts(slot), slot.device(bases), plan(slot), count);
  }

  /** Waits, and reads the counts: those of digit i from {@code 256·i} on. */
  long[] read(StreamSlot slot) {
    MemorySegment here = slot.pinned(pinned, SortKernels.countBytes());
    Stream stream = slot.stream();
    stream.download(counts(slot), here);
    stream.synchronize();
    return here.toArray(JAVA_LONG);
  }
}
