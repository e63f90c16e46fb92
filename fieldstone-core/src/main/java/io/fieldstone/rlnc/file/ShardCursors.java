package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.CodedBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Cursors over the shards of one object that go on together, generation after generation. */
final class ShardCursors {

  /** Takes a block, in memory that is valid during the call. */
  interface Sink {
    void take(ShardFile shard, CodedBlock block) throws IOException;
  }

  private final List<ShardCursor> cursors;

  ShardCursors(List<ShardCursor> cursors) {
    this.cursors = List.copyOf(cursors);
  }

  /** The lowest generation that a cursor is at, or {@code otherwise} when all are at their ends. */
  long nextGeneration(long otherwise) {
    return cursors.stream()
        .mapToLong(cursor -> cursor.generationOr(otherwise))
        .min()
        .orElse(otherwise);
  }

  /**
   * Hands out every block of a generation and goes on to what follows. It goes round the shards,
   * not through one after another: systematic shards start with their source blocks.
   *
   * @return how many there were
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

  /** The shard of each cursor. */
  List<ShardFile> shards() {
    return cursors.stream().map(ShardCursor::shard).toList();
  }

  /** For each cursor, the place in its file that it is at. */
  long[] positions() {
    return cursors.stream().mapToLong(ShardCursor::position).toArray();
  }

  /** What each shard has turned out to hold so far. */
  List<ShardSummary> summaries() {
    Map<ShardFile, List<ShardCursor>> byShard = new LinkedHashMap<>();
    for (ShardCursor cursor : cursors) {
      byShard.computeIfAbsent(cursor.shard(), _ -> new ArrayList<>()).add(cursor);
    }
    List<ShardSummary> summaries = new ArrayList<>();
    byShard.forEach((shard, runs) -> summaries.add(ShardSummary.of(shard, runs)));
    return summaries;
  }
}
