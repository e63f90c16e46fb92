package io.fieldstone.cpu.sorting;

import io.fieldstone.cpu.execution.ScratchPool.Scratch;
import io.fieldstone.cpu.sorting.SortMemory.Workbench;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Partitions items by their most significant digit into buckets that fit into cache, and sorts each
 * bucket from its least significant digit on. This is the combination of the communication paper
 * (Sec. III-B), with cores in place of a GPU. Items are written to memory twice, for any number of
 * digits.
 *
 * <p>As in the paper, a bucket that is too large is partitioned again. All threads partition a
 * bucket together if it holds a large part of all items.
 *
 * <p>Keys without payload that differ in few bits are counted by value and written anew, not moved.
 */
public final class MsdLsd implements ItemSort {

  /** Minimum number of items for several shares per thread, which balance the load. */
  private static final int MIN_PARTITIONED = 1 << 19;

  private static final int SHARES_PER_THREAD = 4;

  private static final int MIN_BITS = 4;

  /** Minimum digit bits if threads share the buckets: many buckets balance the load. */
  private static final int MIN_SHARED_BITS = 8;

  /** The same for so few items that the counts of many digits would take as long as a bucket. */
  private static final int MIN_SHARED_BITS_OF_FEW = 6;

  private static final int FEW_ITEMS = 1 << 17;

  /** Maximum digit bits: a first-level cache holds the lines of 2^9 heads; more double the time. */
  private static final int MAX_BITS = 9;

  /** Items sampled to find the bits in which keys differ, before all items are examined. */
  private static final int SAMPLES = 64;

  /** Base-2 logarithm of the minimum mean count of a value, for keys to be counted. */
  private static final int MIN_OF_A_VALUE_BITS = 3;

  private final ItemOps items;
  private final SortResources resources;
  private final SortSizes sizes;
  private final boolean countsKeys;

  private MsdLsd(ItemOps items, SortResources resources, SortSizes sizes, boolean counts) {
    this.items = items;
    this.resources = resources;
    this.sizes = sizes;
    this.countsKeys = counts;
  }

  /** Returns the method of the paper. */
  public static MsdLsd plain(ItemOps items, SortResources resources) {
    return plain(items, resources, SortSizes.HERE);
  }

  /** Returns the method of the paper, with the sizes of a kind of processor. */
  static MsdLsd plain(ItemOps items, SortResources resources, SortSizes sizes) {
    return new MsdLsd(items, resources, sizes, false);
  }

  /** Returns the method that counts keys instead of moving them where few values occur. */
  static MsdLsd counting(ItemOps items, SortResources resources) {
    return new MsdLsd(items, resources, SortSizes.HERE, items.areKeys());
  }

  @Override
  public boolean sort(long count, Source source, Sink sink) {
    return count == 0
        || new Part(shared(count), items.keyBits(), source, sink, 0, Buffers.NONE).sort();
  }

  /** Divides items into several shares per thread, so that a thread that is held up takes fewer. */
  private ItemShares shared(long count) {
    boolean isShared = resources.threads() > 1 && count >= sizes.minShared();
    int each = count < MIN_PARTITIONED ? 1 : SHARES_PER_THREAD;
    return new ItemShares(count, isShared ? resources.threads() * each : 1);
  }

  /** Items that are consecutive in the sorted order. */
  private final class Part {
    private final ItemShares shares;
    private final int top;
    private final Source source;
    private final Sink sink;
    private final long first;
    private final Buffers buffers;

    /**
     * Makes a part.
     *
     * @param top number of low bits in which keys may differ
     * @param first number of items before the part
     */
    Part(ItemShares shares, int top, Source source, Sink sink, long first, Buffers buffers) {
      this.shares = shares;
      this.top = top;
      this.source = source;
      this.sink = sink;
      this.first = first;
      this.buffers = buffers;
    }

    boolean sort() {
      Range range = range();
      if (!source.hasNoNan()) {
        return false;
      }
      if (range.bits() == 0) {
        return store();
      }
      Part based = range.base() == 0 ? this : basedOn(range.base());
      if (countsKeys && based.sortByCounting(range)) {
        return true;
      }
      if (!source.hasNoNan()) {
        return false;
      }
      boolean isRun = shares.threads() == 1 && items.bytes(shares.count()) <= sizes.runBytes();
      return isRun ? based.sortRun() : based.sortBuckets(range.bits());
    }

    /**
     * The range of the keys of a part.
     *
     * @param base number that can be subtracted from each key
     * @param bits upper bound of the bits of each key after that
     */
    private record Range(long base, int bits) {
      static Range of(long base, long max) {
        return new Range(base, Long.SIZE - Long.numberOfLeadingZeros(max));
      }
    }

    /**
     * Samples some keys, and examines all if the samples do not suffice. Subtracting a base pays
     * where keys are close together on both sides of a power of two, as signed numbers around zero
     * are: they differ in all bits, of which hardly any distinguishes them.
     */
    private Range range() {
      long key;
      boolean areNarrow;
      long sampled;
      try (Workbench workbench = resources.takeWorkbench()) {
        long block = workbench.block();
        int samples = copySamples(block);
        key = items.key(block);
        areNarrow = items.areNarrow(block, samples, key);
        sampled = items.differing(block, samples, key);
      }
      if (areNarrow) {
        KeyBounds all = extremes(key);
        return Range.of(all.min(), all.width());
      }
      return Range.of(0, sampled >>> (top - 1) != 0 ? sampled : differing(key));
    }

    private KeyBounds extremes(long key) {
      AtomicReference<KeyBounds> all = new AtomicReference<>(new KeyBounds(key, key));
      forEachBlock((_, _, block, number) ->
          all.accumulateAndGet(items.bounds(block, number), KeyBounds::with));
      return all.get();
    }

    private long differing(long key) {
      AtomicLong differing = new AtomicLong();
      forEachBlock((_, _, block, number) ->
          differing.accumulateAndGet(items.differing(block, number, key), (a, b) -> a | b));
      return differing.get();
    }

    /** Returns the same part with a number subtracted from each key. */
    private Part basedOn(long base) {
      Sink restoring =
          (from, number, before) -> {
            items.add(from, number, base);
            sink.store(from, number, before);
          };
      return new Part(shares, top, new ItemsLess(items, source, base), restoring, first, buffers);
    }

    /**
     * Sorts by counting keys if few values occur; then the items are written anew, not moved. Each
     * thread counts separately. The counts take less memory than the items.
     */
    private boolean sortByCounting(Range range) {
      int threads = Math.min(shares.threads(), resources.threads());
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
      try (Workbench workbench = resources.takeWorkbench()) {
        source.copy(0, 1, workbench.block());
        return items.key(workbench.block());
      }
    }

    /** Copies items at equal distances and returns their number. */
    private int copySamples(long block) {
      int samples = (int) Math.min(SAMPLES, shares.count());
      for (int i = 0; i < samples; i++) {
        source.copy(shares.count() / samples * i, 1, block + items.bytes(i));
      }
      return samples;
    }

    private boolean store(KeyRuns sorted) {
      if (!source.hasNoNan()) {
        return false;
      }
      forEachPlace(
          shares,
          (_, from, block, number) -> {
            sorted.write(items, block, from, number);
            sink.store(block, number, first + from);
          });
      return true;
    }

    private boolean sortRun() {
      try (Workbench workbench = resources.takeWorkbench()) {
        int count = (int) shares.count();
        source.copy(0, count, workbench.run());
        if (!source.hasNoNan()) {
          return false;
        }
        sink.store(items.sortRun(workbench.run(), workbench.otherRun(), count), count, first);
        return true;
      }
    }

    /** Stores items whose keys are all equal. */
    private boolean store() {
      forEachBlock((_, from, block, number) -> sink.store(block, number, first + from));
      return true;
    }

    private int minBits() {
      if (shares.threads() == 1) {
        return MIN_BITS;
      }
      return shares.count() < FEW_ITEMS ? MIN_SHARED_BITS_OF_FEW : MIN_SHARED_BITS;
    }

    private boolean sortBuckets(int highest) {
      int wanted =
          Long.SIZE - Long.numberOfLeadingZeros(items.bytes(shares.count()) / sizes.bucketBytes());
      int bits = Math.min(highest, Math.clamp(wanted, minBits(), MAX_BITS));
      int shift = highest - bits;
      long[][] counted = new long[shares.threads()][1 << bits];
      forEachPlace(
          shares,
          (thread, from, spare, number) ->
              source.count(items, from, number, spare, shift, counted[thread]));
      if (!source.hasNoNan()) {
        return false;
      }
      if (buffers.free() != 0) {
        partition(counted, shift, buffers.free(), Optional.empty());
      } else {
        try (Scratch scratch = resources.take(items.bytes(shares.count()))) {
          partition(counted, shift, scratch.segment().address(), released(scratch));
        }
      }
      return true;
    }

    /**
     * Returns the buffer whose pages each bucket gives back: the first buffer, from which all
     * threads may have moved a part to another. What one thread takes for a part is used again.
     */
    private Optional<Scratch> released(Scratch scratch) {
      if (buffers.own() == 0) {
        return Optional.of(scratch);
      }
      return shares.threads() > 1 ? buffers.first() : Optional.empty();
    }

    /** Moves counted items to an address and sorts the resulting buckets. */
    private void partition(long[][] counted, int shift, long address, Optional<Scratch> released) {
      long last = address + items.bytes(shares.count() - 1);
      long[][] heads = items.exclusiveScan(counted, address);
      forEachPlace(
          shares,
          (thread, from, spare, number) ->
              source.scatterWithin(items, from, number, spare, shift, heads[thread], last));
      items.requireMoved(counted, heads, address);
      // The last thread's heads now point to the ends of the buckets.
      new Buckets(this, shift, address, heads[heads.length - 1], released).sort();
    }

    private void forEachBlock(ItemShares.PlaceTask task) {
      forEachPlace(
          shares,
          (thread, from, spare, number) ->
              task.run(thread, from, source.load(from, number, spare), number));
    }

    /** As {@link #forEachBlock}, without loading items. */
    private void forEachPlace(ItemShares shares, ItemShares.PlaceTask task) {
      shares.forEachBlock(resources, source.blockItems(), task);
    }
  }

  /**
   * The buffer that holds the items of a part, and a free buffer of the same size. Partitioning
   * swaps the two, so that two buffers suffice for any number of partitionings.
   *
   * @param own address of the items; 0 if they are in the caller's memory
   * @param free address of the free buffer; 0 if none has been allocated
   * @param first the buffer of all items, if these are in it
   */
  private record Buffers(long own, long free, Optional<Scratch> first) {
    static final Buffers NONE = new Buffers(0, 0, Optional.empty());
  }

  /** The buckets that a part was partitioned into. */
  private final class Buckets {
    private final Part part;
    private final int top;
    private final long address;
    private final long[] ends;
    private final Optional<Scratch> released;
    private final Queue<Integer> shared = new ConcurrentLinkedQueue<>();

    /**
     * Makes buckets, one for each value of a digit.
     *
     * @param top number of low bits in which keys of a bucket may differ
     * @param address start of the first bucket
     * @param ends end of each bucket
     * @param released the buffer whose pages each bucket gives back
     */
    Buckets(Part part, int top, long address, long[] ends, Optional<Scratch> released) {
      this.part = part;
      this.top = top;
      this.address = address;
      this.ends = ends;
      this.released = released;
    }

    void sort() {
      if (part.shares.threads() == 1) {
        for (int bucket = 0; bucket < ends.length; bucket++) {
          sort(bucket);
        }
      } else {
        resources.forEach(ends.length, this::sort);
      }
      shared.forEach(bucket -> {
        partition(bucket, MsdLsd.this.shared(count(bucket)));
        release(bucket);
      });
    }

    private void sort(int bucket) {
      long count = count(bucket);
      boolean isLarge = count > part.shares.count() / resources.threads() / 2;
      if (items.bytes(count) <= sizes.runBytes()) {
        sortRun(bucket, (int) count);
        release(bucket);
      } else if (part.shares.threads() > 1 && isLarge) {
        shared.add(bucket);
      } else {
        partition(bucket, new ItemShares(count, 1));
        release(bucket);
      }
    }

    /** Gives back the pages of a bucket in the first buffer. */
    private void release(int bucket) {
      released.ifPresent(scratch -> {
        long inFirst = part.buffers.own() == 0 ? address : part.buffers.own();
        long moved = inFirst - address - scratch.segment().address();
        resources.release(scratch, start(bucket) + moved, ends[bucket] + moved);
      });
    }

    private long start(int bucket) {
      return bucket == 0 ? address : ends[bucket - 1];
    }

    private long count(int bucket) {
      return items.items(ends[bucket] - start(bucket));
    }

    /** Returns the number of items before a bucket. */
    private long first(int bucket) {
      return part.first + items.items(start(bucket) - address);
    }

    private void sortRun(int bucket, int count) {
      if (count == 0) {
        return;
      }
      try (Workbench workbench = resources.takeWorkbench()) {
        part.sink.store(items.sortRun(start(bucket), workbench.run(), count), count, first(bucket));
      }
    }

    private void partition(int bucket, ItemShares shares) {
      long start = start(bucket);
      long left = part.buffers.own() == 0 ? 0 : part.buffers.own() + start - address;
      Source again = new ItemsInMemory(items, start);
      Optional<Scratch> buffer = part.buffers.own() == 0 ? released : Optional.empty();
      Buffers both = new Buffers(start, left, buffer);
      new Part(shares, top, again, part.sink, first(bucket), both).sort();
    }
  }

  /** Items with a number subtracted from their keys. */
  private record ItemsLess(ItemOps items, Source source, long base) implements Source {
    @Override
    public int blockItems() {
      return source.blockItems();
    }

    @Override
    public void copy(long first, int count, long to) {
      source.copy(first, count, to);
      items.add(to, count, -base);
    }

    @Override
    public boolean hasNoNan() {
      return source.hasNoNan();
    }
  }

  /** Items in native memory. */
  private record ItemsInMemory(ItemOps items, long address) implements Source {
    @Override
    public int blockItems() {
      return items.blockItems();
    }

    @Override
    public long load(long first, int count, long spare) {
      return address + items.bytes(first);
    }

    @Override
    public void copy(long first, int count, long to) {
      items.copy(load(first, count, to), to, count);
    }
  }
}
