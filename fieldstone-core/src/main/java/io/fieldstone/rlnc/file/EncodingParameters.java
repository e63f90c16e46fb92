package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.WireBlock;
import java.util.Objects;

/**
 * The parameters for encoding a file into shards.
 *
 * @param shape field, code, n and k
 * @param shards the number of shards, 1 … {@value #MAX_SHARDS}
 * @param redundancy coded blocks beyond n, as a fraction of n, ≥ 0: 0.5 makes 3 coded blocks of 2
 * @param seed the key of the coding vectors
 */
public record EncodingParameters(GenerationShape shape, int shards, double redundancy, long seed) {

  /** The maximum number of shards of a file. */
  public static final int MAX_SHARDS = 1000;

  /** The maximum number of coded blocks of a generation. */
  public static final int MAX_CODED_BLOCKS = 1 << 20;

  /** Tolerance for the rounding of decimal redundancies, which must not add a block. */
  private static final double ROUNDING = 1e-9;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if a value is out of bounds; the message names it
   */
  public EncodingParameters {
    Objects.requireNonNull(shape, "shape");
    if (shards < 1 || shards > MAX_SHARDS) {
      throw new IllegalArgumentException("shards " + shards + " is not in 1…" + MAX_SHARDS);
    }
    if (!(redundancy >= 0 && shape.blocks() * (1 + redundancy) <= MAX_CODED_BLOCKS)) {
      throw new IllegalArgumentException(
          "redundancy %s is not in [0, %s]"
              .formatted(redundancy, (double) MAX_CODED_BLOCKS / shape.blocks() - 1));
    }
    long coded = (long) Math.ceil(shape.blocks() * (1 + redundancy));
    long codedBytes = (coded + shards) * (WireBlock.HEADER_BYTES + shape.blockSize());
    if (codedBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%d bytes of a coded generation are more than %d: use fewer or smaller blocks"
              .formatted(codedBytes, Integer.MAX_VALUE));
    }
  }

  /**
   * Returns the coded blocks of a generation of {@code blocks} source blocks: ⌈blocks·(1 +
   * redundancy)⌉. For a shorter last generation, the number is rounded up to a multiple of the
   * shards. Otherwise the loss of a few shards could lose most of its few blocks.
   */
  public int codedBlocks(int blocks) {
    int coded = blocks + (int) Math.ceil(blocks * redundancy - ROUNDING);
    return blocks == shape.blocks() ? coded : (coded + shards - 1) / shards * shards;
  }

  /** Returns the maximum of {@link #codedBlocks} over 1 … {@code maxBlocks} source blocks. */
  int maxCodedBlocks(int maxBlocks) {
    int shorter = maxBlocks == shape.blocks() ? maxBlocks - 1 : maxBlocks;
    return Math.max(codedBlocks(maxBlocks), shorter == 0 ? 0 : codedBlocks(shorter));
  }
}
