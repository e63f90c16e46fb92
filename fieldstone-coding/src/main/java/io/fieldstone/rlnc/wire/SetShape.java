package io.fieldstone.rlnc.wire;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;

/**
 * The numbers of a set: source block i belongs to generation i mod d, where it is block ⌊i/d⌋.
 * Generations of n − 1 blocks have a last block of zeros, which is not stored.
 *
 * @param blockSize the block size k in bytes, 1 … {@value #MAX_BLOCK_SIZE}
 * @param blocks the source blocks n of a generation; 0 in a set without bytes
 * @param parity the parity blocks r of a generation, 1 … 256 − n
 * @param generations the number of generations d; 0 in a set without bytes
 * @param volumes the number of volumes, 1 … r; parity block p of each generation is in volume p mod
 *     volumes
 */
public record SetShape(int blockSize, int blocks, int parity, int generations, int volumes) {

  /** The maximum block size in bytes, so that a generation fits in memory. */
  public static final int MAX_BLOCK_SIZE = 1 << 20;

  /** The maximum number of source and parity blocks of a set, so that their hashes fit. */
  public static final int MAX_BLOCKS = 1 << 20;

  private static final Code CODE = new Code.Cauchy();

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if a value is out of bounds; the message names it
   */
  public SetShape {
    requireInRange("block size", blockSize, 1, MAX_BLOCK_SIZE);
    requireInRange("source blocks", blocks, 0, Code.Cauchy.MAX_BLOCKS - 1);
    requireInRange("parity blocks", parity, 1, Code.Cauchy.MAX_BLOCKS - blocks);
    requireInRange("volumes", volumes, 1, parity);
    int max = MAX_BLOCKS / (blocks + parity);
    requireInRange("generations", generations, blocks == 0 ? 0 : 1, blocks == 0 ? 0 : max);
  }

  private static void requireInRange(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException("%s %d is not in %d…%d".formatted(name, value, min, max));
    }
  }

  /**
   * Returns the shape of generations whose blocks have a number of bytes: those of one block, or of
   * several that are coded together.
   */
  public GenerationShape generation(int columns) {
    return new GenerationShape(Gf256.DEFAULT, CODE, blocks, columns);
  }

  /** Returns the number of parity blocks. */
  public int parityBlocks() {
    return parity * generations;
  }

  /** Returns the number of parity blocks of each generation in a volume. */
  public int rowsOf(int volume) {
    return Math.ceilDiv(parity - volume, volumes);
  }

  /** Returns the bytes of the parity blocks in a volume. */
  public long parityBytes(int volume) {
    return (long) rowsOf(volume) * generations * blockSize;
  }

  /**
   * Returns the maximum bytes of one damaged range of a file that is restored for certain, if
   * nothing else is damaged: it touches at most r·d consecutive blocks.
   */
  public long burstBytes() {
    return Math.max(0, (long) (parityBlocks() - 1) * blockSize + 1);
  }

  /**
   * Returns the maximum length of a file that is restored for certain if all of it is lost, and
   * nothing else.
   */
  public long lostFileBytes() {
    return (long) parityBlocks() * blockSize;
  }
}
