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
 * Holds a batch of generations from the source bytes to the coded records. Source blocks lie
 * contiguously, so the batch is read and hashed as one range. Products are written directly into
 * the records, at the record stride. For one pipeline stage at a time.
 */
final class EncodingBatch {

  /** The maximum bytes of one digest update: a byte buffer has at most 2^31 − 1 bytes. */
  private static final long MAX_DIGEST_BYTES = 1L << 30;

  private final GenerationShape shape;
  private final EncodingParameters parameters;
  private final long objectId;
  private final long sourcePitch;
  private final int recordBytes;
  private final long recordPitch;
  private final MemorySegment sources;
  private final MemorySegment records;

  private long firstGeneration;
  private int fullGenerations;
  private int tailBlocks;
  private long sourceBytes;

  /**
   * Allocates the memory of a batch.
   *
   * @param maxBlocks source blocks of the largest generation
   * @param capacity the maximum number of generations in the batch
   * @throws IOException if there is not enough memory
   */
  EncodingBatch(
      EncodingParameters parameters,
      long objectId,
      int maxBlocks,
      int capacity,
      NativeMemory memory)
      throws IOException {
    this.parameters = parameters;
    this.shape = parameters.shape();
    this.objectId = objectId;
    this.sourcePitch = (long) maxBlocks * shape.blockSize();
    this.recordBytes = recordBytes(shape);
    this.recordPitch = (long) parameters.maxCodedBlocks(maxBlocks) * recordBytes;
    this.sources = memory.allocate(capacity * sourcePitch);
    this.records = memory.allocate(capacity * recordPitch);
  }

  /** Returns the bytes of memory that one generation takes. */
  static long generationBytes(EncodingParameters parameters, int maxBlocks) {
    GenerationShape shape = parameters.shape();
    long codedBlocks = parameters.maxCodedBlocks(maxBlocks);
    return (long) maxBlocks * shape.blockSize() + codedBlocks * recordBytes(shape);
  }

  /** Returns the bytes of a record; an encoder's blocks carry seeds and no vectors. */
  private static int recordBytes(GenerationShape shape) {
    return WireBlock.HEADER_BYTES + shape.blockSize();
  }

  /**
   * Reads the next generations from a source and pads the last block with zeros.
   *
   * @param firstGeneration the number of the first generation in the batch
   * @return true if the source ended before the batch was full
   */
  boolean read(Source source, long firstGeneration) throws IOException {
    this.firstGeneration = firstGeneration;
    sourceBytes = source.read(sources);
    long blocks = Math.ceilDiv(sourceBytes, shape.blockSize());
    sources.asSlice(sourceBytes, blocks * shape.blockSize() - sourceBytes).fill((byte) 0);
    fullGenerations = (int) (blocks / shape.blocks());
    tailBlocks = (int) (blocks % shape.blocks());
    return sourceBytes < sources.byteSize();
  }

  /** Returns the source bytes in the batch, without padding. */
  long sourceBytes() {
    return sourceBytes;
  }

  /** Returns the number of generations in the batch. */
  int generations() {
    return fullGenerations + (tailBlocks > 0 ? 1 : 0);
  }

  /** Returns the source blocks of the last generation if it is shorter than the others, else 0. */
  int tailBlocks() {
    return tailBlocks;
  }

  /**
   * Updates a digest with the source bytes.
   *
   * @return the number of bytes
   */
  long update(MessageDigest digest) {
    for (long done = 0; done < sourceBytes; done += MAX_DIGEST_BYTES) {
      long count = Math.min(MAX_DIGEST_BYTES, sourceBytes - done);
      digest.update(sources.asSlice(done, count).asByteBuffer());
    }
    return sourceBytes;
  }

  /** Encodes the generations of full size. */
  void encodeFull(BatchEncoder encoder) {
    encode(encoder, 0, fullGenerations, shape.blocks());
  }

  /** Encodes the last, shorter generation. */
  void encodeTail(BatchEncoder encoder) {
    encode(encoder, fullGenerations, 1, tailBlocks);
  }

  private void encode(BatchEncoder encoder, int from, int count, int blocks) {
    if (count == 0) {
      return;
    }
    MemorySegment sourcesFrom = sources.asSlice(from * sourcePitch);
    MemorySegment payloadsFrom = records.asSlice(from * recordPitch + WireBlock.HEADER_BYTES);
    int k = shape.blockSize();
    encoder.encode(
        firstGeneration + from,
        new ByteMatrices(sourcesFrom, count, blocks, k, k, sourcePitch),
        0,
        new ByteMatrices(
            payloadsFrom, count, parameters.codedBlocks(blocks), k, recordBytes, recordPitch));
  }

  /**
   * Writes the records to the shards: block b of a generation goes to shard b mod shards.
   *
   * @return the number of bytes written
   */
  long write(List<ShardWriter> shards, BatchEncoder fullEncoder, BatchEncoder tailEncoder)
      throws IOException {
    long count = 0;
    for (int g = 0; g < generations(); g++) {
      BatchEncoder encoder = g < fullGenerations ? fullEncoder : tailEncoder;
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
    CodedBlock block = new CodedBlock(firstGeneration + g, encoder.vector(index), payload);
    new WireBlock(objectId, encoder.shape(), block).writeRecord(record, 0);
    return record;
  }
}
