package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.CodedBlock;
import java.io.IOException;
import java.util.List;

/** Cursors over the shards of one object that go on together, generation after generation. */
final class ShardCursors {

  /** Takes a block, in memory that is valid during the call. */
  interface Sink {
    void take(CodedBlock block) throws IOException;
  }

  private final List<ShardCursor> cursors;

  ShardCursors(List<ShardCursor> cursors) {
    this.cursors = cursors;
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
          sink.take(cursor.block().orElseThrow());
          cursor.advance();
          blocks++;
        }
      }
    } while (blocks > before);
    return blocks;
  }

  /** For each shard, the number of the record it is at. */
  long[] positions() {
    return cursors.stream().mapToLong(ShardCursor::position).toArray();
  }

  /** What each shard has turned out to hold so far. */
  List<ShardSummary> summaries() {
    return cursors.stream().map(ShardSummary::of).toList();
  }
}
