package io.fieldstone.sort;

import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * How many records are sorted at a time, in a limit of memory.
 *
 * <p>If all fit, there is one run. Otherwise runs are sorted one after another, and merged a range
 * of keys after another. To know where a range begins in each run, every {@code interval}-th key of
 * it is remembered; a range is as many records as a run, less what is read of each run for its
 * sake, two intervals at most.
 *
 * @param runRecords in memory at a time
 * @param runs of so many, the last possibly shorter
 * @param interval from one key that is remembered to the next
 * @param workingBytes that the engine may take to sort
 */
record SortPlan(long runRecords, int runs, long interval, long workingBytes) {

  /** What is read, what is sorted, and what is written. */
  static final int SLOTS = 3;

  /** Of the memory, one part of so many is for keys that are remembered. */
  private static final int KEYS_PART = 16;

  /** Of the memory, one part of so many is left to more threads if records need several runs. */
  private static final int THREADS_PART = 4;

  /** Of a range, one part of so many may be records that are read for another, or two of them. */
  private static final int OVERLAP_PART = 8;

  private static final int MAX_OVERLAP_PART = 2;

  private static final long UNIT = 1024;

  /**
   * What there is to sort.
   *
   * @param count of records
   * @param bytes of a record
   * @param working bytes that the engine takes at least to sort a number of records; more for more
   */
  record Load(long count, int bytes, LongUnaryOperator working) {

    /** Bytes of so many records in some slots, and of what the engine takes at least. */
    private long taken(long records, int slots) {
      return slots * records * bytes + working.applyAsLong(records);
    }

    long inMemory() {
      return taken(count, 1);
    }

    /** The most records of a run in so many bytes; 0 if there is no room for one. */
    private long mostOfRun(long memory) {
      long enough = 0;
      long tooMany = count + 1;
      while (tooMany - enough > 1) {
        long middle = (enough + tooMany) >>> 1;
        if (taken(middle, SLOTS) <= memory) {
          enough = middle;
        } else {
          tooMany = middle;
        }
      }
      return enough;
    }
  }

  /** The plan for a limit, or none if it is too little. */
  static Optional<SortPlan> of(Load load, long memory) {
    long count = load.count();
    if (load.inMemory() <= memory) {
      long working = memory - count * load.bytes();
      return Optional.of(new SortPlan(count, 1, Math.max(1, count), working));
    }
    long slots = memory - memory / KEYS_PART;
    return runs(load, memory, slots - memory / THREADS_PART)
        .or(() -> runs(load, memory, slots))
        .map(plan -> plan.withWorking(slots - SLOTS * plan.runRecords() * load.bytes()));
  }

  /** Runs of which as many bytes as {@code slots} are for records and one thread. */
  private static Optional<SortPlan> runs(Load load, long memory, long slots) {
    long count = load.count();
    long run = load.mostOfRun(slots);
    if (run < 1 || Math.ceilDiv(count, run) > Integer.MAX_VALUE) {
      return Optional.empty();
    }
    int runs = (int) Math.ceilDiv(count, run);
    long interval =
        Math.max(
            Math.ceilDiv(run, 2L * OVERLAP_PART * runs),
            Math.ceilDiv(count * Long.BYTES * KEYS_PART, memory));
    return 2 * interval * runs <= run / MAX_OVERLAP_PART
        ? Optional.of(new SortPlan(run, runs, interval, 0))
        : Optional.empty();
  }

  private SortPlan withWorking(long bytes) {
    return new SortPlan(runRecords, runs, interval, bytes);
  }

  /** The least limit that there is a plan for, to a kibibyte. */
  static long leastMemory(Load load) {
    long tooLittle = 0;
    long enough = Math.ceilDiv(load.inMemory(), UNIT);
    while (enough - tooLittle > 1) {
      long middle = (tooLittle + enough) >>> 1;
      if (of(load, middle * UNIT).isPresent()) {
        enough = middle;
      } else {
        tooLittle = middle;
      }
    }
    return enough * UNIT;
  }
}
