package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.driver.Stream;
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
final class Dealing {

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
   * @param mostParts in which items arrive, at most {@link SortKernels#MOST_PARTS}
   */
  Dealing(SortKernels kernels, Workspace workspace, int mostParts) {
    this.kernels = kernels;
    this.mostParts = mostParts;
    this.counts = workspace.device(mostParts * countBytes());
    this.bases = workspace.device(mostParts * 2 * countBytes());
    this.firsts = workspace.device(firstsBytes());
    this.totals = workspace.device(countBytes());
    this.segments = workspace.device(SortSegments.TABLE_BYTES);
    this.bucketPlan = workspace.device(SortKernels.PLAN_BYTES);
    this.pinned = workspace.pinned(firstsBytes() + countBytes());
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
  Dealt begin(Lane home, SortItems all) {
    return new Dealt(home, all);
  }

  /** What has arrived. For one thread at a time. */
  final class Dealt implements TakeJob.Arrivals {
    private final Lane home;
    private final SortItems all;

    /** Of each part that has arrived the first item, and the one after the last. */
    private final List<Long> begins = new ArrayList<>(List.of(0L));

    private int moved;
    private int digit;
    private long plan;
    private long states;

    private Dealt(Lane home, SortItems all) {
      this.home = home;
      this.all = all;
    }

    @Override
    public void reserve(Workspace workspace, long most) {
      plan = workspace.device(SortKernels.PLAN_BYTES);
      states = workspace.device(kernels.stateBytes(most));
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
    public void arrived(Lane lane, long items, long count) {
      int part = parts();
      begins.add(begins.getLast() + count);
      lane.stream().fill(counts(part), 0, countBytes());
      kernels.histogram(lane, items, counts(part), count);
      if (part == 0) {
        lane.stream().download(counts(part), pinnedCounts());
      }
    }

    @Override
    public void proceed(Lane lane) {
      if (moved == 0) {
        lane.await();
        long[] first = pinnedCounts().toArray(JAVA_LONG);
        int digits = kernels.layout().digits();
        digit = Partition.firstThatTells(first, digits, count(0)).orElse(digits - 1);
      }
      int part = moved++;
      long count = count(part);
      SortItems items = all.from(begins.get(part) * kernels.layout().itemBytes());
      try (LanePhases.Open _ = lane.phase("partition", count * kernels.layout().itemBytes())) {
        kernels.plan(lane, counts(part), bases(part), lane.device(plan), count);
        kernels.pass(lane, items, 0, bases(part), lane.device(states), count, digit);
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
      if (Partition.firstThatTells(total, digits, whole.count()).orElse(digit) != digit) {
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
      public void reserve(Workspace workspace, List<Bucket> buckets) {
        items = workspace.device(Bucket.most(buckets) * kernels.layout().itemBytes());
        long most = 0;
        for (Bucket bucket : buckets) {
          most = Math.max(most, segmentsOf(bucket, 0).roomBytes());
        }
        room = workspace.device(most);
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
      public SortItems items(Lane lane, Bucket bucket) {
        long place = all.here() + bucket.first() * kernels.layout().itemBytes();
        return new SortItems(lane.device(items), place);
      }

      @Override
      public void sort(Lane lane, Bucket bucket) {
        SortSegments own = segmentsOf(bucket, lane.device(room));
        long bytes = bucket.count() * kernels.layout().itemBytes();
        try (LanePhases.Open _ = lane.phase("collect", bytes)) {
          if (own.roomBytes() > 0) {
            lane.stream().fill(own.room(), 0, own.roomBytes());
          }
          kernels.collect(lane, allParts(), own, lane.device(items));
        }
        SortItems collected = items(lane, bucket);
        try (LanePhases.Open _ = lane.phase("sort", bytes)) {
          for (int lower = 0; lower < digit; lower++) {
            kernels.pass(lane, lower % 2 == 0 ? collected : collected.moved(), own, lower);
          }
        }
      }

      @Override
      public long plan(Lane lane) {
        return home.device(bucketPlan);
      }
    }
  }
}
