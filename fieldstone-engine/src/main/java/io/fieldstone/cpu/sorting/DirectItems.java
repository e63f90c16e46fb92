package io.fieldstone.cpu.sorting;

import io.fieldstone.engine.sorting.RecordFormat;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Records that are items themselves: a key, alone or with a payload of its size. Loading
 * floating-point keys also detects NaN.
 */
final class DirectItems implements ItemSort.Source {

  private final MemorySegment records;
  private final ItemOps items;
  private final KeyCodec ranks;
  private final Optional<ArrayItems> array;
  private final Optional<ArrayKeys> arrayKeys;
  private volatile boolean hasNoNan = true;

  /** Reads records of a format as its {@link #items(RecordFormat) items}. */
  DirectItems(RecordFormat format, ItemOps items, MemorySegment records) {
    this.records = records;
    this.items = items;
    this.ranks = new KeyCodec(format, items);
    this.array =
        format.key().isFloating()
            ? Optional.empty()
            : ArrayItems.of(records, items.bytes(1), ranks.flips());
    this.arrayKeys = ArrayKeys.of(format, records);
  }

  /** Returns the items that records of a format are; empty if the records are not items. */
  static Optional<ItemOps> items(RecordFormat format) {
    int bytes = format.key().bytes();
    boolean are32 = bytes == Integer.BYTES;
    if (format.payloadBytes() == 0) {
      return Optional.of(are32 ? new IntOps() : new LongOps(Long.SIZE));
    }
    if (format.payloadBytes() == bytes) {
      return Optional.of(are32 ? new LongOps(Integer.SIZE) : new WideOps());
    }
    return Optional.empty();
  }

  /** Returns the records as keys in a heap array, if they are. */
  Optional<ArrayKeys> arrayKeys() {
    return arrayKeys;
  }

  @Override
  public int blockItems() {
    return items.blockItems();
  }

  @Override
  public long load(long first, int count, long spare) {
    if (records.isNative() && ranks.areKeys()) {
      return records.address() + items.bytes(first);
    }
    copy(first, count, spare);
    return spare;
  }

  @Override
  public void copy(long first, int count, long to) {
    if (!ranks.read(slice(first, count), count, to)) {
      hasNoNan = false;
    }
  }

  @Override
  public void count(ItemOps of, long first, int count, long spare, int shift, long[] counts) {
    if (of instanceof NativeOps loops) {
      if (!loops.count(
          slice(first, count), count, ranks.flips(), ranks.areFloating(), shift, counts)) {
        hasNoNan = false;
      }
    } else if (array.isPresent()) {
      array.get().count((int) first, count, shift, counts);
    } else {
      ItemSort.Source.super.count(of, first, count, spare, shift, counts);
    }
  }

  /** Counts items by their keys, as {@link NativeOps#tally} does. */
  boolean tally(NativeOps loops, long first, int count, KeyTable table) {
    return loops.tally(slice(first, count), count, ranks.flips(), ranks.areFloating(), table);
  }

  @Override
  public void scatterWithin(
      ItemOps of, long first, int count, long spare, int shift, long[] heads, long last) {
    if (of instanceof NativeOps loops) {
      loops.scatterWithin(
          slice(first, count), count, ranks.flips(), ranks.areFloating(), shift, heads, last);
    } else if (array.isPresent()) {
      array.get().scatterWithin((int) first, count, shift, heads, last);
    } else {
      ItemSort.Source.super.scatterWithin(of, first, count, spare, shift, heads, last);
    }
  }

  @Override
  public boolean hasNoNan() {
    return hasNoNan;
  }

  /** Writes items as records; {@code first} is the number of items before them. */
  void restore(long from, int count, MemorySegment sorted, long first) {
    ranks.write(from, count, sorted.asSlice(items.bytes(first), items.bytes(count)));
  }

  private MemorySegment slice(long first, int count) {
    return records.asSlice(items.bytes(first), items.bytes(count));
  }
}
