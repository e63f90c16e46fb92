package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetShape;
import java.util.List;
import java.util.OptionalInt;

/**
 * The parameters of a protection.
 *
 * @param redundancy parity blocks as a fraction of the source blocks, in (0, 255]
 * @param generation the maximum number n of source blocks of a generation; by default the maximum
 *     of the code
 * @param blockSize k in bytes; by default the least power of two from {@value #MIN_DEFAULT_BYTES}
 *     on that cuts the set into about {@value #DEFAULT_BLOCKS} blocks, or that is at least {@value
 *     #LARGE_BYTES} and cuts it into about {@value #MANY_BLOCKS}. A smaller one if blocks of small
 *     files would have more than a tenth of padding
 * @param volumes the number of volumes; by default {@value #DEFAULT_VOLUMES}, or one for each
 *     parity block if a generation has fewer
 */
public record ProtectionParameters(
    double redundancy, OptionalInt generation, OptionalInt blockSize, OptionalInt volumes) {

  private static final int MIN_DEFAULT_BYTES = 4096;
  private static final int DEFAULT_BLOCKS = 8192;

  /**
   * The block size from which on a set has more blocks. Their hashes are a few hundredths of the
   * parity. With fewer blocks, memory would hold four generations, so four threads would work.
   */
  private static final int LARGE_BYTES = 64 << 10;

  private static final int MANY_BLOCKS = 1 << 16;

  private static final int DEFAULT_VOLUMES = 4;

  /** At most one generation is added for this number of generations. */
  private static final int FEW = 32;

  /** The maximum length of the blocks by default, as a multiple of the length of the files. */
  private static final double MAX_PADDED = 1.1;

  /** Tolerance for the rounding of decimal redundancies, which must not add a block. */
  private static final double ROUNDING = 1e-9;

  /**
   * Checks the redundancy.
   *
   * @throws IllegalArgumentException if it is out of bounds
   */
  public ProtectionParameters {
    if (!(redundancy > 0 && redundancy < Code.Cauchy.MAX_BLOCKS)) {
      throw new IllegalArgumentException(
          "redundancy %s is not in (0, %d)".formatted(redundancy, Code.Cauchy.MAX_BLOCKS));
    }
  }

  /** Returns the parity blocks of a generation of n source blocks. */
  private int parity(int n) {
    return Math.max(1, (int) Math.ceil(n * redundancy - ROUNDING));
  }

  /** Returns the maximum generation size with which the code has enough parity blocks. */
  public int maxGeneration() {
    int n = Code.Cauchy.MAX_BLOCKS - 1;
    while (n > 1 && n + parity(n) > Code.Cauchy.MAX_BLOCKS) {
      n--;
    }
    return n;
  }

  /**
   * Returns the shape of a set.
   *
   * @throws IllegalArgumentException if a value is out of bounds, or the set has too many blocks
   */
  public SetShape shape(List<SetFile> files) {
    int limit = generation.orElse(maxGeneration());
    if (limit < 1 || limit > maxGeneration()) {
      throw new IllegalArgumentException(
          "generation size %d is not in 1…%d, with redundancy %s"
              .formatted(limit, maxGeneration(), redundancy));
    }
    int k = blockSize.orElseGet(() -> defaultBlockSize(files, limit));
    if (k < 1 || k > SetShape.MAX_BLOCK_SIZE) {
      throw new IllegalArgumentException(
          "block size %d is not in 1…%d".formatted(k, SetShape.MAX_BLOCK_SIZE));
    }
    Division division = divide(blocks(files, k), limit);
    if (division.hasTooManyBlocks()) {
      throw new IllegalArgumentException(
          "%d source blocks of %d byte%s and their parity are more than %d blocks"
              .formatted(division.blocks, k, k == 1 ? "" : "s", SetShape.MAX_BLOCKS));
    }
    if (volumes.isPresent() && volumes.getAsInt() > division.parity) {
      throw new IllegalArgumentException(
          "volumes %d is more than %d: each volume needs a parity block of every generation"
              .formatted(volumes.getAsInt(), division.parity));
    }
    return new SetShape(
        k,
        division.n,
        division.parity,
        (int) division.generations,
        volumes.orElse(Math.min(DEFAULT_VOLUMES, division.parity)));
  }

  /** The division of blocks into generations of n. */
  private record Division(long blocks, long generations, int n, int parity) {
    boolean hasTooManyBlocks() {
      return blocks + parity * generations > SetShape.MAX_BLOCKS
          || generations * (n + parity) > SetShape.MAX_BLOCKS;
    }
  }

  /** Divides blocks into as few generations as possible, or a few more with less parity. */
  private Division divide(long blocks, int limit) {
    long fewest = Math.ceilDiv(blocks, limit);
    if (fewest == 0) {
      return new Division(0, 0, 0, parity(0));
    }
    Division best = division(blocks, fewest);
    long most = best.hasTooManyBlocks() ? fewest : fewest + fewest / FEW;
    // Each generation rounds its parity up, so their size matters.
    for (long count = fewest + 1; count <= most; count++) {
      Division next = division(blocks, count);
      if (next.parity * next.generations < best.parity * best.generations
          && !next.hasTooManyBlocks()) {
        best = next;
      }
    }
    return best;
  }

  private Division division(long blocks, long generations) {
    int n = (int) Math.ceilDiv(blocks, generations);
    return new Division(blocks, generations, n, parity(n));
  }

  private static long blocks(List<SetFile> files, int k) {
    return files.stream().mapToLong(file -> file.blocks(k)).sum();
  }

  /**
   * Returns a block size with which there are not many blocks, and the files, of which each begins
   * with a block of its own, have little padding.
   */
  private int defaultBlockSize(List<SetFile> files, int limit) {
    long length = files.stream().mapToLong(SetFile::length).sum();
    int k = MIN_DEFAULT_BYTES;
    while (k < SetShape.MAX_BLOCK_SIZE) {
      boolean isMany = length / k > (k < LARGE_BYTES ? DEFAULT_BLOCKS : MANY_BLOCKS);
      boolean isPadded = blocks(files, 2 * k) * 2.0 * k > MAX_PADDED * length;
      if ((!isMany || isPadded) && !divide(blocks(files, k), limit).hasTooManyBlocks()) {
        break;
      }
      k *= 2;
    }
    return k;
  }
}
