package io.fieldstone.rlnc.file;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.WireBlock;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * The parameters for encoding a file into shards.
 *
 * @param shape field, code, n and k
 * @param shards the number of shards, 1 … {@value #MAX_SHARDS}
 * @param redundancy coded blocks beyond n, as a fraction of n, ≥ 0: 0.5 makes 3 coded blocks of 2
 * @param sufficient the number of shards of which any selection restores the file for certain;
 *     empty without this guarantee. It determines the redundancy
 * @param seed the key of the coding vectors
 */
public record EncodingParameters(
    GenerationShape shape, int shards, double redundancy, OptionalInt sufficient, long seed) {

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
    Objects.requireNonNull(sufficient, "sufficient");
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
    if (sufficient.isPresent()) {
      requireGuarantee(shape, shards, sufficient.getAsInt());
    }
  }

  /**
   * Creates parameters without a guarantee for every selection of shards.
   *
   * @throws IllegalArgumentException if a value is out of bounds; the message names it
   */
  public EncodingParameters(GenerationShape shape, int shards, double redundancy, long seed) {
    this(shape, shards, redundancy, OptionalInt.empty(), seed);
  }

  /**
   * Returns parameters with which any {@code sufficient} shards restore the file, for certain: they
   * hold n blocks of each generation, and the Cauchy code needs no others.
   *
   * @param n source blocks of a generation, 1 … {@link #maxBlocks}
   * @param blockSize k in bytes
   * @param sufficient 1 … {@code shards}
   * @throws IllegalArgumentException if a value is out of bounds; the message names it
   */
  public static EncodingParameters anyOf(
      int n, int blockSize, int sufficient, int shards, long seed) {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Cauchy(), n, blockSize);
    requireSelection(sufficient, shards);
    double redundancy = (double) guaranteedBlocks(n, sufficient, shards) / n - 1;
    return new EncodingParameters(shape, shards, redundancy, OptionalInt.of(sufficient), seed);
  }

  /**
   * Returns the maximum generation size with which any {@code sufficient} of {@code shards} shards
   * restore a file; 0 if none has enough blocks.
   *
   * @param sufficient 1 … {@code shards}
   */
  public static int maxBlocks(int sufficient, int shards) {
    requireSelection(sufficient, shards);
    int n = Code.Cauchy.MAX_BLOCKS;
    while (n > 0 && guaranteedBlocks(n, sufficient, shards) > Code.Cauchy.MAX_BLOCKS) {
      n--;
    }
    return n;
  }

  /**
   * Checks that a file does not have too many generations, and names a shape that it fits.
   *
   * @param length the bytes of the file
   * @param maxGenerations the maximum number of generations
   * @param addedBytes the bytes that encryption adds to each
   * @throws IllegalArgumentException if it has more
   */
  void requireFits(long length, long maxGenerations, int addedBytes) {
    int n = shape.blocks();
    long k = shape.blockSize();
    if (Math.ceilDiv(length, Math.max(1, n * k - addedBytes)) <= maxGenerations) {
      return;
    }
    long bytes = Math.ceilDiv(length, maxGenerations) + addedBytes;
    long blocks = Math.ceilDiv(bytes, k);
    throw new IllegalArgumentException(
        "%d bytes are more than %d generations of %d blocks of %d bytes; encode with %s"
            .formatted(
                length,
                maxGenerations,
                n,
                k,
                allows(blocks)
                    ? "--generation " + blocks
                    : "--block-size " + Math.ceilDiv(bytes, n)));
  }

  /** Returns true if a generation may have this number of blocks, with all else the same. */
  private boolean allows(long blocks) {
    long max = shape.code() instanceof Code.Cauchy ? Code.Cauchy.MAX_BLOCKS : MAX_CODED_BLOCKS;
    if (sufficient.isPresent()) {
      return blocks <= maxBlocks(sufficient.getAsInt(), shards);
    }
    return blocks <= GenerationShape.MAX_BLOCKS && blocks * (1 + redundancy) <= max;
  }

  private static void requireSelection(int sufficient, int shards) {
    if (sufficient < 1 || sufficient > shards) {
      throw new IllegalArgumentException("any " + sufficient + " is not in 1…" + shards);
    }
  }

  private static void requireGuarantee(GenerationShape shape, int shards, int sufficient) {
    requireSelection(sufficient, shards);
    if (!(shape.code() instanceof Code.Cauchy)) {
      throw new IllegalArgumentException(
          "the %s code does not guarantee that any %d of %d shards are sufficient"
              .formatted(shape.code().name(), sufficient, shards));
    }
    if (shape.blocks() > maxBlocks(sufficient, shards)) {
      throw new IllegalArgumentException(
          "generation size %d is not in 1…%d, with which any %d of %d shards are sufficient"
              .formatted(shape.blocks(), maxBlocks(sufficient, shards), sufficient, shards));
    }
  }

  /**
   * Returns the minimum number of coded blocks so that any {@code sufficient} shards hold at least
   * n. Let n = q·sufficient + rest. Without rest each shard holds q blocks. Else the smallest
   * selection has {@code rest} shards of q + 1 blocks if only {@code sufficient − rest} shards have
   * q.
   */
  private static int guaranteedBlocks(int n, int sufficient, int shards) {
    int rest = n % sufficient;
    return shards * (n / sufficient) + (rest == 0 ? 0 : shards - sufficient + rest);
  }

  /**
   * Returns the coded blocks of a generation of {@code blocks} source blocks: the minimum for a
   * guarantee, else ⌈blocks·(1 + redundancy)⌉. For a shorter last generation without guarantee, the
   * number is rounded up to a multiple of the shards. Otherwise the loss of a few shards could lose
   * most of its few blocks.
   */
  public int codedBlocks(int blocks) {
    if (sufficient.isPresent()) {
      return guaranteedBlocks(blocks, sufficient.getAsInt(), shards);
    }
    int coded = blocks + (int) Math.ceil(blocks * redundancy - ROUNDING);
    return blocks == shape.blocks() ? coded : (coded + shards - 1) / shards * shards;
  }

  /**
   * Returns the number of coded blocks of a generation that go to a shard: block b goes to shard b
   * mod shards.
   *
   * @param shard 0 … shards − 1
   * @param codedBlocks the coded blocks of the generation
   */
  public int recordsOf(int shard, int codedBlocks) {
    return Math.ceilDiv(Math.max(0, codedBlocks - shard), shards);
  }

  /**
   * Returns the name of a shard file, {@code NAME.NN.fst}.
   *
   * @param name the name of the object
   * @param shard 0 … shards − 1
   */
  public String shardFile(String name, int shard) {
    int digits = Math.max(2, Integer.toString(shards - 1).length());
    return ("%s.%0" + digits + "d.fst").formatted(name, shard);
  }

  /** Returns the maximum of {@link #codedBlocks} over 1 … {@code maxBlocks} source blocks. */
  int maxCodedBlocks(int maxBlocks) {
    int shorter = maxBlocks == shape.blocks() ? maxBlocks - 1 : maxBlocks;
    return Math.max(codedBlocks(maxBlocks), shorter == 0 ? 0 : codedBlocks(shorter));
  }
}
