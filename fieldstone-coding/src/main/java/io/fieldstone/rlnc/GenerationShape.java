package io.fieldstone.rlnc;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;

/**
 * The parameters of a generation, on which encoders, recoders and decoders must agree.
 *
 * @param field the field of the coefficients and symbols
 * @param code the code of the encoder; recoders and decoders accept blocks of any code
 * @param blocks the generation size n: source blocks in a generation, 1 … {@link Code#maxBlocks},
 *     at most {@value #MAX_BLOCKS}
 * @param blockSize the block size k in bytes, 1 … {@value #MAX_BLOCK_SIZE}
 */
public record GenerationShape(Gf256 field, Code code, int blocks, int blockSize) {

  /** The maximum generation size. */
  public static final int MAX_BLOCKS = 4096;

  /** The maximum block size in bytes, 16 MiB. */
  public static final int MAX_BLOCK_SIZE = 1 << 24;

  public GenerationShape {
    if (!code.isOver(field)) {
      throw new IllegalArgumentException(
          "the %s code is not defined over %s".formatted(code.name(), field));
    }
    requireInRange("generation size", blocks, code.maxBlocks());
    requireInRange("block size", blockSize, MAX_BLOCK_SIZE);
  }

  /** Returns this shape with another number of blocks, for a shorter last generation. */
  public GenerationShape withBlocks(int newBlocks) {
    return newBlocks == blocks ? this : new GenerationShape(field, code, newBlocks, blockSize);
  }

  /** Returns this shape with another block size in bytes. */
  public GenerationShape withBlockSize(int newBlockSize) {
    return new GenerationShape(field, code, blocks, newBlockSize);
  }

  /** Returns n·k, the source bytes of a full generation. */
  public long bytes() {
    return (long) blocks * blockSize;
  }

  // Written out: the JVM makes those of records when they are first called, which a short command
  // waits for.
  @Override
  public boolean equals(Object other) {
    return other instanceof GenerationShape shape
        && blocks == shape.blocks
        && blockSize == shape.blockSize
        && field.equals(shape.field)
        && code.equals(shape.code);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * blocks + blockSize) + 31 * code.hashCode() + field.hashCode();
  }

  /** Checks that a payload has k bytes. */
  void requirePayload(MemorySegment payload) {
    if (payload.byteSize() != blockSize) {
      throw new IllegalArgumentException(
          "payload of " + payload.byteSize() + " bytes, expected " + blockSize);
    }
  }

  /** Checks that payloads are {@code count} matrices of {@code rows}×k bytes. */
  void requirePayloads(String name, ByteMatrices payloads, long count, int rows) {
    require(name, payloads, count, rows, blockSize);
  }

  /** Checks that vectors are {@code count} matrices of {@code rows}×n bytes. */
  void requireVectors(String name, ByteMatrices vectors, long count, int rows) {
    require(name, vectors, count, rows, blocks);
  }

  private static void require(String name, ByteMatrices given, long count, int rows, int columns) {
    if (given.count() != count || given.rows() != rows || given.columns() != columns) {
      throw new IllegalArgumentException(
          "%s are %d matrices of %d×%d bytes, expected %d of %d×%d"
              .formatted(name, given.count(), given.rows(), given.columns(), count, rows, columns));
    }
  }

  private static void requireInRange(String name, int value, int max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException(name + " " + value + " is not in 1…" + max);
    }
  }
}
