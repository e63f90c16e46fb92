package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.CodedBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Iterates over the shards of one object together, generation by generation. */
final class ShardCursors {

  /** Receives a block, in memory that is valid during the call. */
  interface Sink {
    void take(ShardFile shard, CodedBlock block) throws IOException;
  }

  private final List<ShardCursor> cursors;

  ShardCursors(List<ShardCursor> cursors) {
    this.cursors = List.copyOf(cursors);
  }

  /** Returns the lowest current generation of the cursors, or {@code otherwise} after the last. */
  long nextGeneration(long otherwise) {
    return cursors.stream()
        .mapToLong(cursor -> cursor.generationOr(otherwise))
        .min()
        .orElse(otherwise);
  }

  /**
   * Passes every block of a generation to a sink and advances. It alternates between the shards,
   * because systematic shards start with their source blocks.
   *
   * @return the number of blocks
   */
  long drain(long generation, Sink sink) throws IOException {
    long blocks = 0;
    long before;
    do {
      before = blocks;
      for (ShardCursor cursor : cursors) {
        if (cursor.isAt(generation)) {
          sink.take(cursor.shard(), cursor.block().orElseThrow());
          cursor.advance();
          blocks++;
        }
      }
    } while (blocks > before);
    return blocks;
  }

  /** Returns the shard of each cursor. */
  List<ShardFile> shards() {
    return cursors.stream().map(ShardCursor::shard).toList();
  }

  /** Returns the position of each cursor in its file. */
  long[] positions() {
    return cursors.stream().mapToLong(ShardCursor::position).toArray();
  }

  /** Returns the contents of each shard so far. */
  List<ShardReport.Shard> summaries() {
    Map<ShardFile, List<ShardCursor>> byShard = new LinkedHashMap<>();
    for (ShardCursor cursor : cursors) {
      byShard.computeIfAbsent(cursor.shard(), _ -> new ArrayList<>()).add(cursor);
    }
    List<ShardReport.Shard> summaries = new ArrayList<>();
    byShard.forEach((shard, runs) ->
        summaries.add(
            ShardReport.Shard.of(
                shard,
                runs.stream().mapToLong(ShardCursor::records).sum(),
                runs.stream().mapToLong(ShardCursor::dropped).sum())));
    return summaries;
  }
}
