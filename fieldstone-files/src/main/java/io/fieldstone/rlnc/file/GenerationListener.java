package io.fieldstone.rlnc.file;

/** Receives the generations that shards contain blocks of, in ascending order. */
@FunctionalInterface
public interface GenerationListener {

  /** Ignores all generations. */
  GenerationListener NONE = (generation, blocks, codedBlocks, rank) -> {};

  /**
   * Called when a scan starts: once, and again if a shard turns out not to be in order. Earlier
   * calls are then void.
   */
  default void start() {}

  /**
   * Called after a generation has been scanned.
   *
   * @param generation the number of the generation
   * @param blocks its source blocks: n except for the last generation
   * @param codedBlocks its undamaged blocks in the shards
   * @param rank the number of independent ones; {@code blocks} if it can be decoded
   */
  void generation(long generation, int blocks, long codedBlocks, int rank);
}
