package io.fieldstone.rlnc.file;

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
 * A slot of the recoder: some generations as held, and the records drawn from them. Both products,
 * of vectors and of payloads, land in the records.
 */
final class RecodingBatch {

  private static final Code DRAWS = new Code.Dense();

  private final ShardHeader header;
  private final ObjectDescriptor descriptor;
  private final int blocks;
  private final int count;
  private final HeldBatch held;
  private final MemorySegment coefficients;
  private final MemorySegment records;

  /** Room for {@code count} new blocks of each generation. */
  RecodingBatch(ShardHeader header, int count, int capacity, int shards, NativeMemory memory)
      throws IOException {
    this.header = header;
    this.descriptor = header.descriptor();
    this.blocks = HeldBatch.rowsOf(descriptor);
    this.count = count;
    this.held = new HeldBatch(descriptor, blocks, capacity, shards, memory);
    this.coefficients = memory.allocate((long) capacity * count * blocks);
    this.records = memory.allocate((long) capacity * count * header.recordBytes());
  }

  /** Bytes that one generation takes. */
  static long bytesOfGeneration(ShardHeader header, int count) {
    int blocks = HeldBatch.rowsOf(header.descriptor());
    return HeldBatch.bytesOfGeneration(header.descriptor(), blocks)
        + (long) count * (blocks + header.recordBytes());
  }

  HeldBatch held() {
    return held;
  }

  /**
   * Draws and multiplies.
   *
   * @param key of the draws
   */
  void compute(Engine engine, long key) {
    int generations = held.generations();
    for (int g = 0; g < generations; g++) {
      for (int index = 0; index < count; index++) {
        draw(key, g, index);
      }
    }
    ByteMatrices drawn = ByteMatrices.packed(coefficients, generations, count, blocks);
    multiply(engine, drawn, held.vectors(0, generations), WireBlock.HEADER_BYTES);
    long payloadAt = (long) WireBlock.HEADER_BYTES + header.vectorBytes();
    multiply(engine, drawn, held.payloads(0, generations), payloadAt);
  }

  /** Uniform coefficients for the blocks held, not all zero: that block would be good for nothing. */
  private void draw(long key, int g, int index) {
    MemorySegment row = coefficients.asSlice(((long) g * count + index) * blocks, blocks);
    row.fill((byte) 0);
    MemorySegment drawn = row.asSlice(0, held.held(g));
    DRAWS.coefficients(key, held.first() + g, index, drawn);
    boolean allZero = true;
    for (long at = 0; at < drawn.byteSize() && allZero; at++) {
      allZero = drawn.get(ValueLayout.JAVA_BYTE, at) == 0;
    }
    if (allZero && drawn.byteSize() > 0) {
      drawn.set(ValueLayout.JAVA_BYTE, index % drawn.byteSize(), (byte) 1);
    }
  }

  private void multiply(Engine engine, ByteMatrices drawn, ByteMatrices sources, long at) {
    int recordBytes = header.recordBytes();
    engine
        .products()
        .multiply(
            descriptor.shape().field(),
            drawn,
            sources,
            new ByteMatrices(
                records.asSlice(at),
                held.generations(),
                count,
                sources.columns(),
                recordBytes,
                (long) count * recordBytes));
  }

  /** Makes records of the products and appends them; generations of rank zero have none. */
  void write(ShardWriter shard) throws IOException {
    int recordBytes = header.recordBytes();
    for (int g = 0; g < held.generations(); g++) {
      if (held.rank(g) > 0) {
        long at = (long) g * count * recordBytes;
        for (int index = 0; index < count; index++) {
          writeRecord(g, records.asSlice(at + (long) index * recordBytes, recordBytes));
        }
        shard.add(records.asSlice(at, (long) count * recordBytes), count);
      }
    }
    shard.flush();
  }

  private void writeRecord(int g, MemorySegment record) {
    GenerationShape own = descriptor.shape().withBlocks(held.blocksOf(g));
    CodingVector vector =
        new CodingVector.Explicit(record.asSlice(WireBlock.HEADER_BYTES, own.blocks()));
    MemorySegment payload = record.asSlice((long) WireBlock.HEADER_BYTES + header.vectorBytes());
    CodedBlock block = new CodedBlock(held.first() + g, vector, payload);
    new WireBlock(descriptor.objectId(), own, block).writeRecord(record, header.vectorBytes());
  }
}
