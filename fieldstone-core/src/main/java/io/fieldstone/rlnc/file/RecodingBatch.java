package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Basis;
import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.rlnc.wire.WireBlock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A slot of the recoder: the innovative blocks of some generations, and the records drawn from
 * them. Both products, of vectors and of payloads, land in the records.
 */
final class RecodingBatch {

  private static final Code DRAWS = new Code.Dense();

  private final Engine engine;
  private final ShardHeader header;
  private final ObjectDescriptor descriptor;
  private final int rows;
  private final int count;
  private final int capacity;
  private final MemorySegment coefficients;
  private final MemorySegment records;
  private final ByteMatrices vectors;
  private final ByteMatrices payloads;
  private final int[] ranks;
  private final long[] codedBlocks;
  private long first;
  private int generations;

  /**
   * Reserves memory.
   *
   * @param rows blocks that are held of each generation at most
   * @param count new blocks of each generation
   * @param capacity generations it holds
   */
  RecodingBatch(
      Engine engine, ShardHeader header, int rows, int count, int capacity, NativeMemory memory)
      throws IOException {
    this.engine = engine;
    this.header = header;
    this.descriptor = header.descriptor();
    this.rows = rows;
    this.count = count;
    this.capacity = capacity;
    this.coefficients = memory.allocate((long) capacity * count * rows);
    this.records = memory.allocate((long) capacity * count * header.recordBytes());
    int n = descriptor.shape().blocks();
    this.vectors =
        ByteMatrices.packed(memory.allocate((long) capacity * rows * n), capacity, rows, n);
    int k = descriptor.shape().blockSize();
    long stride = ByteMatrices.paddedStride(k);
    MemorySegment data = memory.allocate(capacity * rows * stride);
    this.payloads = new ByteMatrices(data, capacity, rows, k, stride, rows * stride);
    this.ranks = new int[capacity];
    this.codedBlocks = new long[capacity];
  }

  /** Bytes that one generation takes. */
  static long bytesOfGeneration(ShardHeader header, int rows, int count) {
    GenerationShape shape = header.descriptor().shape();
    return rows * (shape.blocks() + ByteMatrices.paddedStride(shape.blockSize()))
        + (long) count * (rows + header.recordBytes());
  }

  long first() {
    return first;
  }

  int generations() {
    return generations;
  }

  /** Independent blocks of the g-th generation here. */
  int rank(int g) {
    return ranks[g];
  }

  /** Undamaged blocks of it in all shards. */
  long codedBlocks(int g) {
    return codedBlocks[g];
  }

  /** Bytes of the file in all of it. */
  long sourceBytes() {
    long last = first + generations - 1;
    return (generations - 1) * descriptor.shape().bytes() + descriptor.bytesOf(last);
  }

  /** Takes generations from {@code firstGeneration} on out of the cursors. */
  void gather(long firstGeneration, ShardCursors cursors) throws IOException {
    first = firstGeneration;
    generations = (int) Math.min(capacity, descriptor.generations() - firstGeneration);
    for (int g = 0; g < generations; g++) {
      gather(g, cursors);
    }
  }

  private void gather(int g, ShardCursors cursors) throws IOException {
    int n = descriptor.blocksOf(first + g);
    ranks[g] = 0;
    try (Basis basis = engine.eliminations().basis(descriptor.shape().field(), n)) {
      codedBlocks[g] =
          cursors.drain(
              first + g,
              (_, block) -> {
                if (ranks[g] < n && isInnovative(g, basis, block)) {
                  payloads.row(g, ranks[g]).copyFrom(block.payload());
                  ranks[g]++;
                }
              });
    }
  }

  /** Writes the vector of a block to the next row; whether it is to stay there. */
  private boolean isInnovative(int g, Basis basis, CodedBlock block) {
    MemorySegment vector = vectors.row(g, ranks[g]);
    vector.fill((byte) 0);
    MemorySegment used = vector.asSlice(0, basis.columns());
    block.vector().expand(descriptor.shape().code(), block.generation(), used);
    return basis.add(used) != Basis.NOT_INNOVATIVE;
  }

  /**
   * Draws and multiplies.
   *
   * @param key of the draws
   */
  void compute(long key) {
    for (int g = 0; g < generations; g++) {
      for (int index = 0; index < count; index++) {
        draw(key, g, index);
      }
    }
    multiply(vectors, WireBlock.HEADER_BYTES);
    multiply(payloads, (long) WireBlock.HEADER_BYTES + header.vectorBytes());
  }

  /**
   * Uniform coefficients for the blocks held, not all zero: that block would be good for nothing.
   */
  private void draw(long key, int g, int index) {
    MemorySegment row = coefficients.asSlice(((long) g * count + index) * rows, rows);
    row.fill((byte) 0);
    MemorySegment drawn = row.asSlice(0, ranks[g]);
    DRAWS.coefficients(key, first + g, index, drawn);
    if (ranks[g] > 0 && isZero(drawn)) {
      drawn.set(ValueLayout.JAVA_BYTE, index % ranks[g], (byte) 1);
    }
  }

  private static boolean isZero(MemorySegment drawn) {
    for (long at = 0; at < drawn.byteSize(); at++) {
      if (drawn.get(ValueLayout.JAVA_BYTE, at) != 0) {
        return false;
      }
    }
    return true;
  }

  private void multiply(ByteMatrices sources, long at) {
    int recordBytes = header.recordBytes();
    ByteMatrices drawn = ByteMatrices.packed(coefficients, generations, count, rows);
    ByteMatrices products =
        new ByteMatrices(
            records.asSlice(at),
            generations,
            count,
            sources.columns(),
            recordBytes,
            (long) count * recordBytes);
    engine
        .products()
        .multiply(descriptor.shape().field(), drawn, sources.matrices(0, generations), products);
  }

  /**
   * Makes records of the products and appends them; generations of rank zero have none.
   *
   * @return bytes written
   */
  long write(ShardWriter shard) throws IOException {
    int recordBytes = header.recordBytes();
    long before = shard.records();
    for (int g = 0; g < generations; g++) {
      for (int index = 0; index < count && ranks[g] > 0; index++) {
        long at = ((long) g * count + index) * recordBytes;
        MemorySegment record = records.asSlice(at, recordBytes);
        writeRecord(g, record);
        shard.add(record);
      }
    }
    shard.flush();
    return (shard.records() - before) * recordBytes;
  }

  private void writeRecord(int g, MemorySegment record) {
    GenerationShape own = descriptor.shape().withBlocks(descriptor.blocksOf(first + g));
    CodingVector vector =
        new CodingVector.Explicit(record.asSlice(WireBlock.HEADER_BYTES, own.blocks()));
    MemorySegment payload = record.asSlice((long) WireBlock.HEADER_BYTES + header.vectorBytes());
    CodedBlock block = new CodedBlock(first + g, vector, payload);
    new WireBlock(descriptor.objectId(), own, block).writeRecord(record, header.vectorBytes());
  }
}
