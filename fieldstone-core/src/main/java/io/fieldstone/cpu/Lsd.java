package io.fieldstone.cpu;

import io.fieldstone.cpu.ScratchPool.Scratch;
import io.fieldstone.cpu.SortMemory.Workbench;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * Sorts by one digit of eight bits after another, the least significant first: for each, threads
 * count the digits of their shares and then move their items, through buffers. Digits that are the
 * same in all keys are left out.
 */
final class Lsd implements ItemSort {

  private static final int DIGIT_BITS = 8;
  private static final int VALUES = 1 << DIGIT_BITS;

  private final SortItems items;
  private final Workers workers;
  private final SortMemory memory;

  Lsd(SortItems items, Workers workers, SortMemory memory) {
    this.items = items;
    this.workers = workers;
    this.memory = memory;
  }

  @Override
  public boolean sort(long count, Source source, Sink sink) {
    if (count == 0) {
      return true;
    }
    try (Scratch one = memory.take(items.bytes(count));
        Scratch other = memory.take(items.bytes(count))) {
      long from = one.segment().address();
      long to = other.segment().address();
      Shares shares = new Shares(count, workers.threads());
      long differing = load(shares, source, from);
      if (!source.isSound()) {
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
                  (first, number) -> sink.store(sorted + items.bytes(first), number, first)));
      return true;
    }
  }

  /** Loads all items, and says in which bits their keys differ. */
  private long load(Shares shares, Source source, long to) {
    source.copy(0, 1, to);
    long key = items.key(to);
    AtomicLong differing = new AtomicLong();
    forEach(
        shares,
        thread -> {
          try (Workbench bench = memory.takeBench()) {
            shares.forEachBlock(
                thread,
                (first, number) -> {
                  // Not at once to where they go: a word more is spoilt.
                  long loaded = source.load(first, number, bench.block());
                  items.copy(loaded, to + items.bytes(first), number);
                  long found = items.differing(loaded, number, key);
                  differing.accumulateAndGet(found, (a, b) -> a | b);
                });
          }
        });
    return differing.get();
  }

  private void pass(Shares shares, long from, long to, int shift) {
    int[][] counts = new int[shares.threads()][VALUES];
    forEach(
        shares,
        thread ->
            shares.forEachBlock(
                thread,
                (first, number) ->
                    items.count(from + items.bytes(first), number, shift, counts[thread])));
    long[][] targets = targets(counts, to, shift);
    forEach(
        shares,
        thread -> {
          try (Workbench bench = memory.takeBench()) {
            CombiningBuffers buffers = new CombiningBuffers(bench.buffers(), targets[thread]);
            shares.forEachBlock(
                thread,
                (first, number) ->
                    items.scatter(from + items.bytes(first), number, shift, buffers));
            buffers.finish();
          }
        });
  }

  /** Where each thread's items of each digit go: after those of the threads before it. */
  private long[][] targets(int[][] counts, long to, int shift) {
    long[][] targets = new long[counts.length][VALUES];
    int flipped = items.flippedDigit(shift, VALUES);
    long target = to;
    for (int value = 0; value < VALUES; value++) {
      int digit = value ^ flipped;
      for (int thread = 0; thread < counts.length; thread++) {
        targets[thread][digit] = target;
        target += items.bytes(counts[thread][digit]);
      }
    }
    return targets;
  }

  private void forEach(Shares shares, IntConsumer body) {
    workers.forEach(shares.threads(), body);
  }
}
