package io.fieldstone.sort;

import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * The division of a sort into runs that fit a memory limit.
 *
 * <p>If all records fit, there is one run. Otherwise runs are sorted one after another, and then
 * merged one range of keys after another. To find where a range begins in each run, every {@code
 * interval}-th key of a run is kept. A range has at most the records of a run, less two intervals
 * for each run, the uncertainty of its bounds.
 *
 * @param runRecords the records in memory at a time
 * @param runs the number of runs; the last may be shorter
 * @param interval the distance of sampled keys in records
 * @param workingBytes the working memory of the engine in bytes
 */
record SortPlan(long runRecords, int runs, long interval, long workingBytes) {

  /** The slots of the pipeline: one is read, one sorted, and one written. */
  static final int SLOTS = 3;

  /** The inverse of the fraction of memory for sampled keys. */
  private static final int KEYS_PART = 16;

  /** The inverse of the fraction of memory for additional threads, if records need several runs. */
  private static final int THREADS_PART = 4;

  /** The inverse of the maximum fraction of a range that may be read twice, or half of it. */
  private static final int OVERLAP_PART = 8;

  private static final int MAX_OVERLAP_PART = 2;

  private static final long UNIT = 1024;

  /**
   * The records to sort.
   *
   * @param count the number of records
   * @param bytes the bytes of a record
   * @param working the minimum working bytes of the engine for a number of records; monotonic
   */
  record Load(long count, int bytes, LongUnaryOperator working) {

    /**
     * Returns the bytes of {@code records} records in each slot, and the engine's minimum working
     * bytes.
     */
    private long requiredBytes(long records, int slots) {
      return slots * records * bytes + working.applyAsLong(records);
    }

    long inMemory() {
      return requiredBytes(count, 1);
    }

    /** Returns the maximum records of a run in {@code memory} bytes; 0 if none fits. */
    private long maxRunRecords(long memory) {
      long enough = 0;
      long tooMany = count + 1;
      while (tooMany - enough > 1) {
        long middle = (enough + tooMany) >>> 1;
        if (requiredBytes(middle, SLOTS) <= memory) {
          enough = middle;
        } else {
          tooMany = middle;
        }
      }
      return enough;
    }
  }

  /** Returns the plan for a memory limit; empty if it is too low. */
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

  /**
   * Returns a plan with several runs, of which {@code slots} bytes are for records and one thread.
   */
  private static Optional<SortPlan> runs(Load load, long memory, long slots) {
    long count = load.count();
    long run = load.maxRunRecords(slots);
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

  /** Returns the minimum memory limit for which there is a plan, in steps of a kibibyte. */
  static long minMemory(Load load) {
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
