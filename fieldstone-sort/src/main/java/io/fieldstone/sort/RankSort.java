package io.fieldstone.sort;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.engine.memory.MemoryPreconditions;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.SortPreconditions;
import io.fieldstone.engine.sorting.Sorting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;

/**
 * Computes the sorted order of records of any layout. An engine sorts pairs of the first rank of
 * each key and the index of its record. Pairs of equal ranks are sorted again by the next rank, and
 * so on: a radix sort from the most significant 64 bits on, which reads no more of a key than is
 * needed. Groups of a few records are sorted by insertion.
 *
 * <p>Immutable; as thread-safe as the engine.
 */
final class RankSort {

  /** A rank and the index of a record. */
  static final RecordFormat PAIR = RecordFormat.of(KeyType.U64).withPayload(Long.BYTES);

  static final int PAIR_BYTES = 2 * Long.BYTES;

  /** The maximum records of a group that is sorted by insertion. */
  private static final int MAX_INSERTED = 24;

  /** The bytes of pairs that a thread writes at once. */
  private static final long PAIRS_AT_ONCE = 1L << 20;

  private final Sorting sorting;
  private final RecordLayout layout;
  private final int threads;

  /**
   * Creates a sort.
   *
   * @param sorting sorts records of the format {@link #PAIR}
   * @param threads the maximum number of threads that read keys
   */
  RankSort(Sorting sorting, RecordLayout layout, int threads) {
    this.sorting = sorting;
    this.layout = layout;
    this.threads = threads;
  }

  /** Pairs in the order of a rank, in which groups of equal ranks are still to be sorted. */
  private record Sorted(long first, long end, int rank) {}

  /**
   * Computes the sorted order. Equal keys keep their order.
   *
   * @param records whole records
   * @param pairs {@value #PAIR_BYTES} bytes for each record; the second half of pair i becomes the
   *     index of the i-th record in sorted order
   */
  void order(MemorySegment records, MemorySegment pairs) throws IOException, InterruptedException {
    forEachPair(
        pairs,
        at -> {
          long index = at / PAIR_BYTES;
          pairs.set(JAVA_LONG_UNALIGNED, at, rank(records, index, 0));
          pairs.set(JAVA_LONG_UNALIGNED, at + Long.BYTES, index);
        });
    sorting.sort(pairs);
    // At most one for each rank of a key.
    Deque<Sorted> open = new ArrayDeque<>();
    open.push(new Sorted(0, pairs.byteSize() / PAIR_BYTES, 0));
    while (!open.isEmpty()) {
      sortGroups(open.pop(), records, pairs, open);
    }
  }

  /**
   * Sorts records in place.
   *
   * @throws IllegalArgumentException if the memory is not a whole number of records, or read-only
   * @throws InterruptedException if the calling thread is interrupted; the records are unchanged
   */
  void sort(MemorySegment records) throws InterruptedException {
    int bytes = layout.recordBytes();
    long count = SortPreconditions.requireRecords(bytes, layout, records.byteSize());
    MemoryPreconditions.requireWritable("the sorted records", records);
    try (Arena arena = new CountedArena()) {
      // Threads of any kind read the copy, which no other code can close or change.
      MemorySegment copy = arena.allocate(records.byteSize()).copyFrom(records);
      MemorySegment pairs = arena.allocate(count * PAIR_BYTES);
      order(copy, pairs);
      gather(copy, pairs, bytes, 0, records);
    } catch (IOException e) {
      throw new UncheckedIOException("no file is read", e);
    }
  }

  /**
   * Copies records in sorted order.
   *
   * @param from the bytes of sorted records before those that are copied
   * @param to memory of whole records
   */
  static void gather(
      MemorySegment records, MemorySegment pairs, int recordBytes, long from, MemorySegment to) {
    long first = from / recordBytes;
    long count = to.byteSize() / recordBytes;
    for (long i = 0; i < count; i++) {
      long index = index(pairs, first + i);
      MemorySegment.copy(records, index * recordBytes, to, i * recordBytes, recordBytes);
    }
  }

  /** Returns the index of a record by its position in sorted order. */
  static long index(MemorySegment pairs, long position) {
    return pairs.get(JAVA_LONG_UNALIGNED, position * PAIR_BYTES + Long.BYTES);
  }

  private long rank(MemorySegment records, long index, int rank) {
    return layout.rank(records, index * layout.recordBytes(), rank);
  }

  /**
   * Sorts groups of equal ranks by the further ranks, up to the first large group. That is sorted
   * by its next rank only, and pushed after the pairs that follow it.
   */
  private void sortGroups(
      Sorted sorted, MemorySegment records, MemorySegment pairs, Deque<Sorted> open)
      throws IOException, InterruptedException {
    int next = sorted.rank + 1;
    if (next == layout.ranks()) {
      return;
    }
    long first = sorted.first;
    while (first < sorted.end) {
      long end = endOfGroup(pairs, first, sorted.end);
      if (end - first > 1 && Thread.interrupted()) {
        throw new InterruptedException("sorting was interrupted");
      }
      if (end - first > MAX_INSERTED) {
        sort(first, end, next, records, pairs);
        open.push(new Sorted(end, sorted.end, sorted.rank));
        open.push(new Sorted(first, end, next));
        return;
      }
      insert(first, end, next, records, pairs);
      first = end;
    }
  }

  /** Returns the end of the pairs that have the same rank as the first. */
  private static long endOfGroup(MemorySegment pairs, long first, long end) {
    long rank = pairs.get(JAVA_LONG_UNALIGNED, first * PAIR_BYTES);
    long last = first + 1;
    while (last < end && pairs.get(JAVA_LONG_UNALIGNED, last * PAIR_BYTES) == rank) {
      last++;
    }
    return last;
  }

  /** Sorts pairs by a rank. */
  private void sort(long first, long end, int rank, MemorySegment records, MemorySegment pairs)
      throws IOException, InterruptedException {
    MemorySegment own = pairs.asSlice(first * PAIR_BYTES, (end - first) * PAIR_BYTES);
    forEachPair(
        own,
        at -> own.set(JAVA_LONG_UNALIGNED, at, rank(records, index(own, at / PAIR_BYTES), rank)));
    sorting.sort(own);
  }

  /** Calls a task for the position of each pair, on several threads if there are many. */
  private void forEachPair(MemorySegment pairs, LongConsumer task)
      throws IOException, InterruptedException {
    Pieces.Task each =
        (position, bytes) -> {
          for (long at = position; at < position + bytes; at += PAIR_BYTES) {
            task.accept(at);
          }
        };
    if (pairs.byteSize() <= PAIRS_AT_ONCE) {
      each.run(0, pairs.byteSize());
    } else {
      Pieces.forEach("ranks", threads, pairs.byteSize(), PAIRS_AT_ONCE, each);
    }
  }

  /** Sorts the indices of a few pairs by a rank and all after it. */
  private void insert(long first, long end, int rank, MemorySegment records, MemorySegment pairs) {
    int bytes = layout.recordBytes();
    for (long i = first + 1; i < end; i++) {
      long index = index(pairs, i);
      long place = i;
      while (place > first) {
        long before = index(pairs, place - 1);
        if (layout.compare(records, before * bytes, records, index * bytes, rank) <= 0) {
          break;
        }
        setIndex(pairs, place, before);
        place--;
      }
      setIndex(pairs, place, index);
    }
  }

  private static void setIndex(MemorySegment pairs, long position, long index) {
    pairs.set(JAVA_LONG_UNALIGNED, position * PAIR_BYTES + Long.BYTES, index);
  }
}
