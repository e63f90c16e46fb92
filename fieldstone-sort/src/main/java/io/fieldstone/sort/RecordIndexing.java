package io.fieldstone.sort;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Records with their index, of which the result keeps the index only: sorting them gives the
 * sorting permutation. Of a key with one rank, an item is that rank and the index; otherwise it is
 * the record and the index. Indices are 64-bit integers. Immutable and thread-safe.
 */
final class RecordIndexing implements RecordCodec {

  private final RecordLayout layout;
  private final boolean isRank;

  RecordIndexing(RecordLayout layout) {
    this.layout = layout;
    this.isRank = layout.ranks() == 1;
  }

  /** Returns the layout of items. */
  RecordLayout items() {
    return isRank
        ? RecordLayout.of(RankSort.PAIR)
        : new RecordLayout(itemBytes(), layout.keyOffset(), layout.key(), layout.direction());
  }

  /** Returns the codec that writes results: indices without the rest. */
  RecordCodec indices() {
    int bytes = itemBytes();
    return new RecordCodec() {
      @Override
      public int fileBytes() {
        return Long.BYTES;
      }

      @Override
      public int itemBytes() {
        return bytes;
      }

      @Override
      public void toItems(MemorySegment records, long first, MemorySegment items) {
        throw new UnsupportedOperationException("indices are only written");
      }

      @Override
      public void toRecords(MemorySegment items, MemorySegment records) {
        long to = 0;
        for (long at = bytes; at <= items.byteSize(); at += bytes, to += Long.BYTES) {
          long index = items.get(JAVA_LONG_UNALIGNED, at - Long.BYTES);
          records.set(JAVA_LONG_UNALIGNED, to, index);
        }
      }
    };
  }

  @Override
  public int fileBytes() {
    return layout.recordBytes();
  }

  @Override
  public int itemBytes() {
    return isRank ? RankSort.PAIR_BYTES : layout.recordBytes() + Long.BYTES;
  }

  @Override
  public void toItems(MemorySegment records, long first, MemorySegment items) {
    int bytes = itemBytes();
    int recordBytes = layout.recordBytes();
    long index = first;
    long from = 0;
    for (long at = 0; at < items.byteSize(); at += bytes, from += recordBytes) {
      if (isRank) {
        items.set(JAVA_LONG_UNALIGNED, at, layout.rank(records, from, 0));
      } else {
        MemorySegment.copy(records, from, items, at, recordBytes);
      }
      items.set(JAVA_LONG_UNALIGNED, at + bytes - Long.BYTES, index);
      index++;
    }
  }

  @Override
  public void toRecords(MemorySegment items, MemorySegment records) {
    throw new UnsupportedOperationException("records are only read");
  }
}
