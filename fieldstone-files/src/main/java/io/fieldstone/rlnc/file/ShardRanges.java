package io.fieldstone.rlnc.file;

import io.fieldstone.stream.Batches;
import io.fieldstone.stream.NativeMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/**
 * Shards whose records lie in order and in equal numbers for each generation, so that several
 * threads can read different generations by position. Samples of the records show it first; each
 * range read is checked. Damaged records in their places do no harm. Thread-safe.
 */
final class ShardRanges {

  /** The bytes of the read buffers of all slots, unless one record for each needs more. */
  private static final long WINDOW_BYTES = 64L << 20;

  /** The maximum bytes of the read buffers of all slots. */
  private static final long MAX_WINDOW_BYTES = 256L << 20;

  /** Thrown if the records of a shard are not in the ranges computed for them. */
  static final class IrregularException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** A shard, and the sums over its ranges read so far. */
  private record Part(
      ShardFile shard,
      long perGeneration,
      LongAdder records,
      LongAdder dropped,
      LongAdder lackingRanges) {

    /** Returns the bytes of a read buffer for some generations, at least of one record. */
    long windowBytes(int generations, long wantedBytes) {
      long record = shard.header().recordBytes();
      return Math.clamp(generations * perGeneration, 1, Math.max(1, wantedBytes / record)) * record;
    }

    /** Adds the counts of a range that has been read to its end. */
    void add(ShardCursor cursor) throws IrregularException {
      records.add(cursor.records());
      dropped.add(cursor.dropped());
      if (cursor.mayLackRecords()) {
        lackingRanges.increment();
      }
      // A long hole is for one cursor, which reads no further.
      boolean isHole = dropped.sum() * shard.header().recordBytes() > shard.maxDamage();
      if (isHole || cursor.block().isPresent()) {
        throw new IrregularException();
      }
    }

    ShardReport.Shard summary() {
      return ShardReport.Shard.of(shard, records.sum(), dropped.sum());
    }
  }

  private final List<Part> parts;

  /** Read buffers that no thread uses: one for each shard. */
  private final Queue<List<MemorySegment>> windows = new ConcurrentLinkedQueue<>();

  private ShardRanges(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  /**
   * Returns the ranges of some shards, with read buffers for each slot.
   *
   * @return empty if samples show that a shard has no such order, or the buffers were too large
   */
  static Optional<ShardRanges> of(List<ShardFile> shards, Batches batches, NativeMemory memory)
      throws IOException {
    List<Part> parts = new ArrayList<>();
    for (ShardFile shard : shards) {
      OptionalLong perGeneration = shard.recordsPerGeneration();
      if (perGeneration.isEmpty()) {
        return Optional.empty();
      }
      parts.add(
          new Part(
              shard, perGeneration.getAsLong(), new LongAdder(), new LongAdder(), new LongAdder()));
    }
    long wantedBytes = WINDOW_BYTES / batches.slots() / parts.size();
    ShardRanges ranges = new ShardRanges(parts);
    long[] bytes =
        parts.stream()
            .mapToLong(part -> part.windowBytes(batches.generations(), wantedBytes))
            .toArray();
    if (LongStream.of(bytes).sum() > MAX_WINDOW_BYTES / batches.slots()) {
      return Optional.empty();
    }
    for (int slot = 0; slot < batches.slots(); slot++) {
      List<MemorySegment> own = new ArrayList<>();
      for (long window : bytes) {
        own.add(memory.allocate(window));
      }
      ranges.windows.add(own);
    }
    return Optional.of(ranges);
  }

  /** Returns the shard of each cursor. */
  List<ShardFile> shards() {
    return parts.stream().map(Part::shard).toList();
  }

  /**
   * Passes all blocks of some generations to a receiver. At most one thread for each slot may read.
   *
   * @param first the first generation
   * @param count their number
   * @throws IrregularException if a record is not where it should be; the receiver may have got
   *     some
   */
  void read(long first, int count, Receiver receiver) throws IOException {
    List<MemorySegment> own = windows.remove();
    List<ShardCursor> cursors = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      ShardFile.Run run = part.shard.range(part.perGeneration, first, first + count);
      cursors.add(new ShardCursor(part.shard, run, true, own.get(i)));
    }
    receiver.take(new ShardCursors(cursors));
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).add(cursors.get(i));
    }
    windows.add(own);
  }

  /** Receives the cursors of a range, and drains them. */
  interface Receiver {
    void take(ShardCursors cursors) throws IOException;
  }

  /** Returns true if an undamaged record may lie across two of the ranges read so far. */
  boolean mayLackRecords() {
    return parts.stream().anyMatch(part -> part.lackingRanges.sum() > 0);
  }

  /** Returns the contents of each shard so far. */
  List<ShardReport.Shard> summaries() {
    return parts.stream().map(Part::summary).toList();
  }
}
