package io.fieldstone.spark.coding;

import io.fieldstone.rlnc.file.EncodingParameters;
import java.io.Serializable;

/**
 * The parameters of shards of which any {@code sufficient} restore a file, as those of {@link
 * EncodingParameters#anyOf}, in a form that Spark sends to executors.
 *
 * @param generation n, the source blocks of a generation
 * @param blockSize k in bytes
 * @param sufficient the number of shards that restore a file, whichever they are
 * @param shards the number of shards
 * @param seed the key of the coding vectors
 */
public record CodingOptions(int generation, int blockSize, int sufficient, int shards, long seed)
    implements Serializable {

  /** The parameters of {@code fieldstone encode} without options: any 11 of 16. */
  public static final CodingOptions DEFAULT = new CodingOptions(128, 4096, 11, 16, 1);

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if a value is out of bounds; the message names it
   */
  public CodingOptions {
    EncodingParameters.anyOf(generation, blockSize, sufficient, shards, seed);
  }

  /** Returns the parameters of the core. */
  public EncodingParameters parameters() {
    return EncodingParameters.anyOf(generation, blockSize, sufficient, shards, seed);
  }

  /** Returns the bytes of a full generation. */
  long generationBytes() {
    return (long) generation * blockSize;
  }

  /**
   * Returns how many of several paths restore every file, whichever they are, if shard s is in path
   * s mod paths. The paths with the fewest shards decide.
   *
   * @return the number of paths, at least 1; more than {@code paths} if even all are not sufficient
   */
  public int sufficientPaths(int paths) {
    int held = 0;
    int used = 0;
    for (int path = paths - 1; path >= 0 && held < sufficient; path--) {
      held += Math.ceilDiv(Math.max(0, shards - path), paths);
      used++;
    }
    return held < sufficient ? paths + 1 : used;
  }
}
