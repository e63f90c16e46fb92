package io.fieldstone.bench.coding;

import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Decodes many generations in one call on one engine, from n coded blocks each with random
 * coefficients. About one generation in 255 lacks rank, as in use. Some bytes of several others are
 * compared with their source before a candidate is measured.
 */
public final class SolveLoad implements AutoCloseable {

  private static final Gf256 FIELD = Gf256.DEFAULT;
  private static final long SEED = 0x5EED;
  private static final int GENERATIONS_COMPARED = 8;

  private final Engine engine;
  private final Batch batch;
  private final Closer closer = new Closer();
  private final Segments segments;
  private final RandomCoefficients drawn;
  private final ResidentBlocks coded;
  private final ResidentBlocks solutions;
  private final ByteMatrices vectors;
  private final ByteMatrices hostCoded;
  private final ByteMatrices hostSolutions;

  /**
   * Encodes random segments.
   *
   * @param batch a shape with m = n
   */
  public SolveLoad(Engine engine, Batch batch) {
    this.engine = engine;
    this.batch = batch;
    long count = batch.count();
    int n = batch.n();
    int k = batch.k();
    this.segments = closer.register(new Segments(engine, batch));
    this.drawn = new RandomCoefficients(SEED, 0, 0, 0, count, n, n);
    this.vectors = host(n);
    this.hostCoded = host(k);
    this.hostSolutions = host(k);
    drawn.write(vectors);
    this.coded = closer.register(engine.allocate(FIELD, count, n, k));
    this.solutions = closer.register(engine.allocate(FIELD, count, n, k));
    segments.resident().multiply(0, drawn, coded, 0);
    coded.read(0, hostCoded);
  }

  private ByteMatrices host(int columns) {
    HostMemory memory = closer.register(engine.allocateHost(batch.count() * batch.n() * columns));
    return ByteMatrices.packed(memory.segment(), batch.count(), batch.n(), columns);
  }

  /** Returns coefficients that the engine draws again from their seed. */
  public Coefficients drawn() {
    return drawn;
  }

  /** Returns the same coefficients in host memory. */
  public Coefficients given() {
    return vectors;
  }

  /** Solves resident coded blocks into resident source blocks. */
  public Candidate resident(String name, Coefficients coefficients) {
    return verified(name, () -> coded.solve(0, coefficients, solutions, 0), solutions::read);
  }

  /** Stores coded blocks from host memory, then solves them into host memory. */
  public Candidate storeAndSolve(String name, Coefficients coefficients) {
    return verified(
        name,
        () -> {
          coded.store(0, hostCoded);
          return coded.solve(0, coefficients, hostSolutions);
        },
        this::readHost);
  }

  /**
   * Solves coded blocks in host memory into host memory in one call, which may overlap both
   * directions.
   */
  public Candidate hostToHost(String name, Coefficients coefficients) {
    return verified(
        name,
        () -> engine.eliminations().solve(FIELD, coefficients, hostCoded, hostSolutions),
        this::readHost);
  }

  private void readHost(long generation, int row, MemorySegment target) {
    target.copyFrom(hostSolutions.row(generation, row));
  }

  /** Decodes; returns the rank of each generation. */
  private interface Solver {
    int[] solve();
  }

  /** Reads a decoded block. */
  private interface Solutions {
    void read(long generation, int row, MemorySegment target);
  }

  private Candidate verified(String name, Solver solver, Solutions found) {
    int[] ranks = solver.solve();
    MemorySegment block = MemorySegment.ofArray(new byte[batch.k()]);
    int compared = 0;
    for (int g = 0; g < ranks.length && compared < GENERATIONS_COMPARED; g++) {
      if (ranks[g] < batch.n()) {
        continue;
      }
      compared++;
      for (int row : new int[] {0, batch.n() - 1}) {
        found.read(g, row, block);
        for (int column : new int[] {0, batch.k() - 1}) {
          if ((block.get(ValueLayout.JAVA_BYTE, column) & 0xFF)
              != segments.byteAt(g, row, column)) {
            throw new IllegalStateException(
                "%s, %s: a wrong byte in generation %d, block %d, byte %d"
                    .formatted(engine.spec(), name, g, row, column));
          }
        }
      }
    }
    return new Candidate(name, batch.work(), solver::solve);
  }

  @Override
  public void close() {
    closer.close();
  }
}
