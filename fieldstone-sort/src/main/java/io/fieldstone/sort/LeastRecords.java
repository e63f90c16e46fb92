package io.fieldstone.sort;

import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.ProgressSum;
import io.fieldstone.stream.Stage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first records of a file in sorted order, found in one pass. Threads read pieces, and drop
 * records that are not less than the last of the candidates. The others are appended in the order
 * of the file; when the candidates fill their memory, they are sorted and cut off.
 *
 * <p>For one thread and a single use.
 */
final class LeastRecords {

  private static final long PIECE_BYTES = 1L << 20;

  /** The minimum candidates, so that they are not sorted often. */
  private static final long MIN_CANDIDATES = 1L << 16;

  private final MemorySort sort;
  private final RecordLayout layout;
  private final long most;
  private final boolean isDistinct;
  private final int threads;
  private final RecordFile input;
  private final long size;
  private final ProgressSum progress;
  private final MemorySegment candidates;
  private long filled;
  private long next;

  /** The ranks of the last candidate, once there are enough. */
  private volatile long @Nullable [] bound;

  private LeastRecords(
      MemorySort sort,
      RecordLayout layout,
      long most,
      boolean isDistinct,
      int threads,
      RecordFile input,
      long size,
      SortListener listener,
      Arena arena) {
    this.sort = sort;
    this.layout = layout;
    this.most = most;
    this.isDistinct = isDistinct;
    this.threads = threads;
    this.input = input;
    this.size = size;
    this.progress =
        new ProgressSum(size, (done, total) -> listener.progress(Pass.READ, done, total));
    this.candidates = arena.allocate(maxCandidates(most) * layout.recordBytes());
  }

  private static long maxCandidates(long most) {
    return Math.max(MIN_CANDIDATES, 2 * most);
  }

  private static long pieceBytes(RecordLayout layout) {
    return Math.max(1, PIECE_BYTES / layout.recordBytes()) * layout.recordBytes();
  }

  /** Returns the memory for candidates, copies of them and pieces, without that of the engine. */
  static long requiredBytes(RecordLayout layout, long most, int threads) {
    long each = 2L * layout.recordBytes() + RankSort.PAIR_BYTES;
    return Math.addExact(
        Math.multiplyExact(maxCandidates(most), each), threads * pieceBytes(layout));
  }

  /** Returns the number of records that are sorted at once. */
  static long sortedRecords(long most) {
    return maxCandidates(most);
  }

  /**
   * Writes the first records of a file in sorted order.
   *
   * @param most the maximum number of records that are written
   * @param isDistinct whether only the first record of each key counts
   * @param size the bytes of the records of the input
   * @return the number of records written
   */
  static long write(
      MemorySort sort,
      RecordLayout layout,
      long most,
      boolean isDistinct,
      int threads,
      RecordFile input,
      long size,
      RecordFile output,
      SortListener listener)
      throws IOException, InterruptedException {
    try (Arena arena = new CountedArena()) {
      LeastRecords least =
          new LeastRecords(sort, layout, most, isDistinct, threads, input, size, listener, arena);
      least.select(arena);
      output.write(least.candidates.asSlice(0, least.filled), 0);
      return least.filled / layout.recordBytes();
    }
  }

  private void select(Arena arena) throws IOException, InterruptedException {
    long pieceBytes = pieceBytes(layout);
    List<Piece> pieces = new ArrayList<>();
    for (long i = 0; i < Math.clamp(Math.ceilDiv(size, pieceBytes), 1, threads); i++) {
      pieces.add(new Piece(arena.allocate(pieceBytes)));
    }
    new Pipeline<Piece, IOException>("select", pieces)
        .inOrder("next", this::take)
        .anyOrder("read", this::read)
        .inOrder("select", this::add)
        .run();
    input.requireUnchanged();
    cut();
  }

  private long take(Piece piece) {
    if (next == size) {
      return Stage.END;
    }
    piece.position = next;
    piece.bytes = Math.min(piece.records.byteSize(), size - next);
    next += piece.bytes;
    return 0;
  }

  private long read(Piece piece) throws IOException {
    long bytes = piece.bytes;
    input.readFully(piece.records.asSlice(0, bytes), piece.position);
    progress.add(bytes);
    long[] last = bound;
    if (last != null) {
      int recordBytes = layout.recordBytes();
      long kept = 0;
      for (long at = 0; at < bytes; at += recordBytes) {
        if (isLess(piece.records, at, last)) {
          MemorySegment.copy(piece.records, at, piece.records, kept, recordBytes);
          kept += recordBytes;
        }
      }
      piece.bytes = kept;
    }
    return bytes;
  }

  private boolean isLess(MemorySegment records, long at, long[] last) {
    for (int i = 0; i < last.length; i++) {
      int order = Long.compareUnsigned(layout.rank(records, at, i), last[i]);
      if (order != 0) {
        return order < 0;
      }
    }
    return false;
  }

  private long add(Piece piece) throws InterruptedException {
    for (long at = 0; at < piece.bytes; ) {
      if (filled == candidates.byteSize()) {
        cut();
      }
      long bytes = Math.min(piece.bytes - at, candidates.byteSize() - filled);
      MemorySegment.copy(piece.records, at, candidates, filled, bytes);
      filled += bytes;
      at += bytes;
    }
    return piece.bytes;
  }

  /** Sorts the candidates and drops those that are too many. */
  private void cut() throws InterruptedException {
    int recordBytes = layout.recordBytes();
    sort.sort(candidates.asSlice(0, filled));
    if (isDistinct) {
      filled = new DistinctKeys(layout).keep(candidates.asSlice(0, filled));
    }
    filled = Math.min(filled, most * recordBytes);
    if (filled == most * recordBytes && filled > 0) {
      long[] ranks = new long[layout.ranks()];
      for (int i = 0; i < ranks.length; i++) {
        ranks[i] = layout.rank(candidates, filled - recordBytes, i);
      }
      bound = ranks;
    }
  }

  /** Records that one thread reads. */
  private static final class Piece {
    private final MemorySegment records;
    private long position;
    private long bytes;

    Piece(MemorySegment records) {
      this.records = records;
    }
  }
}
