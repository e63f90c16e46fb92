package io.fieldstone.rlnc;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Scratch;
import java.lang.foreign.MemorySegment;

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
  private final long generation;
  private final long seed;
  private final ResidentBlocks blocks;
  private final Scratch coefficients = new Scratch();
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
  }

  private static ResidentBlocks load(Engine engine, GenerationShape shape, MemorySegment source) {
    int k = shape.blockSize();
    if (source.byteSize() == shape.bytes()) {
      return engine.load(shape.field(), ByteMatrices.of(source, shape.blocks(), k));
    }
    ResidentBlocks blocks = engine.allocate(shape.field(), 1, shape.blocks(), k);
    int whole = (int) (source.byteSize() / k);
    for (int row = 0; row < whole; row++) {
      blocks.store(0, row, source.asSlice((long) row * k, k));
    }
    MemorySegment rest = source.asSlice((long) whole * k);
    if (rest.byteSize() > 0) {
      MemorySegment padded = MemorySegment.ofArray(new byte[k]);
      MemorySegment.copy(rest, 0, padded, 0, rest.byteSize());
      blocks.store(0, whole, padded);
    }
    return blocks;
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
   */
  public CodedBlock next() {
    return block(next++);
  }

  /**
   * Encodes block {@code index} into new memory.
   *
   * @throws IllegalArgumentException if the index is not in 0 … 2^32 − 1
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
