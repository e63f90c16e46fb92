package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;

import io.fieldstone.cpu.sorting.ItemSort.Sink;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.engine.sorting.RecordInput;
import io.fieldstone.engine.sorting.RecordOutput;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.ConcurrentModificationException;

/**
 * Records of an input, of which some floating-point keys are NaN, that are items themselves. Their
 * bits put NaNs before and after all numbers. They have one rank, so they keep their order, and are
 * written from the input once the numbers are.
 */
final class NanStream {

  private final ItemOps items;
  private final InputItems source;
  private final RecordInput input;
  private final RecordOutput output;
  private final SortResources resources;
  private final ItemShares shares;
  private final NanKeys keys;
  private final boolean areAscending;

  /** The records of each share whose key is NaN. */
  private final long[] nans;

  /** Those of them that their bits put before all numbers. */
  private final long[] low;

  NanStream(
      RecordFormat format,
      ItemOps items,
      long count,
      RecordInput input,
      RecordOutput output,
      SortResources resources) {
    this.items = items;
    this.source = new InputItems(format, items, input);
    this.input = input;
    this.output = output;
    this.resources = resources;
    this.shares = new ItemShares(count, resources.threads());
    this.keys = NanKeys.of(format);
    this.areAscending = format.direction() == Direction.ASCENDING;
    this.nans = new long[shares.threads()];
    this.low = new long[shares.threads()];
  }

  /** Sorts all records. */
  void sort(ItemSort sorts) {
    forEachBlock(this::count);
    long numbers = shares.count() - Arrays.stream(nans).sum();
    long before = Arrays.stream(low).sum();
    long start = areAscending ? 0 : shares.count() - numbers;
    Sink sink =
        (from, number, first) -> {
          long begin = Math.max(first, before);
          long end = Math.min(first + number, before + numbers);
          if (begin < end) {
            long at = from + items.bytes(begin - first);
            source.restore(at, (int) (end - begin), output, start + begin - before);
          }
        };
    boolean _ = sorts.sort(shares.count(), source.acceptingNan(), sink);
    writeNans(areAscending ? numbers : 0);
  }

  private void forEachBlock(ItemShares.PlaceTask task) {
    shares.forEachBlock(
        resources,
        source.blockItems(),
        (share, first, place, number) -> {
          input.read(items.bytes(first), block(place, number));
          task.run(share, first, place, number);
        });
  }

  private void count(int share, long first, long place, int number) {
    int found = 0;
    int before = 0;
    for (int i = 0; i < number; i++) {
      long at = place + items.bytes(i);
      if (keys.isNan(MEMORY, at)) {
        found++;
        before += keys.isNegative(MEMORY, at) == areAscending ? 1 : 0;
      }
    }
    nans[share] += found;
    low[share] += before;
  }

  /** Writes all records with NaN, in their order, from a position on. */
  private void writeNans(long position) {
    long[] next = new long[nans.length];
    next[0] = position;
    for (int share = 1; share < next.length; share++) {
      next[share] = next[share - 1] + nans[share - 1];
    }
    long[] left = nans.clone();
    forEachBlock((share, _, place, number) -> {
      int gathered = gather(place, number);
      left[share] -= gathered;
      if (left[share] < 0) {
        throw changed();
      }
      if (gathered > 0) {
        output.write(items.bytes(next[share]), block(place, gathered));
        next[share] += gathered;
      }
    });
    if (Arrays.stream(left).anyMatch(each -> each != 0)) {
      throw changed();
    }
  }

  private static ConcurrentModificationException changed() {
    return new ConcurrentModificationException("the input changed while it was sorted");
  }

  /** Moves the records of a block with NaN to its start, and returns their number. */
  private int gather(long place, int number) {
    int gathered = 0;
    for (int i = 0; i < number; i++) {
      long at = place + items.bytes(i);
      if (keys.isNan(MEMORY, at)) {
        MemorySegment.copy(MEMORY, at, MEMORY, place + items.bytes(gathered), items.bytes(1));
        gathered++;
      }
    }
    return gathered;
  }

  private MemorySegment block(long place, int number) {
    return MEMORY.asSlice(place, items.bytes(number));
  }
}
