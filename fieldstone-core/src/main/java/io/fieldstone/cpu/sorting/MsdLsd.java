package io.fieldstone.cpu.sorting;

import io.fieldstone.cpu.execution.ScratchPool.Scratch;
import io.fieldstone.cpu.sorting.SortMemory.Workbench;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Deals items out by their most significant digit into buckets that fit into cache, and sorts each
 * there from its least significant digit on: the combination of the communication paper (Sec.
 * III-B), with cores in the place of a GPU. Items are written to memory twice, however many digits
 * their keys have.
 *
 * <p>As in the paper, a bucket that is too large is dealt out again. If it is a good part of all,
 * as when keys are nearly all alike, the threads do that together once the others are done.
 *
 * <p>Items that are keys and nothing else need not be moved where they differ in few bits: how
 * often each value of those is there says it all.
 */
public final class MsdLsd implements ItemSort {

  /** Fewer items are sorted before another thread has woken up. */
  private static final int MIN_SHARED = 1 << 16;

  /** From so many items on, threads get shares as they finish others. */
  private static final int MIN_PARTITIONED = 1 << 19;

  private static final int SHARES_PER_THREAD = 4;

  /** What buckets are aimed at if keys are spread evenly, which they never quite are. */
  private static final long BUCKET_BYTES = Workbench.RUN_BYTES / 16;

  private static final int MIN_BITS = 4;

  /** Threads share buckets, so there should be many even if some are much larger than others. */
  private static final int MIN_SHARED_BITS = 8;

  /** A line each for 2^9 heads is what the first-level cache holds; beyond, moving takes twice. */
  private static final int MAX_BITS = 9;

  /** Items that are looked at to see in which bits keys differ, before all of them are. */
  private static final int SAMPLES = 64;

  /** Each value of a digit should be there so often, as a power of two, if values are counted. */
  private static final int MIN_OF_A_VALUE_BITS = 3;

  private final ItemOps items;
  private final SortResources room;
  private final RunSort runs;
  private final boolean counts;

  private MsdLsd(ItemOps items, SortResources room, boolean counts) {
    this.items = items;
    this.room = room;
    this.runs = new RunSort(items);
    this.counts = counts;
  }

  /** As the paper has it. */
  public static MsdLsd plain(ItemOps items, SortResources room) {
    return new MsdLsd(items, room, false);
  }

  /** With keys counted instead of moved where there are few different ones. */
  static MsdLsd counting(ItemOps items, SortResources room) {
    return new MsdLsd(items, room, items.areKeys());
  }

  @Override
  public boolean sort(long count, Source source, Sink sink) {
    return count == 0
        || new Part(shared(count), items.keyBits(), source, sink, 0, Places.NONE).sort();
  }

  /** Shares for all threads, of which those that others keep from working get fewer. */
  private ItemShares shared(long count) {
    boolean isShared = room.threads() > 1 && count >= MIN_SHARED;
    int each = count < MIN_PARTITIONED ? 1 : SHARES_PER_THREAD;
    return new ItemShares(count, isShared ? room.threads() * each : 1);
  }

  /** Some of the items, which are consecutive when sorted. */
  private final class Part {
    private final ItemShares shares;
    private final int top;
    private final Source source;
    private final Sink sink;
    private final long first;
    private final Places places;

    /**
     * A part.
     *
     * @param top bits of a key in which these may differ, from the least significant on
     * @param first how many items come before these
     */
    Part(ItemShares shares, int top, Source source, Sink sink, long first, Places places) {
      this.shares = shares;
      this.top = top;
      this.source = source;
      this.sink = sink;
      this.first = first;
      this.places = places;
    }

    boolean sort() {
      Range range = range();
      if (!source.isSound()) {
        return false;
      }
      if (range.bits() == 0) {
        return store();
      }
      Part based = range.base() == 0 ? this : basedOn(range.base());
      if (counts && based.sortByCounting(range)) {
        return true;
      }
      if (!source.isSound()) {
        return false;
      }
      boolean isRun = shares.threads() == 1 && items.bytes(shares.count()) <= Workbench.RUN_BYTES;
      return isRun ? based.sortRun() : based.sortBuckets(range.bits());
    }

    /**
     * What has to be known of keys.
     *
     * @param base that may be taken from each
     * @param bits of the greatest key then, or more
     */
    private record Range(long base, int bits) {
      static Range of(long base, long most) {
        return new Range(base, Long.SIZE - Long.numberOfLeadingZeros(most));
      }
    }

    /**
     * Looks at some keys, and at all if those say little. A base is worth it where keys are close
     * together on both sides of a power of two, as signed numbers around zero are: there they
     * differ in all bits, and hardly any tells them apart.
     */
    private Range range() {
      long key;
      boolean areNarrow;
      long sampled;
      try (Workbench bench = room.takeBench()) {
        long block = bench.block();
        int samples = copySamples(block);
        key = items.key(block);
        areNarrow = items.areNarrow(block, samples, key);
        sampled = items.differing(block, samples, key);
      }
      if (areNarrow) {
        KeyBounds all = extremes(key);
        return Range.of(all.least(), all.width());
      }
      return Range.of(0, sampled >>> (top - 1) != 0 ? sampled : differing(key));
    }

    private KeyBounds extremes(long key) {
      AtomicReference<KeyBounds> all = new AtomicReference<>(new KeyBounds(key, key));
      forEachBlock((_, _, block, number) ->
          all.accumulateAndGet(items.extremes(block, number), KeyBounds::with));
      return all.get();
    }

    private long differing(long key) {
      AtomicLong differing = new AtomicLong();
      forEachBlock((_, _, block, number) ->
          differing.accumulateAndGet(items.differing(block, number, key), (a, b) -> a | b));
      return differing.get();
    }

    /** The same with something taken from each key. */
    private Part basedOn(long base) {
      Sink restoring =
          (from, number, before) -> {
            items.add(from, number, base);
            sink.store(from, number, before);
          };
      return new Part(shares, top, new ItemsLess(items, source, base), restoring, first, places);
    }

    /**
     * Sorts by counting keys, if that is worth it; then no item is moved, but all are made. Each
     * thread counts for itself, and all that they count in is less memory than the items take.
     */
    private boolean sortByCounting(Range range) {
      int threads = Math.min(shares.threads(), room.threads());
      int countBits = Long.SIZE - 1 - Long.numberOfLeadingZeros(shares.count() / threads);
      return range.bits() + MIN_OF_A_VALUE_BITS <= countBits
          && store(digits(range.bits(), new ItemShares(shares.count(), threads)));
    }

    private KeyRuns digits(int bits, ItemShares counted) {
      long[][] own = new long[counted.threads()][1 << bits];
      forEachPlace(
          counted,
          (thread, from, spare, number) ->
              items.count(source.load(from, number, spare), number, 0, own[thread]));
      for (int thread = 1; thread < own.length; thread++) {
        for (int digit = 0; digit < own[0].length; digit++) {
          own[0][digit] += own[thread][digit];
        }
      }
      return KeyRuns.ofDigits(own[0], someKey() >>> bits << bits);
    }

    private long someKey() {
      try (Workbench bench = room.takeBench()) {
        source.copy(0, 1, bench.block());
        return items.key(bench.block());
      }
    }

    /** Copies items from all over; returns how many. */
    private int copySamples(long block) {
      int samples = (int) Math.min(SAMPLES, shares.count());
      for (int i = 0; i < samples; i++) {
        source.copy(shares.count() / samples * i, 1, block + items.bytes(i));
      }
      return samples;
    }

    private boolean store(KeyRuns sorted) {
      if (!source.isSound()) {
        return false;
      }
      room.forEach(
          shares.threads(),
          thread -> {
            try (Workbench bench = room.takeBench()) {
              shares.forEachBlock(
                  thread,
                  (from, number) -> {
                    sorted.write(items, bench.block(), from, number);
                    sink.store(bench.block(), number, first + from);
                  });
            }
          });
      return true;
    }

    private boolean sortRun() {
      try (Workbench bench = room.takeBench()) {
        int count = (int) shares.count();
        source.copy(0, count, bench.run());
        if (!source.isSound()) {
          return false;
        }
        sink.store(runs.sort(bench.run(), bench.otherRun(), count), count, first);
        return true;
      }
    }

    /** Stores items whose keys are all equal. */
    private boolean store() {
      forEachBlock((_, from, block, number) -> sink.store(block, number, first + from));
      return true;
    }

    private boolean sortBuckets(int highest) {
      int wanted =
          Long.SIZE - Long.numberOfLeadingZeros(items.bytes(shares.count()) / BUCKET_BYTES);
      int least = shares.threads() > 1 ? MIN_SHARED_BITS : MIN_BITS;
      int bits = Math.min(highest, Math.clamp(wanted, least, MAX_BITS));
      int shift = highest - bits;
      long[][] counted = new long[shares.threads()][1 << bits];
      forEachPlace(
          shares,
          (thread, from, spare, number) ->
              source.count(items, from, number, spare, shift, counted[thread]));
      if (!source.isSound()) {
        return false;
      }
      if (places.free() != 0) {
        dealOut(counted, shift, places.free());
      } else {
        try (Scratch scratch = room.take(items.bytes(shares.count()))) {
          dealOut(counted, shift, scratch.segment().address());
        }
      }
      return true;
    }

    /** Moves counted items to an address on, and sorts the buckets that they make there. */
    private void dealOut(long[][] counted, int shift, long address) {
      long last = address + items.bytes(shares.count() - 1);
      long[][] heads = items.exclusiveScan(counted, address);
      forEachPlace(
          shares,
          (thread, from, spare, number) ->
              source.scatterWithin(items, from, number, spare, shift, heads[thread], last));
      items.requireMoved(counted, heads, address);
      // The last thread's heads are now where buckets end.
      new Buckets(this, shift, address, heads[heads.length - 1]).sort();
    }

    private void forEachBlock(BlockTask task) {
      forEachPlace(
          shares,
          (thread, from, spare, number) ->
              task.run(thread, from, source.load(from, number, spare), number));
    }

    /** The same without loading items. */
    private void forEachPlace(ItemShares shares, BlockTask task) {
      room.forEach(
          shares.threads(),
          thread -> {
            try (Workbench bench = room.takeBench()) {
              shares.forEachBlock(
                  thread, (from, number) -> task.run(thread, from, bench.block(), number));
            }
          });
    }
  }

  /**
   * Where the items of a part are, and memory for as many that nothing is in: a part that is dealt
   * out into the latter has left the former, into which its buckets are dealt out then. So items
   * are in no more than two places, however often they are dealt out.
   *
   * @param own address of the items; 0 if they are the caller's
   * @param free address of the other; 0 if there is none yet
   */
  private record Places(long own, long free) {
    static final Places NONE = new Places(0, 0);
  }

  /** What a part was dealt out into. */
  private final class Buckets {
    private final Part part;
    private final int top;
    private final long address;
    private final long[] ends;
    private final Queue<Integer> shared = new ConcurrentLinkedQueue<>();

    /**
     * Buckets, one for each value of a digit.
     *
     * @param top bits in which keys of a bucket may differ
     * @param address where the first begins
     * @param ends where each ends
     */
    Buckets(Part part, int top, long address, long[] ends) {
      this.part = part;
      this.top = top;
      this.address = address;
      this.ends = ends;
    }

    void sort() {
      if (part.shares.threads() == 1) {
        for (int bucket = 0; bucket < ends.length; bucket++) {
          sort(bucket);
        }
      } else {
        room.forEach(ends.length, this::sort);
      }
      shared.forEach(bucket -> dealOut(bucket, MsdLsd.this.shared(count(bucket))));
    }

    private void sort(int bucket) {
      long count = count(bucket);
      boolean isLarge = count > part.shares.count() / room.threads() / 2;
      if (items.bytes(count) <= Workbench.RUN_BYTES) {
        sortRun(bucket, (int) count);
      } else if (part.shares.threads() > 1 && isLarge) {
        shared.add(bucket);
      } else {
        dealOut(bucket, new ItemShares(count, 1));
      }
    }

    private long start(int bucket) {
      return bucket == 0 ? address : ends[bucket - 1];
    }

    private long count(int bucket) {
      return items.items(ends[bucket] - start(bucket));
    }

    /** How many items come before those of a bucket. */
    private long first(int bucket) {
      return part.first + items.items(start(bucket) - address);
    }

    private void sortRun(int bucket, int count) {
      if (count == 0) {
        return;
      }
      try (Workbench bench = room.takeBench()) {
        part.sink.store(runs.sort(start(bucket), bench.run(), count), count, first(bucket));
      }
    }

    private void dealOut(int bucket, ItemShares shares) {
      long start = start(bucket);
      long left = part.places.own() == 0 ? 0 : part.places.own() + start - address;
      Source again = new ItemsInMemory(items, start);
      new Part(shares, top, again, part.sink, first(bucket), new Places(start, left)).sort();
    }
  }

  /** Items with something taken from their keys. */
  private record ItemsLess(ItemOps items, Source source, long base) implements Source {
    @Override
    public void copy(long first, int count, long to) {
      source.copy(first, count, to);
      items.add(to, count, -base);
    }

    @Override
    public boolean isSound() {
      return source.isSound();
    }
  }

  /** Items that are there already. */
  private record ItemsInMemory(ItemOps items, long address) implements Source {
    @Override
    public long load(long first, int count, long spare) {
      return address + items.bytes(first);
    }

    @Override
    public void copy(long first, int count, long to) {
      items.copy(load(first, count, to), to, count);
    }
  }

  /** What is done with a block of items. */
  private interface BlockTask {
    /**
     * Works on a block.
     *
     * @param thread whose share it is of
     * @param from how many items come before it
     * @param block where it is
     * @param number of items in it
     */
    void run(int thread, long from, long block, int number);
  }
}
