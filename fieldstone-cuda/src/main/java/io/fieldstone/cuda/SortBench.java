package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.driver.Stream;
import java.lang.foreign.MemorySegment;

/**
 * What sorting takes in a lane besides the items: counts, bases, a plan, the states of tiles. One
 * for all the lanes of a job.
 */
final class SortBench {

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
  SortBench(SortKernels kernels, Workspace workspace, long most, boolean isRead) {
    this.kernels = kernels;
    this.counts = workspace.device(SortKernels.countBytes());
    this.bases = workspace.device(SortKernels.baseBytes());
    this.plan = workspace.device(SortKernels.PLAN_BYTES);
    this.states = workspace.device(kernels.stateBytes(most));
    this.pinned = isRead ? workspace.pinned(SortKernels.countBytes()) : 0;
  }

  SortKernels kernels() {
    return kernels;
  }

  /** Address of the plan. */
  long plan(Lane lane) {
    return lane.device(plan);
  }

  /** Address of the counts. */
  long counts(Lane lane) {
    return lane.device(counts);
  }

  /** Sets the counts to zero. */
  void clear(Lane lane) {
    lane.stream().fill(counts(lane), 0, SortKernels.countBytes());
  }

  /** Sets the counts to those that the host knows. */
  void set(Lane lane, long[] known) {
    MemorySegment here = lane.pinned(pinned, (long) known.length * Long.BYTES);
    MemorySegment.copy(known, 0, here, JAVA_LONG, 0, known.length);
    lane.stream().upload(here, counts(lane));
  }

  /** Counts the digits of items, and no others. */
  void count(Lane lane, long items, long count) {
    clear(lane);
    kernels.count(lane, items, counts(lane), count);
  }

  /** Sorts items of which the digits have been counted; the plan says where they are then. */
  void sortCounted(Lane lane, SortItems items, long count) {
    makePlan(lane, count);
    for (int digit = 0; digit < kernels.layout().digits(); digit++) {
      kernels.pass(lane, items, plan(lane), lane.device(bases), lane.device(states), count, digit);
    }
  }

  /** Sorts items; the plan says where they are then. */
  void sort(Lane lane, SortItems items, long count) {
    try (LanePhases.Open _ = lane.phase("sort", count * kernels.layout().itemBytes())) {
      count(lane, items.here(), count);
      sortCounted(lane, items, count);
    }
  }

  /** Moves items by one digit, of which the plan has been made. */
  void pass(Lane lane, SortItems items, long count, int digit) {
    try (LanePhases.Open _ = lane.phase("partition", count * kernels.layout().itemBytes())) {
      kernels.pass(lane, items, 0, lane.device(bases), lane.device(states), count, digit);
    }
  }

  /** Makes the plan, and with it the bases, of what has been counted. */
  void makePlan(Lane lane, long count) {
    kernels.plan(lane, counts(lane), lane.device(bases), plan(lane), count);
  }

  /** Waits, and reads the counts: those of digit i from {@code 256·i} on. */
  long[] read(Lane lane) {
    MemorySegment here = lane.pinned(pinned, SortKernels.countBytes());
    Stream stream = lane.stream();
    stream.download(counts(lane), here);
    stream.synchronize();
    return here.toArray(JAVA_LONG);
  }
}
