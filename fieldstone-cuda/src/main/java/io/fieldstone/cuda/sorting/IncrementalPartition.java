package io.fieldstone.cuda.sorting;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.driver.Stream;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Moves items by a digit as they arrive, part by part, so that nothing is left to be done with all
 * of them when the last ones are there. A bucket is collected from all parts then, value by value
 * of the digit, by the lane that sorts it; what is left to sort each value's items by are the lower
 * digits.
 *
 * <p>The digit is the highest that tells in the first part. Should that turn out to be too low, or
 * one of its values be too frequent, the items are still where they arrived.
 */
final class IncrementalPartition {

  private final SortKernels kernels;
  private final int mostParts;
  private final long counts;
  private final long bases;
  private final long firsts;
  private final long totals;
  private final long segments;
  private final long bucketPlan;
  private final long pinned;

  /**
   * Reserves what it takes in the lane that has all items.
   *
   * @param mostParts in which items arrive, at most {@link SortKernels#MAX_PARTS}
   */
  IncrementalPartition(SortKernels kernels, ScratchLayout scratch, int mostParts) {
    this.kernels = kernels;
    this.mostParts = mostParts;
    this.counts = scratch.device(mostParts * countBytes());
    this.bases = scratch.device(mostParts * 2 * countBytes());
    this.firsts = scratch.device(firstsBytes());
    this.totals = scratch.device(countBytes());
    this.segments = scratch.device(SortSegments.TABLE_BYTES);
    this.bucketPlan = scratch.device(SortKernels.PLAN_BYTES);
    this.pinned = scratch.pinned(firstsBytes() + countBytes());
  }

  /** Of a part. */
  private long countBytes() {
    return (long) kernels.layout().digits() * SortKernels.VALUES * Long.BYTES;
  }

  private long firstsBytes() {
    return (mostParts + 1L) * Long.BYTES;
  }

  /**
   * Begins to deal.
   *
   * @param home the lane for which this was reserved
   * @param all where items arrive, one after the other, and as much room
   */
  State begin(StreamSlot home, DoubleBuffer all) {
    return new State(home, all);
  }

  /** What has arrived. For one thread at a time. */
  final class State implements RecordUpload.UploadListener {
    private final StreamSlot home;
    private final DoubleBuffer all;

    /** Of each part that has arrived the first item, and the one after the last. */
    private final List<Long> begins = new ArrayList<>(List.of(0L));

    private int moved;
    private int digit;
    private long plan;
    private long states;

    private State(StreamSlot home, DoubleBuffer all) {
      this.home = home;
      this.all = all;
    }

    @Override
    public void reserve(ScratchLayout scratch, long most) {
      plan = scratch.device(SortKernels.PLAN_BYTES);
      states = scratch.device(kernels.stateBytes(most));
    }

    private int parts() {
      return begins.size() - 1;
    }

    private long count(int part) {
      return begins.get(part + 1) - begins.get(part);
    }

    private long counts(int part) {
      return home.device(counts) + part * countBytes();
    }

    private long bases(int part) {
      return home.device(bases) + part * 2 * countBytes();
    }

    private MemorySegment pinnedCounts() {
      return home.pinned(pinned + firstsBytes(), countBytes());
    }

    private SortKernels.Parts allParts() {
      return new SortKernels.Parts(all.other(), counts(0), bases(0), home.device(firsts), parts());
    }

    @Override
    public void arrived(StreamSlot slot, long items, long count) {
      int part = parts();
      begins.add(begins.getLast() + count);
      slot.stream().fill(counts(part), 0, countBytes());
      kernels.histogram(slot, items, counts(part), count);
      if (part == 0) {
        slot.stream().download(counts(part), pinnedCounts());
      }
    }

    @Override
    public void enqueueDependent(StreamSlot slot) {
      if (moved == 0) {
        slot.await();
        long[] first = pinnedCounts().toArray(JAVA_LONG);
        int digits = kernels.layout().digits();
        digit = Partition.highestVaryingDigit(first, digits, count(0)).orElse(digits - 1);
      }
      int part = moved++;
      long count = count(part);
      DoubleBuffer items = all.from(begins.get(part) * kernels.layout().itemBytes());
      try (StreamTrace.Open _ = slot.phase("partition", count * kernels.layout().itemBytes())) {
        kernels.plan(slot, counts(part), bases(part), slot.device(plan), count);
        kernels.pass(slot, items, 0, bases(part), slot.device(states), count, digit);
      }
    }

    /** Has the counts of all parts added up, and waits for the sums. */
    long[] total() {
      long[] begin = begins.stream().mapToLong(Long::longValue).toArray();
      MemorySegment from = home.pinned(pinned, begin.length * (long) Long.BYTES);
      MemorySegment.copy(begin, 0, from, JAVA_LONG, 0, begin.length);
      Stream stream = home.stream();
      stream.upload(from, home.device(firsts));
      long sums = home.device(totals);
      long table = home.device(segments);
      kernels.segments(home, allParts(), sums, table, home.device(bucketPlan), digit);
      stream.download(sums, pinnedCounts());
      stream.synchronize();
      return pinnedCounts().toArray(JAVA_LONG);
    }

    /**
     * The buckets that can be collected.
     *
     * @param total of {@link #total}
     * @param most items of a bucket
     * @return or nothing, if they cannot
     */
    Optional<List<Bucket>> buckets(long[] total, BucketSizes sizes, long most) {
      Bucket whole = Bucket.of(begins.getLast());
      int digits = kernels.layout().digits();
      if (Partition.highestVaryingDigit(total, digits, whole.count()).orElse(digit) != digit) {
        return Optional.empty();
      }
      List<Bucket> buckets = sizes.balance(total, digit, whole);
      boolean areSmall = buckets.stream().allMatch(bucket -> bucket.count() <= most);
      return areSmall ? Optional.of(buckets) : Optional.empty();
    }

    /**
     * Collects buckets in the lanes.
     *
     * @param total of {@link #total}
     */
    BucketItems items(long[] total) {
      return new Collected(total);
    }

    private final class Collected implements BucketItems {
      private final long[] total;
      private long items;
      private long room;

      Collected(long[] total) {
        this.total = total;
      }

      @Override
      public void reserve(ScratchLayout scratch, List<Bucket> buckets) {
        items = scratch.device(Bucket.most(buckets) * kernels.layout().itemBytes());
        long most = 0;
        for (Bucket bucket : buckets) {
          most = Math.max(most, segmentsOf(bucket, 0).roomBytes());
        }
        room = scratch.device(most);
      }

      private SortSegments segmentsOf(Bucket bucket, long room) {
        Bucket.Values values = bucket.values();
        int ofDigit = digit * SortKernels.VALUES;
        int tile = kernels.layout().tile();
        int tiles =
            SortSegments.tiles(total, ofDigit + values.first(), ofDigit + values.end(), tile);
        return SortSegments.of(home.device(segments), values, tiles, digit, room);
      }

      /** The room is where they belong: where they arrived, nothing is needed any more. */
      @Override
      public DoubleBuffer items(StreamSlot slot, Bucket bucket) {
        long place = all.here() + bucket.first() * kernels.layout().itemBytes();
        return new DoubleBuffer(slot.device(items), place);
      }

      @Override
      public void sort(StreamSlot slot, Bucket bucket) {
        SortSegments own = segmentsOf(bucket, slot.device(room));
        long bytes = bucket.count() * kernels.layout().itemBytes();
        try (StreamTrace.Open _ = slot.phase("collect", bytes)) {
          if (own.roomBytes() > 0) {
            slot.stream().fill(own.room(), 0, own.roomBytes());
          }
          kernels.collect(slot, allParts(), own, slot.device(items));
        }
        DoubleBuffer collected = items(slot, bucket);
        try (StreamTrace.Open _ = slot.phase("sort", bytes)) {
          for (int lower = 0; lower < digit; lower++) {
            kernels.pass(slot, lower % 2 == 0 ? collected : collected.moved(), own, lower);
          }
        }
      }

      @Override
      public long plan(StreamSlot slot) {
        return home.device(bucketPlan);
      }
    }
  }
}
