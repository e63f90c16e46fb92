package io.fieldstone.cuda.coding.elimination;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.RankUpdate;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import java.util.function.Supplier;

/**
 * Inverts matrices on the GPU: in registers up to n = 256, else by panels in blocks of columns, and
 * products. The kernels are in {@code inversion.cu}.
 */
public final class InvertKernel {

  private static final String FILE = "inversion";

  /** The maximum n of {@code invert_128}. */
  private static final int MAX_SMALL = 128;

  /** The maximum n of {@code invert_256}; larger matrices are inverted by panels. */
  private static final int MAX_MEDIUM = 256;

  /** The columns of a panel. */
  private static final int PANEL = 32;

  /**
   * The columns of a block: a tile of the tensor cores. They sum up to 256 products of bytes at
   * once, but each panel changes all columns of its block.
   */
  private static final int BLOCK = 128;

  private static final int PANEL_THREADS = 256;

  private static final int WARP = 32;

  /** The rows of an inverse that a warp writes. */
  private static final int WARP_ROWS = 8;

  private final GridStrideKernel small;
  private final GridStrideKernel medium;
  private final GridStrideKernel initialize;
  private final GridStrideKernel panel;
  private final GridStrideKernel copy;
  private final GridStrideKernel finish;
  private final Supplier<RankUpdate> update;

  /**
   * @param update provides what changes the columns outside a panel or block, when it is needed
   */
  public InvertKernel(KernelModules modules, Supplier<RankUpdate> update) {
    this.update = update;
    small = modules.kernel(FILE, "invert_128", 256, 0, 1);
    medium = modules.kernel(FILE, "invert_256", 512, 0, 1);
    initialize = modules.kernel(FILE, "invert_begin", 256, 0, 4);
    panel = modules.kernel(FILE, "invert_panel", PANEL_THREADS, 0, 1);
    copy = modules.kernel(FILE, "invert_copy", 256, 0, 4);
    finish = modules.kernel(FILE, "invert_end", 256, 0, 4);
  }

  /** Returns the scratch memory for {@code count} matrices. */
  long scratchBytes(long count, int n) {
    if (n <= MAX_MEDIUM) {
      return 0;
    }
    int padded = padded(n);
    long bytes = Scratch.bytes(padded) + update.get().scratchBytes(BLOCK, padded);
    return Math.multiplyExact(count, bytes);
  }

  /**
   * Returns whether each rank is written once and never read, so that ranks may be in host memory.
   */
  boolean writesRanksOnce(int n) {
    return n <= MAX_MEDIUM;
  }

  private static int padded(int n) {
    return Math.multiplyExact(Math.ceilDiv(n, PANEL), PANEL);
  }

  /**
   * The parts of the scratch memory of all matrices.
   *
   * @param work N×N bytes each
   * @param pivotRows 128×N bytes each
   * @param pivotOfColumn N numbers each
   * @param columnOfPivot N numbers each
   * @param update scratch memory of updates
   */
  private record Scratch(
      DeviceMatrices work,
      DeviceMatrices pivotRows,
      long pivotOfColumn,
      long columnOfPivot,
      long update) {

    static long bytes(long padded) {
      return padded * (padded + BLOCK + 2 * Integer.BYTES);
    }

    static Scratch at(long address, long count, int n) {
      int padded = padded(n);
      long pivotRows = address + count * padded * padded;
      long pivotOfColumn = pivotRows + count * BLOCK * padded;
      long columnOfPivot = pivotOfColumn + count * padded * Integer.BYTES;
      return new Scratch(
          DeviceMatrices.packed(address, count, padded, padded),
          DeviceMatrices.packed(pivotRows, count, BLOCK, padded),
          pivotOfColumn,
          columnOfPivot,
          columnOfPivot + count * padded * Integer.BYTES);
    }
  }

  /**
   * Enqueues inversions.
   *
   * @param matrices n×n matrices, n ≥ 1
   * @param inverses matrices of the same shape; not written for singular matrices
   * @param ranks the address of an int per matrix, on the GPU unless {@link #writesRanksOnce}
   * @param scratch the address of {@link #scratchBytes}
   */
  void invert(
      StreamSlot slot,
      FieldTables field,
      DeviceMatrices matrices,
      DeviceMatrices inverses,
      long ranks,
      long scratch) {
    int n = matrices.rows();
    if (n <= MAX_MEDIUM) {
      slot.arguments()
          .matrices(matrices)
          .matrices(inverses)
          .int64(field.address())
          .int64(ranks)
          .int64(matrices.count())
          .int32(n)
          .int32(field.polynomial());
      (n <= MAX_SMALL ? small : medium).launchBlocks(slot, matrices.count());
    } else {
      Panels panels =
          new Panels(field, matrices, inverses, ranks, Scratch.at(scratch, matrices.count(), n));
      invertByPanels(slot, panels);
    }
  }

  /** The arguments of the panel kernels: {@code struct PanelArguments}. */
  private record Panels(
      FieldTables field,
      DeviceMatrices matrices,
      DeviceMatrices inverses,
      long ranks,
      Scratch scratch) {

    void write(StreamSlot slot, int firstColumn, Block block) {
      slot.arguments()
          .matrices(matrices)
          .matrices(inverses)
          .matrices(scratch.work())
          .matrices(scratch.pivotRows())
          .int64(field.address())
          .int64(ranks)
          .int64(scratch.pivotOfColumn())
          .int64(scratch.columnOfPivot())
          .int64(matrices.count())
          .int32(matrices.rows())
          .int32(field.polynomial())
          .int32(firstColumn)
          .int32(block.first())
          .int32(block.first() + block.columns())
          .int32(0);
    }
  }

  /** A block of columns. */
  private record Block(int first, int columns) {}

  private void invertByPanels(StreamSlot slot, Panels panels) {
    long count = panels.matrices().count();
    int n = panels.matrices().rows();
    DeviceMatrices work = panels.scratch().work();
    Block all = new Block(0, work.columns());
    panels.write(slot, 0, all);
    initialize.launchThreads(slot, count * work.rows() * WARP);
    for (int first = 0; first < n; first += BLOCK) {
      eliminate(slot, panels, new Block(first, Math.min(BLOCK, work.columns() - first)));
    }
    panels.write(slot, 0, all);
    finish.launchThreads(slot, count * Math.ceilDiv(n, WARP_ROWS) * WARP);
  }

  /** Eliminates the columns of a block, panel by panel, and then updates all other columns. */
  private void eliminate(StreamSlot slot, Panels panels, Block block) {
    long count = panels.matrices().count();
    int n = panels.matrices().rows();
    DeviceMatrices work = panels.scratch().work();
    DeviceMatrices pivotRows = panels.scratch().pivotRows();
    DeviceMatrices ofBlock = work.rows(0, n).columns(block.first(), block.columns());
    for (int at = 0; at < block.columns(); at += PANEL) {
      panels.write(slot, block.first() + at, block);
      panel.launchBlocks(slot, count);
      update(
          slot,
          panels,
          ofBlock.columns(at, PANEL),
          pivotRows.rows(0, PANEL).columns(block.first(), block.columns()),
          ofBlock);
    }
    if (block.columns() == work.columns()) {
      return;
    }
    panels.write(slot, block.first(), block);
    copy.launchThreads(slot, count * block.columns() * WARP);
    update(slot, panels, ofBlock, pivotRows.rows(0, block.columns()), work.rows(0, n));
  }

  private void update(
      StreamSlot slot,
      Panels panels,
      DeviceMatrices coefficients,
      DeviceMatrices sources,
      DeviceMatrices products) {
    update
        .get()
        .add(slot, panels.field(), coefficients, sources, products, panels.scratch().update());
  }
}
