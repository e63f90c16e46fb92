package io.fieldstone.cpu.sorting;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.cpu.sorting.ItemSort.Sink;
import io.fieldstone.cpu.sorting.ItemSort.Source;
import io.fieldstone.cpu.sorting.SortMemory.Workbench;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sorts records that are in order already, or in reverse order. Others are rejected at the first
 * pair of neighbours that shows it.
 */
final class Presorted {

  /** Items that a thread checks in one task. */
  private static final long PIECE_ITEMS = 1 << 17;

  /** Items that are checked before other threads are woken. */
  private static final long FIRST_ITEMS = 1 << 12;

  /**
   * The same for keys in an array, which are checked, and exchanged, without a copy. Waking a
   * thread takes as long as some hundred thousand of them.
   */
  private static final long FIRST_KEYS = 1 << 20;

  /**
   * Number of keys in an array from which they are exchanged as they are checked: reading them
   * twice from memory takes longer than exchanging some of them back.
   */
  private static final long MIN_EXCHANGED = 2 * FIRST_KEYS;

  private final ItemOps items;
  private final SortResources resources;

  Presorted(ItemOps items, SortResources resources) {
    this.items = items;
    this.resources = resources;
  }

  /**
   * Copies ordered records, reverses records in reverse order, and returns false for all others.
   *
   * @param source the records as items
   * @param sorted the memory of the records, or memory that does not overlap it
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
    if (count > MIN_EXCHANGED && records.equals(sorted) && source.arrayKeys().isPresent()) {
      return reverseIfOrdered(source.arrayKeys().get(), (int) count);
    }
    if (isInOrder(source, count, true)) {
      if (records.equals(sorted) && source.arrayKeys().isPresent()) {
        reverse(source.arrayKeys().get(), (int) count);
      } else {
        reverse(records, sorted, count);
      }
      return true;
    }
    return false;
  }

  /** As above, for records that are read and written by position. */
  boolean sort(Source source, long count, Sink sink) {
    if (count == 0) {
      return true;
    }
    boolean reversed = !isInOrder(source, count, false);
    if (reversed && !isInOrder(source, count, true)) {
      return false;
    }
    ItemShares shares = new ItemShares(count, resources.threads());
    shares.forEachBlock(
        resources,
        source.blockItems(),
        (_, first, block, number) -> {
          source.copy(first, number, block);
          if (reversed) {
            items.reverse(block, number);
          }
          sink.store(block, number, reversed ? count - first - number : first);
        });
    return true;
  }

  private boolean isInOrder(Source source, long count, boolean reversed) {
    long last = count - 1;
    long checked = Math.min(arrayKeys(source).isPresent() ? FIRST_KEYS : FIRST_ITEMS, last);
    if (!isInOrder(source, 0, checked, reversed)) {
      return false;
    }
    AtomicBoolean isInOrder = new AtomicBoolean(true);
    int pieces = Math.toIntExact(Math.ceilDiv(last - checked, PIECE_ITEMS));
    resources.forEach(
        pieces,
        piece -> {
          long first = checked + (long) piece * PIECE_ITEMS;
          long end = Math.min(first + PIECE_ITEMS, last);
          if (isInOrder.get() && !isInOrder(source, first, end, reversed)) {
            isInOrder.set(false);
          }
        });
    return isInOrder.get();
  }

  /** Checks items {@code first} … {@code last}; each block overlaps the next by one item. */
  private boolean isInOrder(Source source, long first, long last, boolean reversed) {
    Optional<ArrayKeys> keys = arrayKeys(source);
    if (keys.isPresent()) {
      return keys.get().areOrdered((int) first, (int) last, reversed);
    }
    try (Workbench workbench = resources.takeWorkbench()) {
      int most = source.blockItems();
      for (long from = first; from <= last; from += most - 1) {
        int number = (int) Math.min(most, last + 1 - from);
        long block = source.load(from, number, workbench.block(most));
        if (items.inOrder(block, number, reversed) < number) {
          return false;
        }
      }
      return source.hasNoNan();
    }
  }

  private static Optional<ArrayKeys> arrayKeys(Source source) {
    return source instanceof DirectItems direct ? direct.arrayKeys() : Optional.empty();
  }

  /**
   * Checks pieces at the same distance from both ends for reverse order, and exchanges those that
   * have it. Exchanges them back, and returns false, if others do not.
   */
  private boolean reverseIfOrdered(ArrayKeys keys, int count) {
    int half = count / 2;
    int pieceKeys = (int) PIECE_ITEMS;
    int pieces = Math.ceilDiv(half, pieceKeys);
    if (!areEdgesReversed(keys, count, pieceKeys)) {
      return false;
    }
    AtomicBoolean isReversed = new AtomicBoolean(true);
    boolean[] exchanged = new boolean[pieces];
    resources.forEach(
        pieces,
        piece -> {
          int first = piece * pieceKeys;
          int last = Math.min(first + pieceKeys, half) - 1;
          if (!isReversed.get()) {
            return;
          }
          if (keys.areOrdered(first, last, true)
              && keys.areOrdered(count - 1 - last, count - 1 - first, true)) {
            keys.exchange(first, count - 1 - first, last + 1 - first);
            exchanged[piece] = true;
          } else {
            isReversed.set(false);
          }
        });
    if (!isReversed.get()) {
      resources.forEach(
          pieces,
          piece -> {
            int first = piece * pieceKeys;
            if (exchanged[piece]) {
              keys.exchange(first, count - 1 - first, Math.min(pieceKeys, half - first));
            }
          });
    }
    return isReversed.get();
  }

  /** Checks the neighbours that are in different pieces, and the keys in the middle. */
  private static boolean areEdgesReversed(ArrayKeys keys, int count, int pieceKeys) {
    int half = count / 2;
    for (int edge = pieceKeys; edge < half; edge += pieceKeys) {
      if (keys.compare(edge - 1, edge) < 0 || keys.compare(count - 1 - edge, count - edge) < 0) {
        return false;
      }
    }
    return keys.areOrdered(half - 1, count - half, true);
  }

  /** Exchanges keys of an array in place. */
  private void reverse(ArrayKeys keys, int count) {
    int half = count / 2;
    int pieceKeys = (int) (half <= FIRST_KEYS ? FIRST_KEYS : PIECE_ITEMS);
    resources.forEach(
        Math.ceilDiv(half, pieceKeys),
        piece -> {
          int first = piece * pieceKeys;
          keys.exchange(first, count - 1 - first, Math.min(pieceKeys, half - first));
        });
  }

  /** Exchanges blocks from both ends and reverses the items of each. */
  private void reverse(MemorySegment records, MemorySegment sorted, long count) {
    long pairs = Math.ceilDiv(count, 2L * Workbench.BLOCK_ITEMS);
    resources.forEach(
        Math.toIntExact(pairs),
        pair -> {
          long first = (long) pair * Workbench.BLOCK_ITEMS;
          long end = Math.min(first + Workbench.BLOCK_ITEMS, Math.ceilDiv(count, 2));
          int number = (int) (end - first);
          try (Workbench workbench = resources.takeWorkbench()) {
            long head = workbench.run();
            long tail = workbench.otherRun();
            long last = count - end;
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
