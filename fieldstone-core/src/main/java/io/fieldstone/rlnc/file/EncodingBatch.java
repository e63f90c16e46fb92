package io.fieldstone.rlnc.file;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.WireBlock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A slot of the encoder: some generations from source to records.
 *
 * <p>Products land in the records themselves, at the record stride. Under a systematic code the
 * source blocks are copied into their records instead of being multiplied, so there only what comes
 * after them is computed, and copied too.
 */
final class EncodingBatch {

  private final GenerationShape shape;
  private final EncodingParameters parameters;
  private final long objectId;
  private final int capacity;
  private final long sourceStride;
  private final long sourcePitch;
  private final int recordBytes;
  private final long recordPitch;
  private final int mostRows;
  private final boolean systematic;
  private final MemorySegment sources;
  private final MemorySegment coefficients;
  private final MemorySegment products;
  private final MemorySegment records;

  private long first;
  private int full;
  private int tail;
  private long bytes;

  /**
   * Reserves memory.
   *
   * @param mostBlocks source blocks of the largest generation there will be
   * @param capacity generations it holds
   */
  EncodingBatch(
      EncodingParameters parameters,
      long objectId,
      int mostBlocks,
      int capacity,
      NativeMemory memory)
      throws IOException {
    this.parameters = parameters;
    this.shape = parameters.shape();
    this.objectId = objectId;
    this.capacity = capacity;
    this.systematic = shape.code() instanceof Code.Systematic;
    this.mostRows = parameters.mostCodedBlocks(mostBlocks);
    this.sourceStride = NativeMemory.stride(shape.blockSize());
    this.sourcePitch = mostBlocks * sourceStride;
    this.recordBytes = recordBytes(shape);
    this.recordPitch = (long) mostRows * recordBytes;
    this.sources = memory.allocate(capacity * sourcePitch);
    this.coefficients = memory.allocate((long) capacity * mostRows * mostBlocks);
    this.records = memory.allocate(capacity * recordPitch);
    this.products = systematic ? memory.allocate(capacity * recordPitch) : records;
  }

  /** Bytes that one generation takes. */
  static long bytesOfGeneration(EncodingParameters parameters, int mostBlocks) {
    GenerationShape shape = parameters.shape();
    long rows = parameters.mostCodedBlocks(mostBlocks);
    long recordBytes = rows * recordBytes(shape);
    boolean systematic = shape.code() instanceof Code.Systematic;
    return mostBlocks * NativeMemory.stride(shape.blockSize())
        + rows * mostBlocks
        + (systematic ? 2 : 1) * recordBytes;
  }

  /** Bytes of a record: no vectors, an encoder's blocks carry seeds. */
  static int recordBytes(GenerationShape shape) {
    return WireBlock.HEADER_BYTES + shape.blockSize();
  }

  /** Starts over with generation {@code first}. */
  void clear(long first) {
    this.first = first;
    this.full = 0;
    this.tail = 0;
    this.bytes = 0;
  }

  int capacity() {
    return capacity;
  }

  /** Bytes of the source in it. */
  long bytes() {
    return bytes;
  }

  int generations() {
    return full + (tail > 0 ? 1 : 0);
  }

  /** Copies the next bytes of the source in; they must fit. */
  void append(MemorySegment source) {
    int k = shape.blockSize();
    for (long at = 0; at < source.byteSize(); ) {
      long block = (bytes + at) / k;
      long inBlock = (bytes + at) % k;
      long count = Math.min(k - inBlock, source.byteSize() - at);
      MemorySegment.copy(source, at, sources, sourceOffset(block) + inBlock, count);
      at += count;
    }
    bytes += source.byteSize();
  }

  /** No more comes: pads the last block and counts the generations. */
  void seal() {
    int k = shape.blockSize();
    long blocks = (bytes + k - 1) / k;
    if (bytes % k != 0) {
      sources.asSlice(sourceOffset(blocks - 1) + bytes % k, k - bytes % k).fill((byte) 0);
    }
    full = (int) (blocks / shape.blocks());
    tail = (int) (blocks % shape.blocks());
  }

  private long sourceOffset(long block) {
    return block / shape.blocks() * sourcePitch + block % shape.blocks() * sourceStride;
  }

  /** Draws the coefficients and multiplies. */
  void compute(Engine engine) {
    multiply(engine, 0, full, shape.blocks());
    multiply(engine, full, tail > 0 ? 1 : 0, tail);
  }

  private void multiply(Engine engine, int from, int count, int blocks) {
    if (count == 0) {
      return;
    }
    Dealing dealing = dealing(blocks);
    int firstIndex = systematic ? blocks : 0;
    int rows = dealing.coded() - firstIndex;
    long coefficientPitch = (long) rows * blocks;
    MemorySegment drawn = coefficients.asSlice(from * (long) mostRows * shapeBlocks());
    for (int g = 0; g < count; g++) {
      for (int index = firstIndex; index < dealing.coded(); index++) {
        long row = systematic ? index - firstIndex : dealing.rowOf(index);
        MemorySegment vector = drawn.asSlice(g * coefficientPitch + row * blocks, blocks);
        shape.code().coefficients(parameters.seed(), first + from + g, index, vector);
      }
    }
    engine
        .products()
        .multiply(
            shape.field(),
            ByteMatrices.packed(drawn, count, rows, blocks),
            new ByteMatrices(
                sources.asSlice(from * sourcePitch),
                count,
                blocks,
                shape.blockSize(),
                sourceStride,
                sourcePitch),
            new ByteMatrices(
                products.asSlice(from * recordPitch + WireBlock.HEADER_BYTES),
                count,
                rows,
                shape.blockSize(),
                recordBytes,
                recordPitch));
  }

  /** Source blocks of the largest generation in memory, by which the buffers are laid out. */
  private long shapeBlocks() {
    return sourcePitch / sourceStride;
  }

  /** Makes records of the products and appends them to the shards. */
  void write(List<ShardWriter> shards) throws IOException {
    for (int g = 0; g < generations(); g++) {
      int blocks = g < full ? shape.blocks() : tail;
      Dealing dealing = dealing(blocks);
      for (int index = 0; index < dealing.coded(); index++) {
        writeRecord(g, blocks, dealing, index);
      }
      for (int shard = 0; shard < shards.size(); shard++) {
        int count = dealing.countOf(shard);
        long at = g * recordPitch + (long) dealing.firstRowOf(shard) * recordBytes;
        shards.get(shard).add(records.asSlice(at, (long) count * recordBytes), count);
      }
    }
    for (ShardWriter shard : shards) {
      shard.flush();
    }
  }

  private void writeRecord(int g, int blocks, Dealing dealing, int index) {
    GenerationShape own = shape.withBlocks(blocks);
    MemorySegment record =
        records.asSlice(g * recordPitch + (long) dealing.rowOf(index) * recordBytes, recordBytes);
    MemorySegment payload;
    if (systematic && index < blocks) {
      payload = sources.asSlice(g * sourcePitch + index * sourceStride, shape.blockSize());
    } else {
      long row = systematic ? index - blocks : dealing.rowOf(index);
      payload =
          products.asSlice(
              g * recordPitch + row * recordBytes + WireBlock.HEADER_BYTES, shape.blockSize());
    }
    CodingVector vector = CodingVector.of(own, parameters.seed(), index);
    new WireBlock(objectId, own, new CodedBlock(first + g, vector, payload)).writeRecord(record, 0);
  }

  private Dealing dealing(int blocks) {
    return new Dealing(parameters.codedBlocks(blocks), parameters.shards());
  }
}
