package io.fieldstone.hybrid;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.field.Gf256;
import io.fieldstone.hybrid.JobKind.Operation;
import java.util.List;

/**
 * Splits inversions and systems by matrix. A basis is on one part: rows that arrive one at a time
 * cannot be split.
 */
final class HybridEliminations implements Eliminations {

  private final List<Engine> parts;
  private final Dispatcher dispatcher;
  private final SplitRule rule;
  private final Eliminations bases;

  /**
   * Makes the port.
   *
   * @param bases port of the part that eliminates row by row
   */
  HybridEliminations(
      List<Engine> parts, Dispatcher dispatcher, SplitRule rule, Eliminations bases) {
    this.parts = parts;
    this.dispatcher = dispatcher;
    this.rule = rule;
    this.bases = bases;
  }

  @Override
  public int[] invert(Gf256 field, ByteMatrices matrices, ByteMatrices inverses) {
    CodingPreconditions.requireInversion(matrices, inverses);
    int[] ranks = new int[Math.toIntExact(matrices.count())];
    HeldMemory.run(
        () -> invertHeld(field, matrices.unconfined(), inverses.unconfined(), ranks),
        matrices.data(),
        inverses.data());
    return ranks;
  }

  private void invertHeld(Gf256 field, ByteMatrices from, ByteMatrices to, int[] ranks) {
    int n = from.rows();
    SharedJob.Slice slice =
        (part, first, end) -> {
          int count = (int) (end - first);
          int[] own =
              parts
                  .get(part)
                  .eliminations()
                  .invert(field, from.matrices(first, count), to.matrices(first, count));
          System.arraycopy(own, 0, ranks, (int) first, count);
        };
    JobKind kind = JobKind.of(Operation.INVERSION, Split.GENERATIONS, field, ranks.length, n, n, n);
    dispatcher.run(
        SharedJob.of(kind, rule, ranks.length, SharedJob.work(ranks.length, n, n, n), slice));
  }

  @Override
  public int[] solve(
      Gf256 field, Coefficients coefficients, ByteMatrices rights, ByteMatrices solutions) {
    CodingPreconditions.requireSystems(coefficients, rights, solutions);
    int[] ranks = new int[Math.toIntExact(coefficients.count())];
    HeldMemory.run(
        () ->
            solveHeld(
                field,
                coefficients.unconfined(),
                rights.unconfined(),
                solutions.unconfined(),
                ranks),
        coefficients.memory(),
        rights.data(),
        solutions.data());
    return ranks;
  }

  private void solveHeld(
      Gf256 field, Coefficients factors, ByteMatrices from, ByteMatrices to, int[] ranks) {
    int n = from.rows();
    int k = from.columns();
    SharedJob.Slice slice =
        (part, first, end) -> {
          int count = (int) (end - first);
          int[] own =
              parts
                  .get(part)
                  .eliminations()
                  .solve(
                      field,
                      factors.matrices(first, count),
                      from.matrices(first, count),
                      to.matrices(first, count));
          System.arraycopy(own, 0, ranks, (int) first, count);
        };
    JobKind kind = JobKind.of(Operation.SOLUTION, Split.GENERATIONS, field, ranks.length, n, n, k);
    dispatcher.run(
        SharedJob.of(kind, rule, ranks.length, SharedJob.work(ranks.length, n, n, k), slice));
  }

  @Override
  public Basis basis(Gf256 field, int columns) {
    return bases.basis(field, columns);
  }
}
