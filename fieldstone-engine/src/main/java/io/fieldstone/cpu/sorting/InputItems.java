package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;

import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordInput;
import io.fieldstone.engine.sorting.RecordOutput;

/** Records of an input that are items themselves. Reading floating-point keys also detects NaN. */
final class InputItems implements ItemSort.Source {

  /** Bytes that are read at once: they stay in a second-level cache until they are moved. */
  private static final long BLOCK_BYTES = 256 << 10;

  private final RecordInput input;
  private final ItemOps items;
  private final KeyCodec ranks;
  private volatile boolean hasNoNan = true;

  InputItems(RecordFormat format, ItemOps items, RecordInput input) {
    this.input = input;
    this.items = items;
    this.ranks = new KeyCodec(format, items);
  }

  @Override
  public int blockItems() {
    return (int) items.items(BLOCK_BYTES);
  }

  @Override
  public void copy(long first, int count, long to) {
    input.read(items.bytes(first), MEMORY.asSlice(to, items.bytes(count)));
    if (!ranks.toBitOrdered(to, count)) {
      hasNoNan = false;
    }
  }

  @Override
  public boolean hasNoNan() {
    return hasNoNan;
  }

  /** Returns the same items, of which NaNs are sorted by their bits. */
  ItemSort.Source acceptingNan() {
    return new ItemSort.Source() {
      @Override
      public int blockItems() {
        return InputItems.this.blockItems();
      }

      @Override
      public void copy(long first, int count, long to) {
        InputItems.this.copy(first, count, to);
      }
    };
  }

  /** Writes items as records; {@code first} is the number of items before them. */
  void restore(long from, int count, RecordOutput output, long first) {
    ranks.fromBitOrdered(from, count);
    output.write(items.bytes(first), MEMORY.asSlice(from, items.bytes(count)));
  }
}
