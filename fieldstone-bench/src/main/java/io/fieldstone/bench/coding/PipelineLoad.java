package io.fieldstone.bench.coding;

import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.RandomBytes;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitution;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/**
 * Decodes a generation of the pipeline code in main memory by substitution (HPDS, Sec. 4), from one
 * coded frame of each sequence number. Each candidate runs once, and its result is compared with
 * the source, before it is measured.
 */
public final class PipelineLoad implements AutoCloseable {

  private static final Gf256 FIELD = Gf256.DEFAULT;
  private static final long SEED = 0x5EED;

  private final int n;
  private final int k;
  private final Closer closer = new Closer();
  private final ByteMatrices lower;
  private final ByteMatrices coded;
  private final MemorySegment source;
  private final ByteMatrices decoded;

  /**
   * Encodes a generation of random bytes.
   *
   * @param engine encodes, and allocates the memory
   * @param n frames
   * @param k bytes of a frame
   */
  public PipelineLoad(Engine engine, int n, int k) {
    this.n = n;
    this.k = k;
    this.lower = ByteMatrices.of(memory(engine, (long) n * n), n, n);
    this.coded = ByteMatrices.of(memory(engine, (long) n * k), n, k);
    this.decoded = ByteMatrices.of(memory(engine, (long) n * k), n, k);
    this.source = memory(engine, (long) n * k);
    RandomBytes.fill(source, SEED);
    Code code = new Code.Pipeline(0);
    for (int frame = 0; frame < n; frame++) {
      code.coefficients(SEED, 0, frame, lower.row(0, frame));
    }
    engine.products().multiply(FIELD, lower, ByteMatrices.of(source, n, k), coded);
  }

  private MemorySegment memory(Engine engine, long bytes) {
    return closer.register(engine.allocateHost(bytes)).segment();
  }

  /** Returns the source bytes, which are the work of decoding. */
  double bytes() {
    return (double) n * k;
  }

  /** Decodes all frames in one call. */
  public Candidate whole(String name, Engine engine) {
    return verified(name, () -> engine.substitutions().solve(FIELD, lower, coded, decoded));
  }

  /** Decodes all frames in one call, from resident coded frames to main memory. */
  public Candidate resident(String name, Engine engine) {
    ResidentBlocks blocks = closer.register(engine.load(FIELD, coded));
    int[] order = IntStream.range(0, n).toArray();
    return verified(name, () -> engine.substitutions().solve(lower, blocks, 0, order, decoded));
  }

  /** Decodes frame after frame, and delivers each before the next. */
  public Candidate frameByFrame(String name, Engine engine) {
    Substitution substitution = closer.register(engine.substitutions().open(FIELD, n, k));
    return verified(
        name,
        () -> {
          substitution.clear();
          for (int frame = 0; frame < n; frame++) {
            substitution.next(lower.row(0, frame), coded.row(0, frame), decoded.row(0, frame));
          }
        });
  }

  private Candidate verified(String name, Runnable body) {
    decoded.data().fill((byte) 0);
    body.run();
    long wrong = source.mismatch(decoded.data());
    if (wrong >= 0) {
      throw new IllegalStateException(
          "%s of (%d, %d) gave a wrong byte at %d".formatted(name, n, k, wrong));
    }
    return new Candidate(name, bytes(), body);
  }

  @Override
  public void close() {
    closer.close();
  }
}
