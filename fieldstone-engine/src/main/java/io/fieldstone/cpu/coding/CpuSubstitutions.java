package io.fieldstone.cpu.coding;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.cpu.coding.SubstitutionKernel.RightSide;
import io.fieldstone.cpu.execution.NativeRows;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitution;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.coding.TriangularSystems;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.field.Gf256;
import java.lang.ref.Reference;

/** Solves triangular systems in parallel, split by generation and by columns. */
public final class CpuSubstitutions implements Substitutions {

  /** Maximum columns of a task: n rows of them should fit into a core's own cache. */
  private static final int MAX_COLUMNS = 4096;

  /** Minimum columns of a task: shorter rows are dominated by loop overhead. */
  private static final int MIN_COLUMNS = 1024;

  /** Tasks per thread, which balance the load. */
  private static final int TASKS_PER_THREAD = 4;

  private final Engine engine;
  private final SubstitutionKernel.Factory kernels;
  private final TaskPool workers;

  public CpuSubstitutions(Engine engine, SubstitutionKernel.Factory kernels, TaskPool workers) {
    this.engine = engine;
    this.kernels = kernels;
    this.workers = workers;
  }

  @Override
  public void solve(Gf256 field, ByteMatrices lower, ByteMatrices rights, ByteMatrices solutions) {
    TriangularSystems.requireSolvable(lower, rights, solutions);
    HeldMemory.runWithoutCallbacks(
        () -> {
          ByteMatrices sources = NativeRows.input(rights);
          try {
            split(field, lower, g -> Rows.of(sources, g)::at, solutions);
          } finally {
            Reference.reachabilityFence(sources);
          }
        },
        lower.data(),
        rights.data(),
        solutions.data());
  }

  @Override
  public void solve(
      ByteMatrices lower, ResidentBlocks rights, long first, int[] order, ByteMatrices solutions) {
    int[] rows = TriangularSystems.requireSolvable(lower, rights, first, order, solutions);
    ByteMatrices sources = CpuResidentBlocks.blocks(rights, engine).matrices(first, lower.count());
    int n = lower.rows();
    RightSides sides =
        g -> {
          Rows right = Rows.of(sources, g);
          return row -> right.at(rows[(int) g * n + row]);
        };
    HeldMemory.runWithoutCallbacks(
        () -> split(rights.field(), lower, sides, solutions),
        lower.data(),
        sources.data(),
        solutions.data());
  }

  @Override
  public Substitution open(Gf256 field, int n, int k) {
    CodingPreconditions.requireAtLeastOne(n, k);
    return Substitution.byProducts(engine.allocate(field, 1, n, k));
  }

  /** The right side of each generation. */
  private interface RightSides {
    RightSide of(long generation);
  }

  private void split(Gf256 field, ByteMatrices lower, RightSides rights, ByteMatrices solutions) {
    SubstitutionKernel kernel = kernels.forField(field);
    ByteMatrices matrices = NativeRows.input(lower);
    ByteMatrices out = NativeRows.output(solutions);
    int n = out.rows();
    int k = out.columns();
    long wanted = Math.ceilDiv(TASKS_PER_THREAD * workers.threads(), Math.max(1, out.count()));
    int tileColumns = Math.clamp(Math.ceilDiv(k, wanted), MIN_COLUMNS, MAX_COLUMNS);
    int aligned = Math.ceilDiv(tileColumns, NativeRows.ALIGNMENT) * NativeRows.ALIGNMENT;
    int tiles = Math.ceilDiv(k, aligned);
    try {
      workers.forEach(
          Math.toIntExact(out.count() * tiles),
          task -> {
            long g = task / tiles;
            int column = task % tiles * aligned;
            RightSide right = rights.of(g);
            kernel.solve(
                n,
                Math.min(aligned, k - column),
                Rows.of(matrices, g),
                row -> right.at(row) + column,
                Rows.of(out, g).from(0, column));
          });
    } finally {
      Reference.reachabilityFence(matrices);
      Reference.reachabilityFence(out);
    }
    NativeRows.copyOut(out, solutions);
  }
}
