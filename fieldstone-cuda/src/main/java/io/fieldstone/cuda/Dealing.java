package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.driver.Stream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Moves items by a digit as they arrive, part by part, so that nothing is left to be done with all
 * of them when the last ones are there. A bucket is collected from all parts then, by the lane that
 * sorts it.
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
  private final long pinned;

  /**
   * Reserves what it takes in the lane that has all items.
   *
   * @param mostParts in which items arrive
   */
  Dealing(SortKernels kernels, Workspace workspace, int mostParts) {
    this.kernels = kernels;
    this.mostParts = mostParts;
    this.counts = workspace.device(mostParts * countBytes());
    this.bases = workspace.device(mostParts * 2 * countBytes());
    this.firsts = workspace.device(firstsBytes());
    this.pinned = workspace.pinned(firstsBytes() + mostParts * countBytes());
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

    private MemorySegment pinnedCounts(int parts) {
      return home.pinned(pinned + firstsBytes(), parts * countBytes());
    }

    @Override
    public void arrived(Lane lane, long items, long count) {
      int part = parts();
      begins.add(begins.getLast() + count);
      lane.stream().fill(counts(part), 0, countBytes());
      kernels.histogram(lane, items, counts(part), count);
      if (part == 0) {
        lane.stream().download(counts(part), pinnedCounts(1));
      }
    }

    @Override
    public void proceed(Lane lane) {
      if (moved == 0) {
        lane.await();
        long[] first = pinnedCounts(1).toArray(JAVA_LONG);
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

    /** Waits for the counts of all parts, and adds them up. */
    long[] total() {
      long[] begin = begins.stream().mapToLong(Long::longValue).toArray();
      MemorySegment from = home.pinned(pinned, begin.length * (long) Long.BYTES);
      MemorySegment.copy(begin, 0, from, JAVA_LONG, 0, begin.length);
      Stream stream = home.stream();
      stream.upload(from, home.device(firsts));
      stream.download(counts(0), pinnedCounts(parts()));
      stream.synchronize();
      long[] counted = pinnedCounts(parts()).toArray(JAVA_LONG);
      long[] total = new long[(int) (countBytes() / Long.BYTES)];
      for (int part = 0; part < counted.length; part += total.length) {
        for (int i = 0; i < total.length; i++) {
          total[i] += counted[part + i];
        }
      }
      return total;
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

    /** Collects buckets in the lanes. */
    BucketItems items() {
      return new Collected();
    }

    private final class Collected implements BucketItems {
      private long room;

      @Override
      public void reserve(Workspace workspace, long most) {
        room = workspace.device(most * kernels.layout().itemBytes());
      }

      /** The room is where they belong: where they arrived, nothing is needed any more. */
      @Override
      public SortItems items(Lane lane, Bucket bucket) {
        long place = all.here() + bucket.first() * kernels.layout().itemBytes();
        return new SortItems(lane.device(room), place);
      }

      @Override
      public void bring(Lane lane, Bucket bucket) {
        long bytes = bucket.count() * kernels.layout().itemBytes();
        try (LanePhases.Open _ = lane.phase("collect", bytes)) {
          kernels.collect(
              lane,
              all.other(),
              lane.device(room),
              SortKernels.basesOf(bases(0), digit),
              2 * countBytes() / Long.BYTES,
              home.device(firsts),
              parts(),
              bucket);
        }
      }
    }
  }
}
