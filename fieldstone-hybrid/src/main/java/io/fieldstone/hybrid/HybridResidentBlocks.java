package io.fieldstone.hybrid;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.field.Gf256;
import io.fieldstone.hybrid.JobKind.Operation;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Blocks that are resident on every part, so that any part can compute any product of them.
 *
 * <p>A stored block is uploaded to each part. Products into host memory are split by generation or
 * by coded block. Resident results are split by generation only, and stay on one part until another
 * needs them ({@link ResidencyMap}).
 */
final class HybridResidentBlocks implements ResidentBlocks {

  /** Without columns: a part multiplies whole resident blocks. */
  private static final Set<Split> CUTS = EnumSet.of(Split.GENERATIONS, Split.ROWS);

  private final HybridEngine engine;
  private final List<ResidentBlocks> blocks;
  private final ResidencyMap holders;

  /**
   * Takes over the blocks of each part, all of the same shape.
   *
   * @param blocks in the order of the engine's parts
   */
  HybridResidentBlocks(HybridEngine engine, List<ResidentBlocks> blocks) {
    this.engine = engine;
    this.blocks = List.copyOf(blocks);
    this.holders = new ResidencyMap(this.blocks, engine::allocateHost);
  }

  /** Returns whether they are resident on an engine. */
  boolean isOn(HybridEngine other) {
    return engine.equals(other);
  }

  @Override
  public Gf256 field() {
    return blocks.getFirst().field();
  }

  @Override
  public long count() {
    return blocks.getFirst().count();
  }

  @Override
  public int rows() {
    return blocks.getFirst().rows();
  }

  @Override
  public int columns() {
    return blocks.getFirst().columns();
  }

  /** Stores on each part; the rest of a stale matrix is copied when it is needed. */
  @Override
  public void store(long matrix, int row, MemorySegment block) {
    blocks.forEach(part -> part.store(matrix, row, block));
  }

  @Override
  public void store(long first, ByteMatrices source) {
    HeldMemory.run(() -> storeHeld(first, source.unconfined()), source.data());
  }

  private void storeHeld(long first, ByteMatrices source) {
    engine
        .pool()
        .runAll(blocks.stream().<Runnable>map(part -> () -> part.store(first, source)).toList());
    if (source.rows() == rows()) {
      holders.markStored(first, source.count());
    }
  }

  @Override
  public void read(long matrix, int row, MemorySegment destination) {
    Objects.checkIndex(matrix, count());
    blocks.get(holders.holder(matrix)).read(matrix, row, destination);
  }

  @Override
  public void read(long first, ByteMatrices destination) {
    Objects.checkFromIndexSize(first, destination.count(), count());
    long end = first + destination.count();
    for (long from = first; from < end; ) {
      long to = holders.endOfRun(from, end);
      blocks.get(holders.holder(from)).read(from, destination.matrices(from - first, to - from));
      from = to;
    }
  }

  @Override
  public void multiply(long first, Coefficients coefficients, ByteMatrices products) {
    CodingPreconditions.requireSources(this, first, coefficients);
    CodingPreconditions.requireResults(this, coefficients, products);
    HeldMemory.run(
        () -> multiplyHeld(first, coefficients.unconfined(), products.unconfined()),
        coefficients.memory(),
        products.data());
  }

  private void multiplyHeld(long first, Coefficients factors, ByteMatrices results) {
    long count = factors.count();
    Split split = engine.rule().split(CUTS, count, factors.rows(), columns());
    SharedJob.Slice slice =
        split == Split.GENERATIONS
            ? (part, from, to) ->
                source(part, first + from, to - from)
                    .multiply(
                        first + from,
                        factors.matrices(from, to - from),
                        results.matrices(from, to - from))
            : (part, from, to) ->
                source(part, first, count)
                    .multiply(
                        first,
                        factors.rows((int) from, (int) (to - from)),
                        results.rows((int) from, (int) (to - from)));
    run(Operation.RESIDENT_PRODUCT, split, factors, slice);
  }

  @Override
  public void multiply(
      long first, Coefficients coefficients, ResidentBlocks products, long firstProduct) {
    HybridResidentBlocks results = results(first, coefficients, products, firstProduct);
    HeldMemory.run(
        () -> multiplyHeld(first, coefficients.unconfined(), results, firstProduct),
        coefficients.memory());
  }

  private void multiplyHeld(
      long first, Coefficients factors, HybridResidentBlocks results, long firstProduct) {
    run(
        Operation.RESIDENT_TO_RESIDENT,
        Split.GENERATIONS,
        factors,
        (part, from, to) -> {
          source(part, first + from, to - from)
              .multiply(
                  first + from,
                  factors.matrices(from, to - from),
                  results.blocks.get(part),
                  firstProduct + from);
          results.holders.markComputed(part, firstProduct + from, to - from);
        });
  }

  @Override
  public int[] solve(long first, Coefficients coefficients, ByteMatrices solutions) {
    CodingPreconditions.requireSquare(coefficients);
    CodingPreconditions.requireSources(this, first, coefficients);
    CodingPreconditions.requireResults(this, coefficients, solutions);
    int[] ranks = new int[Math.toIntExact(coefficients.count())];
    HeldMemory.run(
        () -> solveHeld(first, coefficients.unconfined(), solutions.unconfined(), ranks),
        coefficients.memory(),
        solutions.data());
    return ranks;
  }

  private void solveHeld(long first, Coefficients factors, ByteMatrices results, int[] ranks) {
    run(
        Operation.RESIDENT_SOLUTION,
        Split.GENERATIONS,
        factors,
        (part, from, to) -> {
          int[] own =
              source(part, first + from, to - from)
                  .solve(
                      first + from,
                      factors.matrices(from, to - from),
                      results.matrices(from, to - from));
          System.arraycopy(own, 0, ranks, (int) from, own.length);
        });
  }

  @Override
  public int[] solve(
      long first, Coefficients coefficients, ResidentBlocks solutions, long firstSolution) {
    CodingPreconditions.requireSquare(coefficients);
    HybridResidentBlocks results = results(first, coefficients, solutions, firstSolution);
    int[] ranks = new int[Math.toIntExact(coefficients.count())];
    HeldMemory.run(
        () -> solveHeld(first, coefficients.unconfined(), results, firstSolution, ranks),
        coefficients.memory());
    return ranks;
  }

  private void solveHeld(
      long first,
      Coefficients factors,
      HybridResidentBlocks results,
      long firstSolution,
      int[] ranks) {
    run(
        Operation.SOLUTION_TO_RESIDENT,
        Split.GENERATIONS,
        factors,
        (part, from, to) -> {
          int[] own =
              source(part, first + from, to - from)
                  .solve(
                      first + from,
                      factors.matrices(from, to - from),
                      results.blocks.get(part),
                      firstSolution + from);
          System.arraycopy(own, 0, ranks, (int) from, own.length);
          results.solved(part, firstSolution + from, own, factors.rows());
        });
  }

  /** Records the systems that a part has solved; no solution of a singular system is written. */
  private void solved(int part, long first, int[] ranks, int n) {
    for (int from = 0; from < ranks.length; ) {
      int to = from;
      while (to < ranks.length && ranks[to] == n) {
        to++;
      }
      // The matrix of a singular system has not changed.
      holders.markComputed(part, first + from, to - from);
      from = to + 1;
    }
  }

  @Override
  public void close() {
    holders.close();
    CloseAll.closeAll(blocks, ResidentBlocks::close);
  }

  private void run(
      Operation operation, Split split, Coefficients coefficients, SharedJob.Slice slice) {
    long count = coefficients.count();
    int m = coefficients.rows();
    int n = coefficients.columns();
    int k = columns();
    JobKind kind = JobKind.of(operation, split, field(), count, m, n, k);
    engine
        .dispatcher()
        .run(
            SharedJob.of(
                kind,
                engine.rule(),
                split.units(count, m, k),
                SharedJob.work(count, m, n, k),
                slice));
  }

  /** Returns a part's blocks after updating matrices {@code first} … {@code first + count − 1}. */
  ResidentBlocks source(int part, long first, long count) {
    holders.copyTo(part, first, count);
    return blocks.get(part);
  }

  private HybridResidentBlocks results(
      long first, Coefficients coefficients, ResidentBlocks target, long firstResult) {
    HybridResidentBlocks results = engine.resident(target);
    CodingPreconditions.requireSources(this, first, coefficients);
    CodingPreconditions.requireResults(this, first, coefficients, results, firstResult);
    return results;
  }
}
