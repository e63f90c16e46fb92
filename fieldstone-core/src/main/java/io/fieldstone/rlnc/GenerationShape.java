package io.fieldstone.rlnc;

import io.fieldstone.field.Gf256;

/**
 * What every party must agree on to code a generation.
 *
 * @param field the field of the coefficients and symbols
 * @param code the code of the encoder; recoders and decoders take blocks of any
 * @param blocks generation size n: source blocks in a generation, 1 … {@value #MAX_BLOCKS}
 * @param blockSize block size k in bytes, 1 … {@value #MAX_BLOCK_SIZE}
 */
public record GenerationShape(Gf256 field, Code code, int blocks, int blockSize) {

  /** Largest generation size. */
  public static final int MAX_BLOCKS = 4096;

  /** Largest block size, 16 MiB. */
  public static final int MAX_BLOCK_SIZE = 1 << 24;

  public GenerationShape {
    requireInRange("generation size", blocks, MAX_BLOCKS);
    requireInRange("block size", blockSize, MAX_BLOCK_SIZE);
  }

  /** The same with another number of blocks, for a last generation that is shorter. */
  public GenerationShape withBlocks(int fewer) {
    return fewer == blocks ? this : new GenerationShape(field, code, fewer, blockSize);
  }

  /** n·k: source bytes of a full generation. */
  public long bytes() {
    return (long) blocks * blockSize;
  }

  private static void requireInRange(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(name + " " + value + " is not in 1…" + most);
    }
  }
}
