package io.fieldstone.sort;

import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * The division of a sort by ranks ({@link RankSort}) into runs that fit a memory limit. A run is
 * held with its pairs and a buffer for writing. For the merge, each run and the result have an
 * equal part of the memory.
 *
 * @param runRecords the records of a run
 * @param runs the number of runs; the last may be shorter
 * @param workingBytes the working memory of the engine, while runs are sorted
 * @param bufferBytes the bytes of the buffer of each run, and of the result, during the merge
 */
record RankPlan(long runRecords, int runs, long workingBytes, long bufferBytes) implements RunPlan {

  /** The bytes of the buffer for sorted records, or one record if that is more. */
  static final long WRITTEN_BYTES = 1L << 20;

  /** The minimum bytes that are read of a run at a time. */
  private static final long MIN_READ_BYTES = 1L << 12;

  /** The minimum bytes of a buffer if several ranges are merged at the same time. */
  private static final long MIN_RANGE_BYTES = 1L << 14;

  /** The maximum bytes of a buffer during the merge; larger ones are not faster. */
  private static final long MAX_READ_BYTES = 1L << 23;

  /**
   * The records to sort.
   *
   * @param count the number of records
   * @param bytes the bytes of a record
   * @param working the minimum working bytes of the engine for a number of pairs; monotonic
   */
  record Load(long count, int bytes, LongUnaryOperator working) {

    private long requiredBytes(long records) {
      return records * (bytes + RankSort.PAIR_BYTES)
          + working.applyAsLong(records)
          + writtenBytes(bytes);
    }
  }

  /** Returns the bytes of the buffer for sorted records: a whole number of records. */
  static long writtenBytes(int recordBytes) {
    return Math.max(1, WRITTEN_BYTES / recordBytes) * recordBytes;
  }

  /** Returns the plan for a memory limit; empty if it is too low. */
  static Optional<RankPlan> of(Load load, long memory) {
    long enough = 0;
    long tooMany = Math.max(1, load.count()) + 1;
    while (tooMany - enough > 1) {
      long middle = (enough + tooMany) >>> 1;
      if (load.requiredBytes(middle) <= memory) {
        enough = middle;
      } else {
        tooMany = middle;
      }
    }
    if (enough == 0 || Math.ceilDiv(load.count(), enough) >= Integer.MAX_VALUE) {
      return Optional.empty();
    }
    int runs = (int) Math.max(1, Math.ceilDiv(load.count(), enough));
    long working = memory - load.requiredBytes(enough) + load.working().applyAsLong(enough);
    // The engine keeps its memory between calls.
    long buffer = mergeBufferBytes(memory - working, runs, load.bytes());
    if (runs > 1 && buffer == 0) {
      return Optional.empty();
    }
    return Optional.of(new RankPlan(enough, runs, working, buffer));
  }

  /**
   * Returns the number of ranges of keys that are merged at the same time, ≥ 1. Each has an equal
   * part of all buffers.
   *
   * @param bufferBytes the bytes of a buffer, of which each range has a part
   */
  static int mergeRanges(long bufferBytes, int recordBytes, int threads) {
    long most = bufferBytes / Math.max(MIN_RANGE_BYTES, recordBytes);
    return Math.clamp(most, 1, threads);
  }

  /**
   * Returns the bytes of a buffer for merging existing runs; 0 if the memory is too little.
   *
   * @param memory the bytes of the buffers of all runs, and of the result
   */
  static long mergeBufferBytes(long memory, int runs, int recordBytes) {
    long buffer = Math.min(MAX_READ_BYTES, memory / (runs + 1L)) / recordBytes * recordBytes;
    return buffer < minBufferBytes(recordBytes) ? 0 : buffer;
  }

  /** Returns the minimum memory for merging existing runs. */
  static long minMergeBytes(int runs, int recordBytes) {
    return (runs + 1L) * minBufferBytes(recordBytes);
  }

  private static long minBufferBytes(int recordBytes) {
    return Math.max(MIN_READ_BYTES / recordBytes, 1) * recordBytes;
  }

  /** Returns the minimum memory limit for which there is a plan, in steps of a kibibyte. */
  static long minMemory(Load load) {
    long inMemory = load.requiredBytes(Math.max(1, load.count()));
    return SortPlan.minMemory(inMemory, memory -> of(load, memory).isPresent());
  }
}
