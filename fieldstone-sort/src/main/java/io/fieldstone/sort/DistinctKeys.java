package io.fieldstone.sort;

import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Keeps the first of sorted records with the same key. For one thread and a single use. */
final class DistinctKeys {

  private static final long PIECE_BYTES = 1L << 20;

  private final RecordLayout layout;

  /** The ranks of the last record that was kept. */
  private final long[] last;

  private boolean isFirst = true;

  DistinctKeys(RecordLayout layout) {
    this.layout = layout;
    this.last = new long[layout.ranks()];
  }

  /**
   * Moves the records that are kept to the start of the memory.
   *
   * @param records the next of the sorted records
   * @return the bytes of those that are kept
   */
  long keep(MemorySegment records) {
    int bytes = layout.recordBytes();
    long kept = 0;
    for (long at = 0; at < records.byteSize(); at += bytes) {
      if (isNext(records, at)) {
        if (kept < at) {
          MemorySegment.copy(records, at, records, kept, bytes);
        }
        kept += bytes;
      }
    }
    return kept;
  }

  private boolean isNext(MemorySegment records, long at) {
    boolean isNext = isFirst;
    for (int i = 0; i < last.length; i++) {
      long rank = layout.rank(records, at, i);
      isNext |= rank != last[i];
      last[i] = rank;
    }
    isFirst = false;
    return isNext;
  }

  /**
   * Moves the records of a file that are kept towards its start. The bytes after them are left.
   *
   * @param start the bytes before the first record
   * @param size the bytes of the records
   * @return the bytes of those that are kept
   */
  long keep(OpenFile file, long start, long size, SortListener listener)
      throws IOException, InterruptedException {
    long pieceBytes = Math.max(1, PIECE_BYTES / layout.recordBytes()) * layout.recordBytes();
    long kept = 0;
    try (Arena arena = new CountedArena()) {
      MemorySegment buffer = arena.allocate(Math.min(pieceBytes, Math.max(1, size)));
      for (long at = 0; at < size; at += pieceBytes) {
        if (Thread.interrupted()) {
          throw new InterruptedException("sorting was interrupted");
        }
        MemorySegment records = buffer.asSlice(0, Math.min(pieceBytes, size - at));
        file.readFully(records, start + at);
        long bytes = keep(records);
        if (kept < at || bytes < records.byteSize()) {
          file.write(records.asSlice(0, bytes), start + kept);
        }
        kept += bytes;
        listener.progress(Pass.DISTINCT, at + records.byteSize(), size);
      }
    }
    return kept;
  }
}
