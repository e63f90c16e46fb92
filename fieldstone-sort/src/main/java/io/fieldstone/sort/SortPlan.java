package io.fieldstone.sort;

import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/**
 * The division of a sort into runs that fit a memory limit.
 *
 * <p>If all records fit, there is one run. Otherwise runs are sorted one after another, and then
 * merged by ranges of keys. To find where a range begins in each run, every {@code interval}-th key
 * of a run is kept. A range has at most {@code rangeRecords} records, less two intervals for each
 * run, the uncertainty of its bounds.
 *
 * @param runRecords the records of a run
 * @param runs the number of runs; the last may be shorter
 * @param rangeRecords the records that are read for a range
 * @param ranges the number of ranges in memory at a time
 * @param isParallel true if each range is sorted by one thread, false if one after another is
 *     sorted by all threads
 * @param interval the distance of sampled keys in records
 * @param workingBytes the working memory of the engine in bytes, while runs are sorted
 */
record SortPlan(
    long runRecords,
    int runs,
    long rangeRecords,
    int ranges,
    boolean isParallel,
    long interval,
    long workingBytes)
    implements RunPlan {

  /** The slots while runs are sorted: one is read, one sorted, and one written. */
  static final int SLOTS = 3;

  /** The bytes of a range of one thread: it stays in the cache of a processor. */
  private static final long RANGE_BYTES = 1L << 20;

  /**
   * The minimum number of threads that take a range each. Reading, sorting and writing ranges, one
   * after another each, keep fewer threads busy, and read a run in larger pieces.
   */
  private static final int MIN_PARALLEL_THREADS = 4;

  /** The minimum bytes that are read of a run at a time, if there is enough memory. */
  private static final long READ_BYTES = 1L << 14;

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
   * @param threads the threads of this machine that the engine sorts with; 0 if it sorts elsewhere
   */
  record Load(long count, int bytes, LongUnaryOperator working, int threads) {

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
      return Optional.of(new SortPlan(count, 1, count, 1, false, Math.max(1, count), working));
    }
    long slots = memory - memory / KEYS_PART;
    return runs(load, memory, slots - memory / THREADS_PART)
        .or(() -> runs(load, memory, slots))
        .map(plan -> plan.withWorking(slots - SLOTS * plan.runRecords() * load.bytes()))
        .map(plan -> plan.inParallel(load, memory, slots).orElse(plan));
  }

  /**
   * Returns a plan with several runs, of which {@code slots} bytes are for records and one thread.
   */
  private static Optional<SortPlan> runs(Load load, long memory, long slots) {
    long run = load.maxRunRecords(slots);
    if (run < 1 || Math.ceilDiv(load.count(), run) > Integer.MAX_VALUE) {
      return Optional.empty();
    }
    int runs = (int) Math.ceilDiv(load.count(), run);
    SortPlan plan = new SortPlan(run, runs, run, SLOTS, false, 1, 0);
    return plan.withInterval(Math.max(plan.minInterval(), minInterval(load, memory)));
  }

  private SortPlan withWorking(long bytes) {
    return new SortPlan(runRecords, runs, rangeRecords, ranges, isParallel, interval, bytes);
  }

  /** Returns this plan with an interval; empty if too little of a range would be left. */
  private Optional<SortPlan> withInterval(long records) {
    return 2 * records * runs <= rangeRecords / MAX_OVERLAP_PART
        ? Optional.of(
            new SortPlan(runRecords, runs, rangeRecords, ranges, isParallel, records, workingBytes))
        : Optional.empty();
  }

  /** Returns the interval that a small part of a range is read twice for. */
  private long minInterval() {
    return Math.ceilDiv(rangeRecords, 2L * OVERLAP_PART * runs);
  }

  /** Returns the minimum interval whose keys fit their part of the memory. */
  private static long minInterval(Load load, long memory) {
    return Math.ceilDiv(load.count() * Long.BYTES * KEYS_PART, memory);
  }

  /**
   * Returns this plan with a range for each thread in {@code slots} bytes; empty if there is not
   * enough memory to keep threads busy.
   */
  private Optional<SortPlan> inParallel(Load load, long memory, long slots) {
    long min = minInterval(load, memory);
    long readOfRun = Math.max(Math.ceilDiv(READ_BYTES, load.bytes()), 2 * OVERLAP_PART * min);
    long range = Math.max(Math.ceilDiv(RANGE_BYTES, load.bytes()), readOfRun * runs);
    long working = load.working().applyAsLong(range);
    long possible = slots / (range * load.bytes() + working);
    if (load.threads() < MIN_PARALLEL_THREADS || possible < SLOTS) {
      return Optional.empty();
    }
    int together = (int) Math.min(possible, load.threads());
    SortPlan plan = new SortPlan(runRecords, runs, range, together, true, interval, workingBytes);
    return plan.withInterval(Math.max(plan.minInterval(), min));
  }

  /**
   * Returns the working memory of the engine while ranges are merged: all that is left, so that no
   * buffer is freed between two ranges.
   */
  long mergingBytes(int recordBytes) {
    return workingBytes + (SLOTS * runRecords - ranges * rangeRecords) * recordBytes;
  }

  /** Returns the minimum memory limit for which there is a plan, in steps of a kibibyte. */
  static long minMemory(Load load) {
    return minMemory(load.inMemory(), memory -> of(load, memory).isPresent());
  }

  /**
   * Returns the minimum memory limit that is sufficient, in steps of a kibibyte.
   *
   * @param enough a limit that is sufficient, as all greater ones are
   */
  static long minMemory(long enough, LongPredicate isEnough) {
    long tooLittle = 0;
    long units = Math.ceilDiv(enough, UNIT);
    while (units - tooLittle > 1) {
      long middle = (tooLittle + units) >>> 1;
      if (isEnough.test(middle * UNIT)) {
        units = middle;
      } else {
        tooLittle = middle;
      }
    }
    return units * UNIT;
  }
}
