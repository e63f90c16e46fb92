package io.fieldstone.cpu;

import static io.fieldstone.cpu.Rows.MEMORY;

import io.fieldstone.engine.KeyType;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.RecordFormat.Direction;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Records that are items themselves: a key, alone or with a payload of its size. Where keys are
 * numbers, some may be none, which is found when they are loaded.
 */
final class WholeRecords implements ItemSort.Source {

  private final MemorySegment records;
  private final SortItems items;
  private final Optional<KeyWords> numbers;
  private volatile boolean isSound = true;

  private WholeRecords(MemorySegment records, SortItems items, Optional<KeyWords> numbers) {
    this.records = records;
    this.items = items;
    this.numbers = numbers;
  }

  /** The items that records of a format are, if they are. */
  static Optional<SortItems> items(RecordFormat format) {
    KeyType key = format.key();
    boolean are32 = key.bytes() == Integer.BYTES;
    long sign = are32 ? 1L << (Integer.SIZE - 1) : Long.MIN_VALUE;
    boolean isUnsigned = key == KeyType.U32 || key == KeyType.U64;
    long flipped =
        (isUnsigned ? 0 : sign)
            ^ (format.direction() == Direction.DESCENDING ? format.mostRank() : 0);
    if (format.payloadBytes() == 0) {
      return Optional.of(are32 ? new IntItems(flipped) : new LongItems(Long.SIZE, flipped));
    }
    if (format.payloadBytes() == key.bytes()) {
      return Optional.of(are32 ? new LongItems(Integer.SIZE, flipped) : new WideItems(flipped));
    }
    return Optional.empty();
  }

  /** Records of a format as its {@link #items(RecordFormat) items}. */
  static WholeRecords of(RecordFormat format, SortItems items, MemorySegment records) {
    return new WholeRecords(
        records,
        items,
        format.key().isFloating() ? Optional.of(new KeyWords(items)) : Optional.empty());
  }

  @Override
  public long load(long first, int count, long spare) {
    if (records.isNative() && numbers.isEmpty()) {
      return records.address() + items.bytes(first);
    }
    copy(first, count, spare);
    return spare;
  }

  @Override
  public void copy(long first, int count, long to) {
    MemorySegment.copy(records, items.bytes(first), MEMORY, to, items.bytes(count));
    if (numbers.isPresent() && !numbers.get().toIntegers(to, count)) {
      isSound = false;
    }
  }

  @Override
  public boolean isSound() {
    return isSound;
  }

  /** Makes records of items; {@code first} is how many come before them. */
  void restore(long from, int count, MemorySegment sorted, long first) {
    numbers.ifPresent(words -> words.toNumbers(from, count));
    MemorySegment.copy(MEMORY, from, sorted, items.bytes(first), items.bytes(count));
  }
}
