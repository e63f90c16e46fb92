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

  /** Pairs whose ranks up to one are equal. */
  private record Group(long first, long count, int rank) {}

  /**
   * Computes the sorted order. Equal keys keep their order.
   *
   * @param records whole records
   * @param pairs {@value #PAIR_BYTES} bytes for each record; the second half of pair i becomes the
   *     index of the i-th record in sorted order
   */
  void order(MemorySegment records, MemorySegment pairs) throws IOException, InterruptedException {
    Pieces.forEach(
        "ranks",
        threads,
        pairs.byteSize(),
        PAIRS_AT_ONCE,
        (position, bytes) -> {
          for (long at = position; at < position + bytes; at += PAIR_BYTES) {
            long index = at / PAIR_BYTES;
            pairs.set(JAVA_LONG_UNALIGNED, at, rank(records, index, 0));
            pairs.set(JAVA_LONG_UNALIGNED, at + Long.BYTES, index);
          }
        });
    sorting.sort(pairs);
    Deque<Group> groups = new ArrayDeque<>();
    addGroups(new Group(0, pairs.byteSize() / PAIR_BYTES, 0), pairs, groups);
    while (!groups.isEmpty()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("sorting was interrupted");
      }
      sort(groups.pop(), records, pairs, groups);
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
      for (long i = 0; i < count; i++) {
        MemorySegment.copy(copy, index(pairs, i) * bytes, records, i * bytes, bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no file is read", e);
    }
  }

  /** Returns the index of a record by its position in sorted order. */
  static long index(MemorySegment pairs, long position) {
    return pairs.get(JAVA_LONG_UNALIGNED, position * PAIR_BYTES + Long.BYTES);
  }

  private long rank(MemorySegment records, long index, int rank) {
    return layout.rank(records, index * layout.recordBytes(), rank);
  }

  /** Finds groups of equal ranks in sorted pairs, if keys have more ranks. */
  private void addGroups(Group sorted, MemorySegment pairs, Deque<Group> groups) {
    int next = sorted.rank + 1;
    if (next == layout.ranks()) {
      return;
    }
    long end = sorted.first + sorted.count;
    long first = sorted.first;
    while (first < end) {
      long rank = pairs.get(JAVA_LONG_UNALIGNED, first * PAIR_BYTES);
      long last = first + 1;
      while (last < end && pairs.get(JAVA_LONG_UNALIGNED, last * PAIR_BYTES) == rank) {
        last++;
      }
      if (last - first > 1) {
        groups.push(new Group(first, last - first, next));
      }
      first = last;
    }
  }

  private void sort(Group group, MemorySegment records, MemorySegment pairs, Deque<Group> groups) {
    if (group.count <= MAX_INSERTED) {
      insert(group, records, pairs);
      return;
    }
    MemorySegment own = pairs.asSlice(group.first * PAIR_BYTES, group.count * PAIR_BYTES);
    for (long i = 0; i < group.count; i++) {
      own.set(JAVA_LONG_UNALIGNED, i * PAIR_BYTES, rank(records, index(own, i), group.rank));
    }
    sorting.sort(own);
    addGroups(group, pairs, groups);
  }

  /** Sorts the indices of a small group by all further ranks. */
  private void insert(Group group, MemorySegment records, MemorySegment pairs) {
    int bytes = layout.recordBytes();
    for (long i = group.first + 1; i < group.first + group.count; i++) {
      long index = index(pairs, i);
      long place = i;
      while (place > group.first) {
        long before = index(pairs, place - 1);
        if (layout.compare(records, before * bytes, records, index * bytes, group.rank) <= 0) {
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
