package io.fieldstone.cpu.coding;

import static io.fieldstone.cpu.execution.Rows.MEMORY;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.cpu.execution.NativeRows;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.cpu.execution.ScratchPool;
import io.fieldstone.cpu.execution.ScratchPool.Scratch;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.memory.ArenaGroup;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Inverts matrices in parallel, by an {@link InversionKernel} if there is one; else, and if they
 * are singular, by a {@link Basis}.
 */
public final class CpuInversions {

  /** Makes a basis of the engine's kind, which owns {@code arena}. */
  public interface BasisFactory {
    Basis create(Gf256 field, int columns, Arena arena);
  }

  /** Runs of matrices per thread, which balance the load. */
  private static final int RUNS_PER_THREAD = 4;

  private final KernelsByField kernels;
  private final BasisFactory bases;
  private final TaskPool workers;
  private final ScratchPool scratchPool;
  private final ArenaGroup arenas;

  /**
   * Creates the port of an engine.
   *
   * @param arenas has the memory of bases
   */
  public CpuInversions(
      KernelsByField kernels,
      BasisFactory bases,
      TaskPool workers,
      ScratchPool scratchPool,
      ArenaGroup arenas) {
    this.kernels = kernels;
    this.bases = bases;
    this.workers = workers;
    this.scratchPool = scratchPool;
    this.arenas = arenas;
  }

  /** Implements {@link io.fieldstone.engine.coding.Eliminations}. */
  int[] invert(Gf256 field, ByteMatrices matrices, ByteMatrices inverses) {
    CodingPreconditions.requireInversion(matrices, inverses);
    int[] ranks = new int[Math.toIntExact(matrices.count())];
    HeldMemory.runWithoutCallbacks(
        () -> invertHeld(field, matrices, inverses, ranks), matrices.data(), inverses.data());
    return ranks;
  }

  private void invertHeld(Gf256 field, ByteMatrices matrices, ByteMatrices inverses, int[] ranks) {
    if (matrices.rows() == 0 || ranks.length == 0) {
      return;
    }
    ByteMatrices in = NativeRows.input(matrices);
    ByteMatrices out = NativeRows.output(inverses);
    int runs = Math.min(ranks.length, workers.threads() * RUNS_PER_THREAD);
    double work = Math.pow(in.rows(), 3) * ranks.length;
    Optional<InversionKernel> kernel = kernels.forField(field).inversion(work);
    try {
      workers.forEach(
          runs,
          run -> {
            int begin = (int) ((long) run * ranks.length / runs);
            int end = (int) ((run + 1L) * ranks.length / runs);
            kernel.ifPresent(present -> invertRun(present, in, out, ranks, begin, end));
            invertRest(field, in, out, ranks, begin, end);
          });
    } finally {
      Reference.reachabilityFence(in);
      Reference.reachabilityFence(out);
    }
    NativeRows.copyOut(out, inverses);
  }

  /** Implements {@link io.fieldstone.engine.coding.Eliminations}. */
  Basis basis(Gf256 field, int columns) {
    if (columns < 1) {
      throw new IllegalArgumentException("columns " + columns + " is less than 1");
    }
    return bases.create(field, columns, arenas.open());
  }

  /** Inverts by a kernel. The ranks of singular matrices stay zero. */
  private void invertRun(
      InversionKernel kernel,
      ByteMatrices matrices,
      ByteMatrices inverses,
      int[] ranks,
      int begin,
      int end) {
    int n = matrices.rows();
    try (Scratch scratch = scratchPool.take(kernel.scratchBytes(n))) {
      for (int g = begin; g < end; g++) {
        if (kernel.invert(n, Rows.of(matrices, g), Rows.of(inverses, g), scratch.segment())) {
          ranks[g] = n;
        }
      }
    }
  }

  /** Inverts the matrices whose ranks are zero, and finds their ranks. */
  private void invertRest(
      Gf256 field, ByteMatrices matrices, ByteMatrices inverses, int[] ranks, int begin, int end) {
    int[] rest = IntStream.range(begin, end).filter(g -> ranks[g] == 0).toArray();
    if (rest.length == 0) {
      return;
    }
    int n = matrices.rows();
    try (Basis basis = bases.create(field, n, Arena.ofConfined())) {
      int[] slots = new int[n];
      byte[] solution = new byte[n];
      for (int g : rest) {
        basis.clear();
        // Access by address: the memory may be confined to the calling thread, which waits.
        Rows rows = Rows.of(matrices, g);
        for (int row = 0; row < n; row++) {
          slots[row] = basis.add(MEMORY.asSlice(rows.at(row), n));
        }
        ranks[g] = basis.rank();
        if (ranks[g] == n) {
          writeInverse(basis, slots, solution, Rows.of(inverses, g));
        }
      }
    }
  }

  /**
   * Writes an inverse: solutions are indexed by slot, the inverse by row number. Most vectors take
   * the slot after that of the vector before, so that runs of bytes are copied.
   */
  private static void writeInverse(Basis basis, int[] slots, byte[] solution, Rows inverse) {
    MemorySegment bySlot = MemorySegment.ofArray(solution);
    for (int source = 0; source < slots.length; source++) {
      basis.solution(source, bySlot);
      long row = inverse.at(source);
      for (int from = 0; from < slots.length; ) {
        int end = endOfRun(slots, from);
        MemorySegment.copy(bySlot, slots[from], MEMORY, row + from, end - from);
        from = end;
      }
    }
  }

  /** Returns the end of the adjacent slots that begin at an index. */
  private static int endOfRun(int[] slots, int from) {
    int end = from + 1;
    while (end < slots.length && slots[end] == slots[end - 1] + 1) {
      end++;
    }
    return end;
  }
}
