package io.fieldstone.cpu.sorting;

import io.fieldstone.cpu.sorting.ItemSort.Sink;
import io.fieldstone.cpu.sorting.SortMemory.Workbench;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sorts keys of few different values, without payload. C kernels count how often each value occurs,
 * and the keys are written from these counts. Other keys are rejected at the first sample, or
 * block, that has too many values.
 */
final class FewKeys {

  /** Minimum number of keys: the table must be smaller than they are. */
  private static final long MIN_KEYS = 1 << 14;

  /** Minimum number of keys to share: fewer are counted before another thread has woken up. */
  private static final long MIN_SHARED = 1 << 19;

  /** Samples are taken from places that are far apart, several at each. */
  private static final int PLACES = 16;

  private static final int SAMPLES_OF_PLACE = 32;

  private final NativeOps items;
  private final SortResources resources;

  private FewKeys(NativeOps items, SortResources resources) {
    this.items = items;
    this.resources = resources;
  }

  /** Sorts keys, or returns false and writes none. */
  static boolean sort(
      ItemOps items, SortResources resources, DirectItems source, long count, Sink sink) {
    return items instanceof NativeOps loops
        && items.areKeys()
        && count >= MIN_KEYS
        && new FewKeys(loops, resources).sort(source, count, sink);
  }

  private boolean sort(DirectItems source, long count, Sink sink) {
    Optional<KeyTally> tally = sampled(source, count);
    if (tally.isEmpty()) {
      return false;
    }
    ItemShares shares = new ItemShares(count, count < MIN_SHARED ? 1 : resources.threads());
    if (!areCounted(source, shares, tally.get())) {
      return false;
    }
    KeyRuns sorted = tally.get().runs();
    shares.forEachBlock(
        resources,
        source.blockItems(),
        (_, first, block, number) -> {
          sorted.write(items, block, first, number);
          sink.store(block, number, first);
        });
    return true;
  }

  private Optional<KeyTally> sampled(DirectItems source, long count) {
    try (Workbench workbench = resources.takeWorkbench()) {
      long samples = workbench.block();
      for (int place = 0; place < PLACES; place++) {
        long first = (count - SAMPLES_OF_PLACE) / (PLACES - 1) * place;
        source.copy(
            first, SAMPLES_OF_PLACE, samples + items.bytes((long) place * SAMPLES_OF_PLACE));
      }
      return source.hasNoNan()
          ? KeyTally.of(items, samples, PLACES * SAMPLES_OF_PLACE)
          : Optional.empty();
    }
  }

  /** Counts keys; returns whether the tally has all of them. */
  private boolean areCounted(DirectItems source, ItemShares shares, KeyTally tally) {
    AtomicBoolean areKnown = new AtomicBoolean(true);
    resources.forEach(
        shares.threads(),
        thread -> {
          try (Workbench workbench = resources.takeWorkbench()) {
            MemorySegment table = tally.table(workbench.run());
            shares.forEachBlock(
                thread,
                source.blockItems(),
                (first, number) -> {
                  if (areKnown.get() && !source.tally(items, first, number, tally, table)) {
                    areKnown.set(false);
                  }
                });
            tally.add(table);
          }
        });
    return areKnown.get();
  }
}
