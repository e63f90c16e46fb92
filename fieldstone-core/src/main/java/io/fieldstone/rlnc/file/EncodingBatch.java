package io.fieldstone.rlnc.file;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.rlnc.BatchEncoder;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.WireBlock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.IntStream;

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
  private final long sourcePitch;
  private final int recordBytes;
  private final long recordPitch;
  private final MemorySegment sources;

  /** The bytes of the input: the sources themselves, or memory of its own if they are encrypted. */
  private final MemorySegment inputs;

  /** The bytes of the input in a full generation. */
  private final long inputPitch;

  private final MemorySegment records;

  private long firstGeneration;
  private boolean isLast;
  private int fullGenerations;
  private int tailBlocks;
  private long sourceBytes;
  private long codedBytes;

  /**
   * Allocates the memory of a batch.
   *
   * @param maxBlocks source blocks of the largest generation
   * @param capacity the maximum number of generations in the batch
   * @param isEncrypted whether {@link #encrypt} makes the source blocks
   * @throws IOException if there is not enough memory
   */
  EncodingBatch(
      EncodingParameters parameters,
      int maxBlocks,
      int capacity,
      boolean isEncrypted,
      NativeMemory memory)
      throws IOException {
    this.parameters = parameters;
    this.shape = parameters.shape();
    this.sourcePitch = (long) maxBlocks * shape.blockSize();
    this.recordBytes = recordBytes(shape);
    this.recordPitch = (long) parameters.maxCodedBlocks(maxBlocks) * recordBytes;
    this.sources = memory.allocate(capacity * sourcePitch);
    this.inputPitch = isEncrypted ? sourcePitch - GenerationCipher.TAG_BYTES : sourcePitch;
    this.inputs = isEncrypted ? memory.allocate(capacity * inputPitch) : sources;
    this.records = memory.allocate(capacity * recordPitch);
  }

  /** Returns the bytes of memory that one generation takes. */
  static long generationBytes(EncodingParameters parameters, int maxBlocks, boolean isEncrypted) {
    GenerationShape shape = parameters.shape();
    long codedBlocks = parameters.maxCodedBlocks(maxBlocks);
    return (isEncrypted ? 2L : 1L) * maxBlocks * shape.blockSize()
        + codedBlocks * recordBytes(shape);
  }

  /** Returns the bytes of a record; an encoder's blocks carry seeds and no vectors. */
  static int recordBytes(GenerationShape shape) {
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
    sourceBytes = source.read(inputs);
    isLast = sourceBytes < inputs.byteSize() || source.isAtEnd();
    codedBytes = sourceBytes + Math.ceilDiv(sourceBytes, inputPitch) * (sourcePitch - inputPitch);
    long blocks = Math.ceilDiv(codedBytes, shape.blockSize());
    sources.asSlice(codedBytes, blocks * shape.blockSize() - codedBytes).fill((byte) 0);
    fullGenerations = (int) (blocks / shape.blocks());
    tailBlocks = (int) (blocks % shape.blocks());
    return isLast;
  }

  /** Returns the bytes of the input in the batch. */
  long sourceBytes() {
    return sourceBytes;
  }

  /** Returns the bytes to be coded, without padding: those of the input, encrypted if it is. */
  long codedBytes() {
    return codedBytes;
  }

  /** Returns the input. */
  MemorySegment plaintext() {
    return inputs.asSlice(0, sourceBytes);
  }

  /** Makes the source blocks from the input, on several threads. */
  void encrypt(GenerationCipher cipher) {
    IntStream.range(0, generations()).parallel().forEach(g -> encrypt(cipher, g));
  }

  private void encrypt(GenerationCipher cipher, int g) {
    long at = g * inputPitch;
    long bytes = Math.min(inputPitch, sourceBytes - at);
    cipher.encrypt(
        firstGeneration + g,
        isLast && g == generations() - 1,
        inputs.asSlice(at, bytes),
        sources.asSlice(g * sourcePitch, bytes + GenerationCipher.TAG_BYTES));
  }

  /** Computes the hashes of the generations, on several threads. */
  List<Sha256> hashes() {
    return IntStream.range(0, generations()).parallel().mapToObj(this::hash).toList();
  }

  private Sha256 hash(int g) {
    int blocks = g < fullGenerations ? shape.blocks() : tailBlocks;
    MemorySegment source = sources.asSlice(g * sourcePitch, (long) blocks * shape.blockSize());
    return new HashTree().generation(source, shape.blockSize());
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
   * @param recordId the number that all records carry
   * @return the number of bytes written
   */
  long write(
      List<ShardWriter> shards, long recordId, BatchEncoder fullEncoder, BatchEncoder tailEncoder)
      throws IOException {
    long count = 0;
    for (int g = 0; g < generations(); g++) {
      BatchEncoder encoder = g < fullGenerations ? fullEncoder : tailEncoder;
      int coded = parameters.codedBlocks(encoder.shape().blocks());
      for (int index = 0; index < coded; index++) {
        shards.get(index % shards.size()).add(record(recordId, g, encoder, index));
      }
      count += coded;
    }
    for (ShardWriter shard : shards) {
      shard.flush();
    }
    return count * recordBytes;
  }

  private MemorySegment record(long recordId, int g, BatchEncoder encoder, int index) {
    MemorySegment record =
        records.asSlice(g * recordPitch + (long) index * recordBytes, recordBytes);
    MemorySegment payload = record.asSlice(WireBlock.HEADER_BYTES);
    CodedBlock block = new CodedBlock(firstGeneration + g, encoder.vector(index), payload);
    new WireBlock(recordId, encoder.shape(), block).writeRecord(record, 0);
    return record;
  }
}
