package io.fieldstone.hybrid;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitution;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.coding.TriangularSystems;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.field.Gf256;
import io.fieldstone.hybrid.JobKind.Operation;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Splits triangular systems by generation or by column, since rows depend on each other. A system
 * that arrives frame by frame is solved by one part.
 */
final class HybridSubstitutions implements Substitutions {

  private static final Set<Split> CUTS = EnumSet.of(Split.GENERATIONS, Split.COLUMNS);

  private final HybridEngine engine;
  private final Substitutions frames;

  /**
   * Makes the port.
   *
   * @param frames port of the part that solves frame by frame
   */
  HybridSubstitutions(HybridEngine engine, Substitutions frames) {
    this.engine = engine;
    this.frames = frames;
  }

  @Override
  public void solve(Gf256 field, ByteMatrices lower, ByteMatrices rights, ByteMatrices solutions) {
    TriangularSystems.requireSolvable(lower, rights, solutions);
    HeldMemory.run(
        () -> solveHeld(field, lower.unconfined(), rights.unconfined(), solutions.unconfined()),
        lower.data(),
        rights.data(),
        solutions.data());
  }

  private void solveHeld(
      Gf256 field, ByteMatrices lower, ByteMatrices rights, ByteMatrices solutions) {
    Split split = engine.rule().split(CUTS, lower.count(), lower.rows(), rights.columns());
    SharedJob.Slice slice =
        split == Split.GENERATIONS
            ? (part, from, to) ->
                port(part)
                    .solve(
                        field,
                        lower.matrices(from, to - from),
                        rights.matrices(from, to - from),
                        solutions.matrices(from, to - from))
            : (part, from, to) ->
                port(part)
                    .solve(
                        field,
                        lower,
                        rights.columns((int) from, (int) (to - from)),
                        solutions.columns((int) from, (int) (to - from)));
    run(Operation.SUBSTITUTION, split, field, solutions, slice);
  }

  /** Splits by generation: a part reads whole rows of resident blocks. */
  @Override
  public void solve(
      ByteMatrices lower, ResidentBlocks rights, long first, int[] order, ByteMatrices solutions) {
    int[] rows = TriangularSystems.requireSolvable(lower, rights, first, order, solutions);
    HybridResidentBlocks blocks = engine.resident(rights);
    HeldMemory.run(
        () -> solveHeld(lower.unconfined(), blocks, first, rows, solutions.unconfined()),
        lower.data(),
        solutions.data());
  }

  private void solveHeld(
      ByteMatrices lower,
      HybridResidentBlocks blocks,
      long first,
      int[] order,
      ByteMatrices solutions) {
    int n = lower.rows();
    run(
        Operation.RESIDENT_SUBSTITUTION,
        Split.GENERATIONS,
        blocks.field(),
        solutions,
        (part, from, to) ->
            port(part)
                .solve(
                    lower.matrices(from, to - from),
                    blocks.source(part, first + from, to - from),
                    first + from,
                    Arrays.copyOfRange(order, (int) from * n, (int) to * n),
                    solutions.matrices(from, to - from)));
  }

  @Override
  public Substitution open(Gf256 field, int n, int k) {
    return frames.open(field, n, k);
  }

  private void run(
      Operation operation,
      Split split,
      Gf256 field,
      ByteMatrices solutions,
      SharedJob.Slice slice) {
    long count = solutions.count();
    int n = solutions.rows();
    int k = solutions.columns();
    engine
        .dispatcher()
        .run(
            SharedJob.of(
                JobKind.of(operation, split, field, count, n, n, k),
                engine.rule(),
                split.units(count, n, k),
                SharedJob.work(count, n, n, k) / 2,
                slice));
  }

  private Substitutions port(int part) {
    return engine.parts().get(part).substitutions();
  }
}
