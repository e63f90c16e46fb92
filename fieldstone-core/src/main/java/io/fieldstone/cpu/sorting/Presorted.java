package io.fieldstone.cpu.sorting;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.cpu.sorting.SortMemory.Workbench;
import java.lang.foreign.MemorySegment;

/**
 * Finds that records are in order already, or in the reverse of it, and does what is left to do. Of
 * others it looks at no more than the first block.
 */
final class Presorted {

  private final ItemOps items;
  private final SortResources room;

  Presorted(ItemOps items, SortResources room) {
    this.items = items;
    this.room = room;
  }

  /**
   * Sorts, if nothing has to be compared with anything but its neighbour.
   *
   * @param source the records as items
   * @param sorted the memory of the records, or other memory
   */
  boolean sort(DirectItems source, MemorySegment records, MemorySegment sorted) {
    long count = items.items(records.byteSize());
    if (count == 0) {
      return true;
    }
    if (isInOrder(source, count, false)) {
      if (!records.equals(sorted)) {
        MemorySegment.copy(records, 0, sorted, 0, records.byteSize());
      }
      return true;
    }
    if (isInOrder(source, count, true)) {
      reverse(records, sorted, count);
      return true;
    }
    return false;
  }

  /** Each block is loaded with the first item of the next. */
  private boolean isInOrder(DirectItems source, long count, boolean reversed) {
    try (Workbench bench = room.takeBench()) {
      long step = Workbench.BLOCK_ITEMS - 1;
      for (long first = 0; first < count; first += step) {
        int number = (int) Math.min(Workbench.BLOCK_ITEMS, count - first);
        long block = source.load(first, number, bench.block());
        if (items.inOrder(block, number, reversed) < number) {
          return false;
        }
      }
      return source.isSound();
    }
  }

  /** Exchanges blocks from both ends, the items of each turned round. */
  private void reverse(MemorySegment records, MemorySegment sorted, long count) {
    long pairs = Math.ceilDiv(count, 2L * Workbench.BLOCK_ITEMS);
    room.forEach(
        Math.toIntExact(pairs),
        pair -> {
          long first = (long) pair * Workbench.BLOCK_ITEMS;
          long behind = Math.min(first + Workbench.BLOCK_ITEMS, Math.ceilDiv(count, 2));
          int number = (int) (behind - first);
          try (Workbench bench = room.takeBench()) {
            long head = bench.run();
            long tail = bench.otherRun();
            long last = count - behind;
            MemorySegment.copy(records, items.bytes(first), Rows.MEMORY, head, items.bytes(number));
            MemorySegment.copy(records, items.bytes(last), Rows.MEMORY, tail, items.bytes(number));
            items.reverse(head, number);
            items.reverse(tail, number);
            MemorySegment.copy(Rows.MEMORY, tail, sorted, items.bytes(first), items.bytes(number));
            MemorySegment.copy(Rows.MEMORY, head, sorted, items.bytes(last), items.bytes(number));
          }
        });
  }
}
