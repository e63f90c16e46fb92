package io.fieldstone.rlnc.file;

/**
 * The order of a generation's coded blocks in memory: block b goes to shard b mod {@code shards},
 * and the blocks of one shard lie together, so that one write takes them.
 *
 * @param coded number of coded blocks
 * @param shards they are dealt to
 */
record Dealing(int coded, int shards) {

  /** Blocks that go to a shard. */
  int countOf(int shard) {
    return shard >= coded ? 0 : (coded - 1 - shard) / shards + 1;
  }

  /** Row of the first block of a shard. */
  int firstRowOf(int shard) {
    return coded / shards * shard + Math.min(shard, coded % shards);
  }

  /** The row of block {@code index}. */
  int rowOf(int index) {
    return firstRowOf(index % shards) + index / shards;
  }
}
