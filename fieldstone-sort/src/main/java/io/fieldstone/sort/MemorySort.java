package io.fieldstone.sort;

import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.engine.memory.MemoryPreconditions;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.SortPreconditions;
import io.fieldstone.engine.sorting.Sorting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Sorts records of a layout in memory: as the engine does, as items if they can be packed, or by
 * their ranks. Immutable; as thread-safe as the engine.
 */
final class MemorySort {

  private final Sorting sorting;
  private final RecordLayout layout;
  private final int threads;

  /**
   * Creates a sort.
   *
   * @param sorting sorts records of {@link #format}
   */
  MemorySort(Sorting sorting, RecordLayout layout, int threads) {
    this.sorting = sorting;
    this.layout = layout;
    this.threads = threads;
  }

  /** Returns the format that an engine sorts for a layout. */
  static RecordFormat format(RecordLayout layout) {
    return layout
        .format()
        .or(() -> RecordPacking.of(layout).map(RecordPacking::format))
        .orElse(RankSort.PAIR);
  }

  /**
   * Sorts records in place.
   *
   * @throws IllegalArgumentException if the memory is not a whole number of records, or read-only
   * @throws InterruptedException if the calling thread is interrupted; the records are unchanged
   */
  void sort(MemorySegment records) throws InterruptedException {
    Optional<RecordPacking> packing = RecordPacking.of(layout);
    if (layout.format().isPresent()) {
      sorting.sort(records);
    } else if (packing.isPresent()) {
      sort(records, packing.get());
    } else {
      new RankSort(sorting, layout, threads).sort(records);
    }
  }

  private void sort(MemorySegment records, RecordPacking packing) {
    long bytes = records.byteSize();
    long count = SortPreconditions.requireRecords(layout.recordBytes(), layout, bytes);
    MemoryPreconditions.requireWritable("the sorted records", records);
    try (Arena arena = new CountedArena()) {
      MemorySegment copy = arena.allocate(bytes + RecordCodec.SLACK_BYTES);
      MemorySegment.copy(records, 0, copy, 0, bytes);
      MemorySegment items = arena.allocate(count * packing.itemBytes());
      packing.toItems(copy, 0, items);
      sorting.sort(items);
      packing.toRecords(items, copy);
      MemorySegment.copy(copy, 0, records, 0, bytes);
    }
  }
}
