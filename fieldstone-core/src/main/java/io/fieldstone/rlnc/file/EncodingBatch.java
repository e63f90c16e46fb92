package io.fieldstone.rlnc.file;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.rlnc.BatchEncoder;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.WireBlock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.util.List;

/**
 * A slot of the encoder: some generations from source to records. Products land in the records
 * themselves, at the record stride.
 */
final class EncodingBatch {

  /** A byte buffer has at most 2^31 − 1 bytes. */
  private static final long MAX_HASHED = 1L << 30;

  private final GenerationShape shape;
  private final EncodingParameters parameters;
  private final long objectId;
  private final int capacity;
  private final long sourceStride;
  private final long sourcePitch;
  private final int recordBytes;
  private final long recordPitch;
  private final MemorySegment sources;
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
    this.sourceStride = ByteMatrices.paddedStride(shape.blockSize());
    this.sourcePitch = mostBlocks * sourceStride;
    this.recordBytes = recordBytes(shape);
    this.recordPitch = (long) parameters.mostCodedBlocks(mostBlocks) * recordBytes;
    this.sources = memory.allocate(capacity * sourcePitch);
    this.records = memory.allocate(capacity * recordPitch);
  }

  /** Bytes that one generation takes. */
  static long bytesOfGeneration(EncodingParameters parameters, int mostBlocks) {
    GenerationShape shape = parameters.shape();
    long rows = parameters.mostCodedBlocks(mostBlocks);
    return mostBlocks * ByteMatrices.paddedStride(shape.blockSize()) + rows * recordBytes(shape);
  }

  /** Bytes of a record: no vectors, an encoder's blocks carry seeds. */
  private static int recordBytes(GenerationShape shape) {
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

  /** Source blocks of its last generation if that is shorter than the others, else 0. */
  int tail() {
    return tail;
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
    long blocks = Math.ceilDiv(bytes, k);
    if (bytes % k != 0) {
      sources.asSlice(sourceOffset(blocks - 1) + bytes % k, k - bytes % k).fill((byte) 0);
    }
    full = (int) (blocks / shape.blocks());
    tail = (int) (blocks % shape.blocks());
  }

  /**
   * Puts the bytes of the source into a digest.
   *
   * @return how many there are
   */
  long update(MessageDigest digest) {
    long run = sourceStride == shape.blockSize() ? shape.bytes() : shape.blockSize();
    for (long at = 0; at < bytes; ) {
      long count = Math.min(MAX_HASHED, Math.min(run - at % run, bytes - at));
      long offset = sourceOffset(at / shape.blockSize()) + at % shape.blockSize();
      digest.update(sources.asSlice(offset, count).asByteBuffer());
      at += count;
    }
    return bytes;
  }

  private long sourceOffset(long block) {
    return block / shape.blocks() * sourcePitch + block % shape.blocks() * sourceStride;
  }

  /** Encodes the generations of full size. */
  void encodeFull(BatchEncoder encoder) {
    encode(encoder, 0, full, shape.blocks());
  }

  /** Encodes the last one, if it is shorter. */
  void encodeTail(BatchEncoder encoder) {
    encode(encoder, full, 1, tail);
  }

  private void encode(BatchEncoder encoder, int from, int count, int blocks) {
    if (count == 0) {
      return;
    }
    MemorySegment sourcesFrom = sources.asSlice(from * sourcePitch);
    MemorySegment payloadsFrom = records.asSlice(from * recordPitch + WireBlock.HEADER_BYTES);
    int k = shape.blockSize();
    encoder.encode(
        first + from,
        new ByteMatrices(sourcesFrom, count, blocks, k, sourceStride, sourcePitch),
        0,
        new ByteMatrices(
            payloadsFrom, count, parameters.codedBlocks(blocks), k, recordBytes, recordPitch));
  }

  /**
   * Makes records of the products and deals them: block b goes to shard b mod shards.
   *
   * @return bytes written
   */
  long write(List<ShardWriter> shards, BatchEncoder fullEncoder, BatchEncoder tailEncoder)
      throws IOException {
    long count = 0;
    for (int g = 0; g < generations(); g++) {
      BatchEncoder encoder = g < full ? fullEncoder : tailEncoder;
      int coded = parameters.codedBlocks(encoder.shape().blocks());
      for (int index = 0; index < coded; index++) {
        shards.get(index % shards.size()).add(record(g, encoder, index));
      }
      count += coded;
    }
    for (ShardWriter shard : shards) {
      shard.flush();
    }
    return count * recordBytes;
  }

  private MemorySegment record(int g, BatchEncoder encoder, int index) {
    MemorySegment record =
        records.asSlice(g * recordPitch + (long) index * recordBytes, recordBytes);
    MemorySegment payload = record.asSlice(WireBlock.HEADER_BYTES);
    CodedBlock block = new CodedBlock(first + g, encoder.vector(index), payload);
    new WireBlock(objectId, encoder.shape(), block).writeRecord(record, 0);
    return record;
  }
}
