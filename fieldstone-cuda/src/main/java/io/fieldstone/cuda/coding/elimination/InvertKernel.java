package io.fieldstone.cuda.coding.elimination;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.RowProduct;
import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.DeviceAttribute;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Inverts matrices on the GPU: in registers up to n = 256, else by panels and products. The kernels
 * are in {@code inversion.cu}.
 */
public final class InvertKernel {

  private static final String FILE = "inversion";

  /** The maximum n of {@code invert_128}. */
  private static final int MAX_SMALL = 128;

  /** The maximum n of {@code invert_256}; larger matrices are inverted by panels. */
  private static final int MAX_MEDIUM = 256;

  /** The columns of a panel. */
  private static final int PANEL = 32;

  /** The bytes that a thread initializes or copies. */
  private static final int WORD = 4;

  private static final int PANEL_THREADS = 1024;

  /** The static shared memory of {@code invert_panel}. */
  private static final int PANEL_OVERHEAD = 4352;

  private final GridStrideKernel small;
  private final GridStrideKernel medium;
  private final GridStrideKernel initialize;
  private final GridStrideKernel panelInShared;
  private final GridStrideKernel panelAnywhere;
  private final GridStrideKernel finish;
  private final RowProduct product;
  private final int maxSharedBytes;

  /**
   * @param product updates the columns outside a panel
   */
  public InvertKernel(Context context, KernelModules modules, RowProduct product) {
    this.product = product;
    this.maxSharedBytes =
        context.device().attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK) - PANEL_OVERHEAD;
    small = modules.kernel(FILE, "invert_128", 256, 0, 1);
    medium = modules.kernel(FILE, "invert_256", 512, 0, 1);
    initialize = modules.kernel(FILE, "invert_begin", 256, 0, 4);
    panelInShared = modules.kernel(FILE, "invert_panel", PANEL_THREADS, maxSharedBytes, 1);
    panelAnywhere = modules.kernel(FILE, "invert_panel_any", PANEL_THREADS, 0, 1);
    finish = modules.kernel(FILE, "invert_end", 256, 0, 4);
  }

  /** Returns the scratch memory for {@code count} matrices. */
  long scratchBytes(long count, int n) {
    return n <= MAX_MEDIUM ? 0 : Math.multiplyExact(count, Scratch.bytes(padded(n)));
  }

  /**
   * Returns whether each rank is written once and never read, so that ranks may be in host memory.
   */
  boolean writesRanksOnce(int n) {
    return n <= MAX_MEDIUM;
  }

  private static long padded(int n) {
    return Math.ceilDiv(n, PANEL) * (long) PANEL;
  }

  /**
   * The parts of the scratch memory of all matrices.
   *
   * @param work N×N bytes each
   * @param pivotRows 32×N bytes each
   * @param pivotOfColumn N numbers each
   * @param columnOfPivot N numbers each
   */
  private record Scratch(
      DeviceMatrices work, DeviceMatrices pivotRows, long pivotOfColumn, long columnOfPivot) {

    static long bytes(long padded) {
      return padded * (padded + PANEL + 2 * Integer.BYTES);
    }

    static Scratch at(long address, long count, int n) {
      int padded = (int) padded(n);
      long pivotRows = address + count * padded * padded;
      long pivotOfColumn = pivotRows + count * PANEL * padded;
      return new Scratch(
          DeviceMatrices.packed(address, count, padded, padded),
          DeviceMatrices.packed(pivotRows, count, PANEL, padded),
          pivotOfColumn,
          pivotOfColumn + count * padded * Integer.BYTES);
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

    void write(StreamSlot slot, int firstColumn) {
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
          .int32(0);
    }
  }

  private void invertByPanels(StreamSlot slot, Panels panels) {
    long count = panels.matrices().count();
    int n = panels.matrices().rows();
    DeviceMatrices work = panels.scratch().work();
    panels.write(slot, 0);
    initialize.launchThreads(slot, count * work.rows() * work.columns() / WORD);
    for (int column = 0; column < n; column += PANEL) {
      panels.write(slot, column);
      int shared = PANEL * n;
      if (shared <= maxSharedBytes) {
        panelInShared.launchBlocks(slot, count, shared);
      } else {
        panelAnywhere.launchBlocks(slot, count);
      }
      product.multiply(
          slot,
          panels.field(),
          work.columns(column, PANEL),
          panels.scratch().pivotRows(),
          work.rows(0, n),
          PANEL,
          true);
    }
    panels.write(slot, 0);
    finish.launchThreads(slot, count * n * Math.ceilDiv(n, WORD));
  }
}
