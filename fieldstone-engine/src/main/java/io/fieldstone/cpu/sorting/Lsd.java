package io.fieldstone.cpu.sorting;

import io.fieldstone.cpu.execution.ScratchPool.Scratch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * Sorts by one digit of eight bits after another, the least significant first: for each, threads
 * count the digits of their shares and then move their items. Digits that are equal in all keys are
 * skipped.
 *
 * <p>Items are moved one by one. The cache lines of the heads stay in the first-level cache until
 * they are full. Write-combining buffers take twice as long, because Java has no non-temporal
 * stores.
 */
final class Lsd implements ItemSort {

  private static final int DIGIT_BITS = 8;
  private static final int VALUES = 1 << DIGIT_BITS;

  private final ItemOps items;
  private final SortResources resources;

  Lsd(ItemOps items, SortResources resources) {
    this.items = items;
    this.resources = resources;
  }

  @Override
  public boolean sort(long count, Source source, Sink sink) {
    if (count == 0) {
      return true;
    }
    try (Scratch one = resources.take(items.bytes(count));
        Scratch other = resources.take(items.bytes(count))) {
      long from = one.segment().address();
      long to = other.segment().address();
      ItemShares shares = new ItemShares(count, resources.threads());
      long differing = load(shares, source, from);
      if (!source.hasNoNan()) {
        return false;
      }
      for (int shift = 0; shift < items.keyBits(); shift += DIGIT_BITS) {
        if ((differing >>> shift & (VALUES - 1)) != 0) {
          pass(shares, from, to, shift);
          long swapped = from;
          from = to;
          to = swapped;
        }
      }
      long sorted = from;
      forEach(
          shares,
          thread ->
              shares.forEachBlock(
                  thread,
                  source.blockItems(),
                  (first, number) -> sink.store(sorted + items.bytes(first), number, first)));
      return true;
    }
  }

  /** Loads all items and returns the bits in which their keys differ. */
  private long load(ItemShares shares, Source source, long to) {
    source.copy(0, 1, to);
    long key = items.key(to);
    AtomicLong differing = new AtomicLong();
    forEach(
        shares,
        thread -> {
          shares.forEachBlock(
              thread,
              source.blockItems(),
              (first, number) -> {
                long block = to + items.bytes(first);
                source.copy(first, number, block);
                long found = items.differing(block, number, key);
                differing.accumulateAndGet(found, (a, b) -> a | b);
              });
        });
    return differing.get();
  }

  private void pass(ItemShares shares, long from, long to, int shift) {
    long[][] counts = new long[shares.threads()][VALUES];
    forEach(
        shares,
        thread ->
            shares.forEachBlock(
                thread,
                items.blockItems(),
                (first, number) ->
                    items.count(from + items.bytes(first), number, shift, counts[thread])));
    long[][] heads = items.exclusiveScan(counts, to);
    forEach(
        shares,
        thread ->
            shares.forEachBlock(
                thread,
                items.blockItems(),
                (first, number) ->
                    items.scatter(from + items.bytes(first), number, shift, heads[thread])));
  }

  private void forEach(ItemShares shares, IntConsumer body) {
    resources.forEach(shares.threads(), body);
  }
}
