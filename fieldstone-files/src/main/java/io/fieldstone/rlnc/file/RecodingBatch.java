package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.rlnc.wire.WireBlock;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.NativeMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;

/**
 * A slot of the recoder: the innovative blocks of a batch of generations, and the records made from
 * them. Vectors and payloads are computed directly into the records.
 *
 * <p>A few dependent blocks are kept too, to check the payloads of the others.
 */
final class RecodingBatch {

  private static final Code DRAWS = new Code.Dense();

  /** The maximum number of dependent blocks of a generation that are compared with the others. */
  private static final int MAX_SPARE = 4;

  private final Engine engine;
  private final ShardHeader header;
  private final CodedObject descriptor;

  /**
   * The maximum number of innovative blocks of a generation; rows after them hold dependent ones.
   */
  private final int rows;

  private final int count;
  private final int capacity;
  private final MemorySegment coefficients;
  private final MemorySegment records;
  private final ByteMatrices vectors;
  private final ByteMatrices payloads;
  private final PayloadImages images;

  /** The vectors of a generation. */
  private final Basis basis;

  /** The vectors of a generation, each followed by the image of its payload. */
  private final Basis checks;

  /** A vector followed by the image of its payload. */
  private final MemorySegment extended;

  private final int[] ranks;
  private final int[] spares;
  private final long[] codedBlocks;
  private long first;
  private long firstRecord;
  private int generations;

  /**
   * Allocates memory.
   *
   * @param rows the maximum number of innovative blocks of each generation
   * @param count the new blocks of each generation
   * @param batches the maximum number of generations in the batch
   */
  RecodingBatch(
      Engine engine, ShardHeader header, int rows, int count, Batches batches, NativeMemory memory)
      throws IOException {
    this.engine = engine;
    this.header = header;
    this.descriptor = header.descriptor();
    this.rows = rows;
    this.count = count;
    this.capacity = batches.generations();
    this.coefficients = memory.allocate((long) capacity * count * rows);
    this.records = memory.allocate((long) capacity * count * header.recordBytes());
    int n = descriptor.shape().blocks();
    int all = rows + MAX_SPARE;
    this.vectors =
        ByteMatrices.packed(memory.allocate((long) capacity * all * n), capacity, all, n);
    int k = descriptor.shape().blockSize();
    long stride = PayloadImages.stride(k);
    MemorySegment data = memory.allocate(capacity * all * stride);
    this.payloads = new ByteMatrices(data, capacity, all, k, stride, all * stride);
    this.images =
        new PayloadImages(engine, descriptor.shape().field(), k, (long) capacity * all, memory);
    this.basis = memory.basis(descriptor.shape().field(), n);
    this.checks = memory.basis(descriptor.shape().field(), n + PayloadImages.BYTES);
    this.extended = memory.allocate((long) n + PayloadImages.BYTES);
    this.ranks = new int[capacity];
    this.spares = new int[capacity];
    this.codedBlocks = new long[capacity];
  }

  /** Returns the bytes of memory that one generation takes. */
  static long generationBytes(ShardHeader header, int rows, int count) {
    GenerationShape shape = header.descriptor().shape();
    int k = shape.blockSize();
    return (rows + MAX_SPARE)
            * (shape.blocks() + PayloadImages.stride(k) + PayloadImages.bytesOf(k))
        + (long) count * (rows + header.recordBytes());
  }

  long first() {
    return first;
  }

  int generations() {
    return generations;
  }

  /** Returns the number of independent blocks of the g-th generation of this batch. */
  int rank(int g) {
    return ranks[g];
  }

  /** Returns true if every generation of this batch has full rank. */
  boolean isComplete() {
    return IntStream.range(0, generations)
        .allMatch(g -> ranks[g] == descriptor.blocksOf(first + g));
  }

  /** Returns the number of its undamaged blocks in all shards. */
  long codedBlocks(int g) {
    return codedBlocks[g];
  }

  /** Returns the bytes of the file in this batch. */
  long sourceBytes() {
    long last = first + generations - 1;
    return (generations - 1) * descriptor.shape().bytes() + descriptor.bytesOf(last);
  }

  /** Starts with the generations from {@code firstGeneration} on. */
  void start(long firstGeneration) {
    first = firstGeneration;
    generations = (int) Math.min(capacity, descriptor.generations() - firstGeneration);
  }

  /** Reads the blocks of the generations from cursors; returns {@link #sourceBytes}. */
  long gather(ShardCursors cursors) throws IOException {
    for (int g = 0; g < generations; g++) {
      gather(g, cursors);
    }
    return sourceBytes();
  }

  /** Sets the number of records before those of this batch. */
  void number(long recordsBefore) {
    firstRecord = recordsBefore;
  }

  private void gather(int g, ShardCursors cursors) throws IOException {
    int n = descriptor.blocksOf(first + g);
    ranks[g] = 0;
    spares[g] = 0;
    basis.clear();
    codedBlocks[g] = cursors.drain(first + g, (_, block) -> gather(g, n, block));
  }

  private void gather(int g, int n, CodedBlock block) {
    boolean isComplete = ranks[g] == n;
    if (isComplete && spares[g] == MAX_SPARE) {
      return;
    }
    int row = isComplete ? rows + spares[g] : ranks[g];
    MemorySegment vector = vectors.row(g, row).fill((byte) 0).asSlice(0, n);
    block.vector().expand(descriptor.shape().code(), block.generation(), vector);
    if (!isComplete && basis.add(vector) != Basis.NOT_INNOVATIVE) {
      payloads.row(g, row).copyFrom(block.payload());
      ranks[g]++;
    } else if (spares[g] < MAX_SPARE && !isHeld(g, vector, block.payload())) {
      int spare = rows + spares[g];
      if (row != spare) {
        vectors.row(g, spare).copyFrom(vectors.row(g, row));
      }
      payloads.row(g, spare).copyFrom(block.payload());
      spares[g]++;
    }
  }

  /** Returns true if a block repeats one that is held, and so cannot check any other. */
  private boolean isHeld(int g, MemorySegment vector, MemorySegment payload) {
    for (int row = 0; row < ranks[g]; row++) {
      if (vectors.row(g, row).asSlice(0, vector.byteSize()).mismatch(vector) < 0) {
        return payloads.row(g, row).mismatch(payload) < 0;
      }
    }
    return false;
  }

  /** Returns true if a generation has a dependent block, which checks its payloads. */
  boolean isChecked(int g) {
    return spares[g] > 0;
  }

  /** Returns true if each dependent payload is the combination that its vector defines. */
  boolean isConsistent() {
    if (IntStream.range(0, generations).noneMatch(this::isChecked)) {
      return true;
    }
    images.map(payloads.data(), (long) generations * payloads.rows());
    return IntStream.range(0, generations).allMatch(this::isConsistent);
  }

  private boolean isConsistent(int g) {
    if (!isChecked(g)) {
      return true;
    }
    checks.clear();
    for (int row = 0; row < ranks[g]; row++) {
      checks.add(extended(g, row));
    }
    for (int spare = 0; spare < spares[g]; spare++) {
      if (checks.isInnovative(extended(g, rows + spare))) {
        return false;
      }
    }
    return true;
  }

  private MemorySegment extended(int g, int row) {
    MemorySegment vector = vectors.row(g, row);
    extended.copyFrom(vector);
    images.write((long) g * payloads.rows() + row, extended, vector.byteSize());
    return extended;
  }

  /**
   * Generates coefficients and computes the products.
   *
   * @param key the key of the coefficients
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

  /** Generates uniform coefficients for the blocks held, not all zero. */
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
        .multiply(
            descriptor.shape().field(),
            drawn,
            sources.matrices(0, generations).rows(0, rows),
            products);
  }

  /** Returns the number of records of this batch; generations of rank zero have none. */
  long records() {
    return IntStream.range(0, generations).filter(g -> ranks[g] > 0).count() * count;
  }

  /**
   * Completes the records and writes them.
   *
   * @return the number of bytes written
   */
  long write(ShardWriter shard) throws IOException {
    long generationBytes = (long) count * header.recordBytes();
    long record = firstRecord;
    for (int g = 0; g < generations; ) {
      int from = g;
      while (g < generations && ranks[g] > 0) {
        for (int index = 0; index < count; index++) {
          long at = g * generationBytes + (long) index * header.recordBytes();
          writeRecord(g, records.asSlice(at, header.recordBytes()));
        }
        g++;
      }
      if (g > from) {
        shard.write(records.asSlice(from * generationBytes, (g - from) * generationBytes), record);
        record += (long) (g - from) * count;
      } else {
        g++;
      }
    }
    return (record - firstRecord) * header.recordBytes();
  }

  private void writeRecord(int g, MemorySegment record) {
    GenerationShape own = descriptor.shape().withBlocks(descriptor.blocksOf(first + g));
    CodingVector vector =
        new CodingVector.Explicit(record.asSlice(WireBlock.HEADER_BYTES, own.blocks()));
    MemorySegment payload = record.asSlice((long) WireBlock.HEADER_BYTES + header.vectorBytes());
    CodedBlock block = new CodedBlock(first + g, vector, payload);
    new WireBlock(header.recordId(), own, block).writeRecord(record, header.vectorBytes());
  }
}
