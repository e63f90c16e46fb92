package io.fieldstone.cpu.sorting;

import io.fieldstone.cpu.sorting.ItemSort.Sink;
import io.fieldstone.cpu.sorting.SortMemory.Workbench;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sorts keys of few different values, without payload. C kernels count how often each value occurs,
 * and the keys are written from these counts. Other keys are rejected by samples, of which hardly
 * any are equal, or as soon as there are too many values.
 */
final class FewKeys {

  /** Minimum number of keys: the table must be smaller than they are. */
  private static final long MIN_KEYS = 1 << 12;

  /** Minimum number of keys to share: fewer are counted before another thread has woken up. */
  private static final long MIN_SHARED = 1 << 19;

  /** Samples are taken from places that are far apart, several at each. */
  private static final int PLACES = 16;

  private static final int SAMPLES_OF_PLACE = 16;

  private static final int SAMPLES = PLACES * SAMPLES_OF_PLACE;

  /** Number of keys whose table has room for all samples. */
  private static final long MAX_TABLE_OF_SAMPLES = 1 << 14;

  /** Maximum different keys among the samples: of 10,000 values, there usually are more. */
  private static final int MAX_DIFFERENT = SAMPLES - 4;

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
    if (!areSamplesFew(source, count)) {
      return false;
    }
    ItemShares shares = new ItemShares(count, count < MIN_SHARED ? 1 : resources.threads());
    Optional<KeyTally> tally = tally(source, shares);
    if (tally.isEmpty()) {
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

  private boolean areSamplesFew(DirectItems source, long count) {
    try (Workbench workbench = resources.takeWorkbench()) {
      KeyTable table = KeyTable.at(workbench.run(), Math.min(count, MAX_TABLE_OF_SAMPLES));
      for (int place = 0; place < PLACES; place++) {
        long first = (count - SAMPLES_OF_PLACE) / (PLACES - 1) * place;
        if (!source.tally(items, first, SAMPLES_OF_PLACE, table)) {
          return false;
        }
      }
      return table.size() <= MAX_DIFFERENT;
    }
  }

  /** Counts all keys, unless there are too many. */
  private Optional<KeyTally> tally(DirectItems source, ItemShares shares) {
    AtomicBoolean areFew = new AtomicBoolean(true);
    AtomicReference<KeyTally> all = new AtomicReference<>(KeyTally.EMPTY);
    resources.forEach(
        shares.threads(),
        thread -> {
          try (Workbench workbench = resources.takeWorkbench()) {
            KeyTable table = KeyTable.at(workbench.run(), shares.count());
            shares.forEachBlock(
                thread,
                source.blockItems(),
                (first, number) -> {
                  if (areFew.get() && !source.tally(items, first, number, table)) {
                    areFew.set(false);
                  }
                });
            if (areFew.get()) {
              all.accumulateAndGet(KeyTally.of(table), KeyTally::plus);
            }
          }
        });
    return areFew.get() ? Optional.of(all.get()) : Optional.empty();
  }
}
