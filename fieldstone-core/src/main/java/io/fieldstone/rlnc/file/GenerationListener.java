package io.fieldstone.rlnc.file;

/** Hears of each generation that shards hold something of, in ascending order. */
@FunctionalInterface
public interface GenerationListener {

  /** Hears nothing. */
  GenerationListener NONE = (generation, blocks, codedBlocks, rank) -> {};

  /**
   * The shards are looked through from the start: once, or again if one of them turned out not to
   * be in order. What was heard before is void.
   */
  default void start() {}

  /**
   * A generation has been looked through.
   *
   * @param generation its number
   * @param blocks its source blocks, n but for the last
   * @param codedBlocks undamaged blocks of it in the shards
   * @param rank independent ones among them; {@code blocks} when it can be decoded
   */
  void generation(long generation, int blocks, long codedBlocks, int rank);
}
