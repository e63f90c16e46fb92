package io.fieldstone.cuda.coding.elimination;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.CoefficientSource;
import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.lang.foreign.MemorySegment;

/** Inverts square coefficient matrices and downloads their ranks. */
public final class Inverses implements CoefficientSource {

  private final CoefficientSource matrices;
  private final InvertKernel kernel;
  private final FieldTables field;
  private final int[] ranks;
  private long offset;
  private long scratchOffset;
  private long ranksOffset;
  private long pinnedRanksOffset;

  /**
   * @param ranks receives the rank of each matrix
   */
  public Inverses(CoefficientSource matrices, InvertKernel kernel, FieldTables field, int[] ranks) {
    this.matrices = matrices;
    this.kernel = kernel;
    this.field = field;
    this.ranks = ranks;
  }

  @Override
  public int columns() {
    return matrices.columns();
  }

  @Override
  public boolean needsWholeRows() {
    return true;
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    int n = columns();
    matrices.reserve(scratch, tiling);
    offset = scratch.device(DeviceMatrices.alignedBytes(tiling.matrices(), n, n));
    scratchOffset = scratch.device(kernel.scratchBytes(tiling.matrices(), n));
    ranksOffset = scratch.device(tiling.matrices() * Integer.BYTES);
    pinnedRanksOffset = scratch.pinned(tiling.matrices() * Integer.BYTES);
  }

  @Override
  public void enqueueUpload(StreamSlot slot, BatchSlice piece) {
    matrices.enqueueUpload(slot, piece);
  }

  /**
   * Enqueues the inversion and the download of the ranks, for {@link #collectRanks}. The kernel
   * writes ranks directly to host memory if it writes each once, because a copy would queue behind
   * downloads of other slots.
   */
  @Override
  public DeviceMatrices materialize(StreamSlot slot, BatchSlice piece) {
    DeviceMatrices given = matrices.materialize(slot, piece);
    DeviceMatrices inverses = deviceInverses(slot, piece);
    MemorySegment hostRanks = pinnedRanks(slot, piece);
    boolean isDirect = kernel.writesRanksOnce(columns());
    long ranksAddress = isDirect ? hostRanks.address() : slot.device(ranksOffset);
    kernel.invert(slot, field, given, inverses, ranksAddress, slot.device(scratchOffset));
    if (!isDirect) {
      slot.stream().download(ranksAddress, hostRanks);
    }
    return inverses;
  }

  /** Returns the inverses of a piece. */
  DeviceMatrices deviceInverses(StreamSlot slot, BatchSlice piece) {
    int n = columns();
    return DeviceMatrices.aligned(slot.device(offset), piece.matrices(), n, n);
  }

  /**
   * Copies the ranks of a piece to the result, after {@link #materialize} has completed on the GPU.
   */
  void collectRanks(StreamSlot slot, BatchSlice piece) {
    int first = Math.toIntExact(piece.firstMatrix());
    MemorySegment.copy(pinnedRanks(slot, piece), JAVA_INT, 0, ranks, first, (int) piece.matrices());
  }

  private MemorySegment pinnedRanks(StreamSlot slot, BatchSlice piece) {
    return slot.pinned(pinnedRanksOffset, piece.matrices() * Integer.BYTES);
  }

  /** Receives a run of matrices, counted from the first of a piece. */
  interface Run {
    void accept(long first, long count);
  }

  /**
   * Calls {@code run} for each maximal run of invertible matrices of a piece, after {@link
   * #collectRanks}.
   */
  void forEachInvertibleRun(BatchSlice piece, Run run) {
    int begin = Math.toIntExact(piece.firstMatrix());
    int end = begin + (int) piece.matrices();
    for (int first = begin; first < end; ) {
      int next = first;
      while (next < end && ranks[next] == columns()) {
        next++;
      }
      if (next > first) {
        run.accept(first - begin, next - first);
      }
      first = next + 1;
    }
  }
}
