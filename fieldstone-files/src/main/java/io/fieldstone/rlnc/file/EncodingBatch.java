package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.rlnc.BatchEncoder;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.WireBlock;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.file.Source;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Holds a batch of generations from the source bytes to the coded records. Source blocks lie
 * contiguously, so the batch is read and hashed as one range. The records of one shard at a time
 * are made from source blocks and products, and written as one range. For one thread at a time.
 */
final class EncodingBatch implements AutoCloseable {

  private final Engine engine;
  private final GenerationShape shape;
  private final EncodingParameters parameters;
  private final Batches batches;
  private final BatchEncoder full;
  private final HashTree tree = new HashTree();
  private final long sourcePitch;
  private final int recordBytes;
  private final MemorySegment sources;

  /** The bytes of the input: the sources themselves, or memory of its own if they are encrypted. */
  private final MemorySegment inputs;

  /** The bytes of the input in a full generation. */
  private final long inputPitch;

  /** The blocks of each generation that are not source blocks. */
  private final ByteMatrices products;

  /** The records of one shard. */
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
   * @param batches the number of generations in the batch
   * @param isEncrypted whether {@link #encrypt} makes the source blocks
   * @throws IOException if there is not enough memory
   */
  EncodingBatch(
      Engine engine,
      EncodingParameters parameters,
      int maxBlocks,
      Batches batches,
      boolean isEncrypted,
      NativeMemory memory)
      throws IOException {
    this.engine = engine;
    this.parameters = parameters;
    this.shape = parameters.shape();
    this.batches = batches;
    this.full = new BatchEncoder(engine, shape, parameters.seed());
    int k = shape.blockSize();
    long capacity = batches.generations();
    this.sourcePitch = (long) maxBlocks * k;
    this.recordBytes = recordBytes(shape);
    this.sources = memory.allocate(capacity * sourcePitch);
    this.inputPitch = isEncrypted ? sourcePitch - GenerationCipher.TAG_BYTES : sourcePitch;
    this.inputs = isEncrypted ? memory.allocate(capacity * inputPitch) : sources;
    int rows = maxProducts(parameters, maxBlocks);
    long stride = ByteMatrices.paddedStride(k);
    MemorySegment rowMemory = memory.allocate(capacity * rows * stride);
    this.products = new ByteMatrices(rowMemory, capacity, rows, k, stride, rows * stride);
    this.records = memory.allocate(capacity * maxRecords(parameters, maxBlocks) * recordBytes);
  }

  /** Returns the maximum number of blocks of a generation that are not source blocks. */
  private static int maxProducts(EncodingParameters parameters, int maxBlocks) {
    return IntStream.rangeClosed(1, maxBlocks)
        .map(n -> parameters.codedBlocks(n) - copiedBlocks(parameters, n))
        .max()
        .orElse(0);
  }

  /**
   * Returns the number of coded blocks of a generation of n that are its source blocks: all or
   * none.
   */
  private static int copiedBlocks(EncodingParameters parameters, int n) {
    return parameters.shape().code().isSource(n - 1, n) ? n : 0;
  }

  /** Returns the maximum number of records of a generation in one shard. */
  private static int maxRecords(EncodingParameters parameters, int maxBlocks) {
    return Math.ceilDiv(parameters.maxCodedBlocks(maxBlocks), parameters.shards());
  }

  /** Returns the bytes of memory that one generation takes. */
  static long generationBytes(EncodingParameters parameters, int maxBlocks, boolean isEncrypted) {
    GenerationShape shape = parameters.shape();
    return (isEncrypted ? 2L : 1L) * maxBlocks * shape.blockSize()
        + maxProducts(parameters, maxBlocks) * ByteMatrices.paddedStride(shape.blockSize())
        + (long) maxRecords(parameters, maxBlocks) * recordBytes(shape);
  }

  /** Returns the bytes of a record; an encoder's blocks carry seeds and no vectors. */
  static int recordBytes(GenerationShape shape) {
    return WireBlock.HEADER_BYTES + shape.blockSize();
  }

  /**
   * Claims the next generations of a source.
   *
   * @param first the number of the first generation in the batch
   * @return true if the source has no more bytes
   */
  boolean claim(Source source, long first) throws IOException {
    firstGeneration = first;
    sourceBytes = source.claim(inputs);
    isLast = sourceBytes < inputs.byteSize() || source.isAtEnd();
    codedBytes = sourceBytes + Math.ceilDiv(sourceBytes, inputPitch) * (sourcePitch - inputPitch);
    divide();
    return isLast;
  }

  /** Divides the coded bytes into full generations and the blocks of a shorter one. */
  private void divide() {
    long blocks = Math.ceilDiv(codedBytes, shape.blockSize());
    fullGenerations = (int) (blocks / shape.blocks());
    tailBlocks = (int) (blocks % shape.blocks());
  }

  /**
   * Reads the claimed bytes and pads the last block with zeros.
   *
   * @return the number of bytes
   */
  long read(Source source) throws IOException {
    source.read(plaintext(), firstGeneration * inputPitch);
    pad();
    return sourceBytes;
  }

  private void pad() {
    long end = Math.ceilDiv(codedBytes, shape.blockSize()) * (long) shape.blockSize();
    sources.asSlice(codedBytes, end - codedBytes).fill((byte) 0);
  }

  /**
   * Takes the bytes of whole generations, or the last bytes of an object that is not encrypted.
   *
   * @param bytes at most the generations of the batch; copied
   * @param first the number of the first generation
   */
  void fill(MemorySegment bytes, long first) {
    firstGeneration = first;
    sourceBytes = bytes.byteSize();
    codedBytes = sourceBytes;
    divide();
    sources.asSlice(0, codedBytes).copyFrom(bytes);
    pad();
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

  /** Makes the source blocks from the input. */
  void encrypt(GenerationCipher cipher) {
    for (int g = 0; g < generations(); g++) {
      long at = g * inputPitch;
      long bytes = Math.min(inputPitch, sourceBytes - at);
      cipher.encrypt(
          firstGeneration + g,
          isLast && g == generations() - 1,
          inputs.asSlice(at, bytes),
          sources.asSlice(g * sourcePitch, bytes + GenerationCipher.TAG_BYTES));
    }
  }

  /** Computes the hashes of the generations. */
  List<Sha256> hashes() {
    long bytes = fullGenerations * shape.bytes() + (long) tailBlocks * shape.blockSize();
    return bytes == 0
        ? List.of()
        : tree.generations(sources.asSlice(0, bytes), shape.blocks(), shape.blockSize());
  }

  /** Returns the number of the first generation in the batch. */
  long firstGeneration() {
    return firstGeneration;
  }

  /** Returns the number of generations in the batch. */
  int generations() {
    return fullGenerations + (tailBlocks > 0 ? 1 : 0);
  }

  private int blocksOf(int g) {
    return g < fullGenerations ? shape.blocks() : tailBlocks;
  }

  /**
   * Computes the blocks that are not source blocks.
   *
   * @return the bytes of the input
   */
  long encode() throws IOException {
    return encode(_ -> true);
  }

  /**
   * Computes the blocks of some shards that are not source blocks.
   *
   * @return the bytes of the input
   */
  long encode(IntPredicate shards) throws IOException {
    return NativeMemory.reserve(() -> batches.compute(engine, () -> encodeAll(shards)));
  }

  private long encodeAll(IntPredicate shards) {
    encode(full, 0, fullGenerations, shards);
    if (tailBlocks > 0) {
      GenerationShape tail = shape.withBlocks(tailBlocks);
      try (BatchEncoder encoder = new BatchEncoder(engine, tail, parameters.seed())) {
        encode(encoder, fullGenerations, 1, shards);
      }
    }
    return sourceBytes;
  }

  private void encode(BatchEncoder encoder, int from, int count, IntPredicate shards) {
    int n = encoder.shape().blocks();
    int k = shape.blockSize();
    int copied = copiedBlocks(parameters, n);
    int coded = parameters.codedBlocks(n);
    if (count == 0) {
      return;
    }
    ByteMatrices own =
        new ByteMatrices(sources.asSlice(from * sourcePitch), count, n, k, k, sourcePitch);
    ByteMatrices rows = products.matrices(from, count);
    IntPredicate isWanted = index -> index < coded && shards.test(index % parameters.shards());
    for (int first = copied; first < coded; first++) {
      int end = first;
      while (isWanted.test(end)) {
        end++;
      }
      if (end > first) {
        encoder.encode(firstGeneration + from, own, first, rows.rows(first - copied, end - first));
        first = end;
      }
    }
  }

  /**
   * Writes the records to the shards: block b of a generation goes to shard b mod shards. Batches
   * begin with different shards, since a file system writes a file for one thread at a time.
   *
   * @param recordId the number that all records carry
   * @return the number of bytes written
   */
  long write(List<ShardWriter> shards, long recordId) throws IOException {
    int count = shards.size();
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      int shard = (int) ((firstGeneration / products.count() + i) % count);
      long made = makeRecords(shard, recordId);
      if (made > 0) {
        long before =
            firstGeneration * parameters.recordsOf(shard, parameters.codedBlocks(shape.blocks()));
        shards.get(shard).write(records.asSlice(0, made), before);
      }
      bytes += made;
    }
    return bytes;
  }

  /**
   * Returns the records of a shard.
   *
   * @param recordId the number that all records carry
   * @return valid until the next call
   */
  MemorySegment records(int shard, long recordId) {
    return records.asSlice(0, makeRecords(shard, recordId));
  }

  /** Makes the records of a shard; returns their bytes. */
  private long makeRecords(int shard, long recordId) {
    long at = 0;
    for (int g = 0; g < generations(); g++) {
      int n = blocksOf(g);
      GenerationShape own = shape.withBlocks(n);
      int coded = parameters.codedBlocks(n);
      int copied = copiedBlocks(parameters, n);
      for (int index = shard; index < coded; index += parameters.shards()) {
        MemorySegment payload =
            index < copied
                ? sources.asSlice(
                    g * sourcePitch + (long) index * shape.blockSize(), shape.blockSize())
                : products.row(g, index - copied);
        CodingVector vector = CodingVector.of(own, parameters.seed(), index);
        CodedBlock block = new CodedBlock(firstGeneration + g, vector, payload);
        new WireBlock(recordId, own, block).writeRecord(records.asSlice(at, recordBytes), 0);
        at += recordBytes;
      }
    }
    return at;
  }

  @Override
  public void close() {
    full.close();
  }
}
