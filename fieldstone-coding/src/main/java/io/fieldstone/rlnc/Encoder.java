package io.fieldstone.rlnc;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Scratch;
import io.fieldstone.engine.memory.Allocations;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Objects;

/**
 * Encodes blocks of one generation that stays on the engine, for servers. Blocks are numbered from
 * 0; each can be encoded at any time, in any order, and repeatedly. Another seed gives other blocks
 * of the same generation.
 *
 * {@snippet :
 * GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 128, 4096);
 * try (Encoder encoder = new Encoder(engine, shape, generation, seed, source)) {
 *   send(encoder.next());
 * }
 * }
 *
 * <p>A live sender creates an encoder without source and stores each source block as it comes. A
 * block can be encoded as soon as its source blocks are stored: at once in a systematic code, and
 * frame by frame in a pipeline code.
 *
 * {@snippet :
 * try (Encoder encoder = new Encoder(engine, shape, generation, seed)) {
 *   for (int i = 0; i < shape.blocks(); i++) {
 *     encoder.store(i, capture());
 *     send(encoder.block(i));
 *   }
 * }
 * }
 *
 * <p>For one thread at a time. The caller owns the engine, which must stay open until the encoder
 * is closed.
 */
public final class Encoder implements AutoCloseable {

  /**
   * The maximum bytes of coefficients generated for one product: enough to use an engine fully, few
   * compared to the blocks.
   */
  private static final long COEFFICIENT_BYTES = 16 << 20;

  private final GenerationShape shape;
  private final long seed;
  private final ResidentBlocks blocks;
  private final BitSet stored = new BitSet();
  private final Scratch coefficients = new Scratch();
  private long generation;
  private long next;

  /**
   * Creates an encoder and loads the generation.
   *
   * @param engine keeps and multiplies the generation
   * @param shape n, k, field and code
   * @param generation the number of the generation, 0 ≤ generation &lt; 2^32
   * @param seed Philox key of the coefficients
   * @param source at most n·k bytes, copied and padded with zeros
   * @throws IllegalArgumentException if the source has more than n·k bytes or the number is out of
   *     range
   */
  public Encoder(
      Engine engine, GenerationShape shape, long generation, long seed, MemorySegment source) {
    engine.requireOpen();
    Code.requireCounter("generation", generation);
    if (source.byteSize() > shape.bytes()) {
      throw new IllegalArgumentException(
          "%d source bytes do not fit a generation of %d blocks of %d bytes"
              .formatted(source.byteSize(), shape.blocks(), shape.blockSize()));
    }
    this.shape = shape;
    this.generation = generation;
    this.seed = seed;
    this.blocks = load(engine, shape, source);
    stored.set(0, shape.blocks());
  }

  /**
   * Creates an encoder without source blocks; {@link #store} adds them.
   *
   * @param engine keeps and multiplies the generation
   * @param shape n, k, field and code
   * @param generation the number of the generation, 0 ≤ generation &lt; 2^32
   * @param seed Philox key of the coefficients
   * @throws IllegalArgumentException if the number is out of range
   */
  public Encoder(Engine engine, GenerationShape shape, long generation, long seed) {
    engine.requireOpen();
    Code.requireCounter("generation", generation);
    this.shape = shape;
    this.generation = generation;
    this.seed = seed;
    this.blocks = engine.allocate(shape.field(), 1, shape.blocks(), shape.blockSize());
  }

  /**
   * Creates an encoder and loads the generation.
   *
   * @param source its remaining bytes, at most n·k, are copied and padded with zeros; its position
   *     is its limit then
   * @see #Encoder(Engine, GenerationShape, long, long, MemorySegment)
   */
  public Encoder(
      Engine engine, GenerationShape shape, long generation, long seed, ByteBuffer source) {
    this(engine, shape, generation, seed, MemorySegment.ofBuffer(source));
    source.position(source.limit());
  }

  /**
   * Creates an encoder and loads the generation.
   *
   * @param source at most n·k bytes, copied and padded with zeros
   * @see #Encoder(Engine, GenerationShape, long, long, MemorySegment)
   */
  public Encoder(Engine engine, GenerationShape shape, long generation, long seed, byte[] source) {
    this(engine, shape, generation, seed, MemorySegment.ofArray(source));
  }

  private static ResidentBlocks load(Engine engine, GenerationShape shape, MemorySegment source) {
    int k = shape.blockSize();
    if (source.byteSize() == shape.bytes()) {
      return engine.load(shape.field(), ByteMatrices.of(source, shape.blocks(), k));
    }
    ResidentBlocks blocks = engine.allocate(shape.field(), 1, shape.blocks(), k);
    return Allocations.next(() -> store(source, k, blocks), blocks::close);
  }

  private static ResidentBlocks store(MemorySegment source, int k, ResidentBlocks blocks) {
    int whole = (int) (source.byteSize() / k);
    for (int row = 0; row < whole; row++) {
      blocks.store(0, row, source.asSlice((long) row * k, k));
    }
    MemorySegment rest = source.asSlice((long) whole * k);
    if (rest.byteSize() > 0) {
      blocks.store(0, whole, padded(rest, k));
    }
    return blocks;
  }

  private static MemorySegment padded(MemorySegment block, int k) {
    if (block.byteSize() == k) {
      return block;
    }
    if (block.byteSize() > k) {
      throw new IllegalArgumentException(
          "a source block of %d bytes where blocks have %d".formatted(block.byteSize(), k));
    }
    return MemorySegment.ofArray(new byte[k]).copyFrom(block).asSlice(0, k);
  }

  /**
   * Stores a source block, which is copied and padded with zeros to k bytes. A block that is stored
   * again replaces the first; blocks encoded before keep the old bytes.
   *
   * @param index the number of the source block, 0 … n − 1
   * @param block at most k bytes
   * @throws IndexOutOfBoundsException if the index is out of range
   * @throws IllegalArgumentException if the block has more than k bytes
   */
  public void store(int index, MemorySegment block) {
    Objects.checkIndex(index, shape.blocks());
    blocks.store(0, index, padded(block, shape.blockSize()));
    stored.set(index);
  }

  /**
   * Stores the remaining bytes of a buffer, on or off the heap, whose position is its limit then.
   *
   * @see #store(int, MemorySegment)
   */
  public void store(int index, ByteBuffer block) {
    store(index, MemorySegment.ofBuffer(block));
    block.position(block.limit());
  }

  /**
   * Stores an array.
   *
   * @see #store(int, MemorySegment)
   */
  public void store(int index, byte[] block) {
    store(index, MemorySegment.ofArray(block));
  }

  /**
   * Stores all source blocks.
   *
   * @param source n×k bytes
   * @throws IllegalArgumentException if the source has another shape
   */
  public void store(ByteMatrices source) {
    shape.requirePayloads("source", source, 1, shape.blocks());
    blocks.store(source);
    stored.set(0, shape.blocks());
  }

  /**
   * Returns true if a source block is stored.
   *
   * @throws IndexOutOfBoundsException if the index is not in 0 … n − 1
   */
  public boolean isStored(int index) {
    return stored.get(Objects.checkIndex(index, shape.blocks()));
  }

  /**
   * Removes all source blocks and starts another generation of the same shape and seed in the same
   * memory.
   *
   * @param generation the number of the generation, 0 ≤ generation &lt; 2^32
   * @throws IllegalArgumentException if the number is out of range
   */
  public void reset(long generation) {
    Code.requireCounter("generation", generation);
    this.generation = generation;
    stored.clear();
    next = 0;
  }

  /** Returns the shape of the generation. */
  public GenerationShape shape() {
    return shape;
  }

  /** Returns the number of the generation. */
  public long generation() {
    return generation;
  }

  /** Returns the seed of the coefficients. */
  public long seed() {
    return seed;
  }

  /** Returns the coding vector of block {@code index}. */
  public CodingVector vector(long index) {
    return CodingVector.of(shape, seed, index);
  }

  /**
   * Encodes the next block: 0, 1, …
   *
   * @throws IllegalArgumentException after 2^32 blocks
   * @throws IllegalStateException if it needs a source block that is not stored; it stays the next
   */
  public CodedBlock next() {
    CodedBlock block = block(next);
    next++;
    return block;
  }

  /**
   * Encodes block {@code index} into new memory.
   *
   * @throws IllegalArgumentException if the index is not in 0 … 2^32 − 1
   * @throws IllegalStateException if it needs a source block that is not stored
   */
  public CodedBlock block(long index) {
    MemorySegment payload = MemorySegment.ofArray(new byte[shape.blockSize()]);
    encode(index, ByteMatrices.of(payload, 1, shape.blockSize()));
    return new CodedBlock(generation, vector(index), payload);
  }

  /**
   * Encodes blocks {@code firstIndex}, {@code firstIndex + 1}, … with one product, or a few for
   * very many coefficients. Source blocks of a systematic code are copied. Memory is reused from
   * call to call.
   *
   * @param payloads one matrix of m×k bytes, overwritten; block {@code firstIndex + i} goes to row
   *     i
   * @throws IllegalArgumentException if the payloads have another shape or an index exceeds 2^32 −
   *     1
   * @throws IllegalStateException if a block needs a source block that is not stored; the payloads
   *     are then unchanged
   */
  public void encode(long firstIndex, ByteMatrices payloads) {
    Code.requireCounters(generation, 1, firstIndex, payloads.rows());
    encode(row -> firstIndex + row, payloads);
  }

  /**
   * Encodes blocks of any indices.
   *
   * @param indices the indices of the blocks, each in 0 … 2^32 − 1
   * @param payloads one matrix of {@code indices.length}×k bytes, overwritten
   * @throws IllegalArgumentException if the payloads have another shape or an index is out of range
   * @see #encode(long, ByteMatrices)
   */
  public void encode(long[] indices, ByteMatrices payloads) {
    shape.requirePayloads("payloads", payloads, 1, indices.length);
    for (long index : indices) {
      Code.requireCounter("index", index);
    }
    encode(row -> indices[row], payloads);
  }

  /**
   * Writes the coefficients of blocks {@code firstIndex}, {@code firstIndex + 1}, …; allocates no
   * memory.
   *
   * @param vectors one matrix of m×n bytes, overwritten
   * @throws IllegalArgumentException if the vectors have another shape or an index exceeds 2^32 − 1
   */
  public void coefficients(long firstIndex, ByteMatrices vectors) {
    shape.requireVectors("vectors", vectors, 1, vectors.rows());
    Code.requireCounters(generation, 1, firstIndex, vectors.rows());
    for (int row = 0; row < vectors.rows(); row++) {
      draw(firstIndex + row, vectors, row);
    }
  }

  /** Maps rows to block indices. */
  private interface Indices {
    long of(int row);
  }

  private void encode(Indices indices, ByteMatrices payloads) {
    int m = payloads.rows();
    shape.requirePayloads("payloads", payloads, 1, m);
    for (int row = 0; row < m; row++) {
      requireStored(indices.of(row));
    }
    int atOnce = (int) Math.max(1, COEFFICIENT_BYTES / shape.blocks());
    for (int row = 0; row < m; ) {
      int end = row;
      while (end < m && end - row < atOnce && !isSource(indices.of(end))) {
        end++;
      }
      if (end > row) {
        multiply(indices, row, payloads.rows(row, end - row));
        row = end;
      } else {
        blocks.read(0, (int) indices.of(row), payloads.row(0, row));
        row++;
      }
    }
  }

  /** Checks that the source blocks of block {@code index} are stored. */
  private void requireStored(long index) {
    int first = isSource(index) ? (int) index : 0;
    int missing = stored.nextClearBit(first);
    if (missing < end(index)) {
      throw new IllegalStateException(
          "block %d of generation %d needs source block %d, which is not stored"
              .formatted(index, generation, missing));
    }
  }

  /** Returns the end of the source blocks that block {@code index} combines. */
  private int end(long index) {
    if (isSource(index)) {
      return (int) index + 1;
    }
    return shape.code() instanceof Code.Pipeline pipeline
        ? pipeline.sequenceNumber(index, shape.blocks()) + 1
        : shape.blocks();
  }

  private void multiply(Indices indices, int firstRow, ByteMatrices payloads) {
    int n = shape.blocks();
    long firstIndex = indices.of(firstRow);
    if (shape.code().isDense(firstIndex, n) && isConsecutive(indices, firstRow, payloads.rows())) {
      blocks.multiply(
          0, Draws.dense(seed, generation, firstIndex, 1, payloads.rows(), n), payloads);
      return;
    }
    ByteMatrices drawn = coefficients.matrix(payloads.rows(), n);
    for (int row = 0; row < payloads.rows(); row++) {
      draw(indices.of(firstRow + row), drawn, row);
    }
    blocks.multiply(0, drawn, payloads);
  }

  private static boolean isConsecutive(Indices indices, int firstRow, int rows) {
    long first = indices.of(firstRow);
    int row = 1;
    while (row < rows && indices.of(firstRow + row) == first + row) {
      row++;
    }
    return row == rows;
  }

  private void draw(long index, ByteMatrices vectors, int row) {
    shape
        .code()
        .coefficients(
            seed, generation, index, vectors.data(), vectors.offset(0, row), shape.blocks());
  }

  private boolean isSource(long index) {
    return shape.code().isSource(index, shape.blocks());
  }

  /** Frees the generation. Idempotent. */
  @Override
  public void close() {
    blocks.close();
    coefficients.close();
  }
}
