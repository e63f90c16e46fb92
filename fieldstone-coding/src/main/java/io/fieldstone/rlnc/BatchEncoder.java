package io.fieldstone.rlnc;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.engine.coding.Scratch;
import java.lang.foreign.MemorySegment;

/**
 * Encodes many generations of one shape with one product, directly from the caller's memory. An
 * {@link Encoder} keeps one generation on the engine and encodes blocks on request.
 *
 * <p>Blocks depend only on the shape, the seed, the generation and the index; every encoder makes
 * the same. For one thread at a time. The caller owns the engine.
 */
public final class BatchEncoder implements AutoCloseable {

  /**
   * The maximum bytes of coefficients generated for one product: enough to use an engine fully, few
   * compared to the blocks.
   */
  private static final long COEFFICIENT_BYTES = 16 << 20;

  private final Engine engine;
  private final GenerationShape shape;
  private final long seed;
  private final Scratch coefficients = new Scratch();

  /**
   * Creates an encoder.
   *
   * @param engine computes the products
   * @param shape the shape of every generation
   * @param seed Philox key of the coefficients
   */
  public BatchEncoder(Engine engine, GenerationShape shape, long seed) {
    engine.requireOpen();
    this.engine = engine;
    this.shape = shape;
    this.seed = seed;
  }

  /** Returns the shape of the generations. */
  public GenerationShape shape() {
    return shape;
  }

  /** Returns the seed of the coefficients. */
  public long seed() {
    return seed;
  }

  /** Returns the coding vector of block {@code index} of any generation. */
  public CodingVector vector(long index) {
    return CodingVector.of(shape, seed, index);
  }

  /**
   * Encodes blocks {@code firstIndex} … {@code firstIndex + m − 1} of each of {@code count}
   * consecutive generations. Source blocks of a systematic code are copied. The engine generates
   * the coefficients of a dense code. Memory is reused from call to call.
   *
   * @param firstGeneration the number of the generation in matrix 0 of {@code sources}
   * @param sources count × n×k bytes; the caller pads a shorter generation with zeros
   * @param firstIndex the index of the first block of each generation
   * @param payloads count × m×k bytes, overwritten; block {@code firstIndex + i} goes to row i
   * @throws IllegalArgumentException if the shapes do not agree, or a generation or index exceeds
   *     2^32 − 1
   */
  public void encode(
      long firstGeneration, ByteMatrices sources, long firstIndex, ByteMatrices payloads) {
    long count = sources.count();
    int m = payloads.rows();
    Code.requireCounters(firstGeneration, count, firstIndex, m);
    shape.requirePayloads("sources", sources, count, shape.blocks());
    shape.requirePayloads("payloads", payloads, count, m);
    int copied = 0;
    while (copied < m && shape.code().isSource(firstIndex + copied, shape.blocks())) {
      copyRow(sources, (int) firstIndex + copied, payloads, copied);
      copied++;
    }
    if (copied < m) {
      multiply(firstGeneration, sources, firstIndex + copied, payloads.rows(copied, m - copied));
    }
  }

  private static void copyRow(ByteMatrices from, int fromRow, ByteMatrices to, int toRow) {
    for (long g = 0; g < from.count(); g++) {
      MemorySegment.copy(
          from.data(), from.offset(g, fromRow), to.data(), to.offset(g, toRow), from.columns());
    }
  }

  private void multiply(
      long firstGeneration, ByteMatrices sources, long firstIndex, ByteMatrices payloads) {
    int m = payloads.rows();
    int n = shape.blocks();
    if (shape.code().isDense(firstIndex, n)) {
      RandomCoefficients draws =
          Draws.dense(seed, firstGeneration, firstIndex, sources.count(), m, n);
      engine.products().multiply(shape.field(), draws, sources, payloads);
      return;
    }
    long batchGenerations = Math.max(1, COEFFICIENT_BYTES / ((long) m * n));
    for (long g = 0; g < sources.count(); g += batchGenerations) {
      long count = Math.min(batchGenerations, sources.count() - g);
      ByteMatrices drawn = coefficients.matrices(count, m, n);
      draw(firstGeneration + g, firstIndex, drawn);
      engine
          .products()
          .multiply(shape.field(), drawn, sources.matrices(g, count), payloads.matrices(g, count));
    }
  }

  private void draw(long firstGeneration, long firstIndex, ByteMatrices vectors) {
    for (long g = 0; g < vectors.count(); g++) {
      for (int row = 0; row < vectors.rows(); row++) {
        shape
            .code()
            .coefficients(
                seed,
                firstGeneration + g,
                firstIndex + row,
                vectors.data(),
                vectors.offset(g, row),
                vectors.columns());
      }
    }
  }

  /** Frees the scratch memory. Idempotent. */
  @Override
  public void close() {
    coefficients.close();
  }
}
