package io.fieldstone.rlnc;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.engine.coding.Scratch;
import java.lang.foreign.MemorySegment;

/**
 * Encodes many generations of one shape with one product, straight from the caller's memory: the
 * encoder of files. (An {@link Encoder} keeps one generation on the engine and draws from it for as
 * long as it is asked.)
 *
 * <p>A block with the same shape, seed, generation and index is the same whichever encoder makes
 * it. For one thread at a time. The engine stays the caller's.
 */
public final class BatchEncoder implements AutoCloseable {

  /**
   * Coefficients made here for one product: enough to fill an engine, little next to the blocks.
   */
  private static final long COEFFICIENT_BYTES = 16 << 20;

  private final Engine engine;
  private final GenerationShape shape;
  private final long seed;
  private final Scratch coefficients = new Scratch();

  /**
   * @param engine runs the products
   * @param shape of every generation given to {@link #encode}
   * @param seed Philox key of the coefficients
   */
  public BatchEncoder(Engine engine, GenerationShape shape, long seed) {
    this.engine = engine;
    this.shape = shape;
    this.seed = seed;
  }

  /** The shape of the generations. */
  public GenerationShape shape() {
    return shape;
  }

  /** The seed of the coefficients. */
  public long seed() {
    return seed;
  }

  /** How block {@code index} of any generation describes itself. */
  public CodingVector vector(long index) {
    return CodingVector.of(shape, seed, index);
  }

  /**
   * Makes blocks {@code firstIndex} … {@code firstIndex + m − 1} of each of {@code count}
   * consecutive generations. Source blocks of a systematic code are copied, not multiplied;
   * coefficients of a dense code are drawn by the engine. Allocates nothing that grows with the
   * data once it has seen the largest batch.
   *
   * @param firstGeneration number of the generation in {@code sources} matrix 0
   * @param sources count × n×k bytes; a generation with less data is padded with zeros by the
   *     caller
   * @param firstIndex index of the first block of each generation
   * @param payloads count × m×k bytes, overwritten; block {@code firstIndex + i} goes to row i
   * @throws IllegalArgumentException if the shapes do not agree, or a generation or index passes
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
    long atOnce = Math.max(1, COEFFICIENT_BYTES / ((long) m * n));
    for (long g = 0; g < sources.count(); g += atOnce) {
      long count = Math.min(atOnce, sources.count() - g);
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
