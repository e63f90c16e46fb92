package io.fieldstone.rlnc.file;

import io.fieldstone.stream.Batches;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.Stage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How batches are read from shards: by several threads if records lie in order.
 *
 * @param isInOrder true if one batch is read at a time
 * @param stage reads a batch that has been started
 * @param shards the shard of each cursor of a batch
 * @param summaries returns the contents of each shard so far
 */
record ShardReading(
    boolean isInOrder,
    Stage<DecodingBatch, IOException> stage,
    List<ShardFile> shards,
    Supplier<List<ShardSummary>> summaries) {

  /**
   * Returns how the shards are read.
   *
   * @param from the first generation to be read
   */
  static ShardReading of(ShardSet set, long from, Batches batches, NativeMemory memory)
      throws IOException {
    Optional<ShardRanges> ranges = set.ranges(batches, memory);
    if (ranges.isPresent()) {
      ShardRanges all = ranges.get();
      return new ShardReading(false, batch -> batch.read(all), all.shards(), all::summaries);
    }
    ShardCursors cursors = set.cursors(memory);
    skip(cursors, from);
    return new ShardReading(
        true, batch -> batch.read(cursors), cursors.shards(), cursors::summaries);
  }

  /** Reads on to the first block of a generation or of one after it. */
  private static void skip(ShardCursors cursors, long generation) throws IOException {
    for (long next = cursors.nextGeneration(generation);
        next < generation;
        next = cursors.nextGeneration(generation)) {
      cursors.drain(next, (_, _) -> {});
    }
  }
}
