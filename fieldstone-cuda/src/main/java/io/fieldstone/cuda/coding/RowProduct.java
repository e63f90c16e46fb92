package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.StreamSlot;

/** A kernel with {@code struct ProductArguments}: row-major operands of any shape. */
public final class RowProduct {

  private final GridStrideKernel kernel;
  private final int tileRows;
  private final int tileColumns;
  private final boolean isBlockPerTile;

  /**
   * @param tileRows the coded blocks per unit of work
   * @param tileColumns the bytes of each
   * @param isBlockPerTile whether a unit of work takes a block rather than a thread
   */
  public RowProduct(
      GridStrideKernel kernel, int tileRows, int tileColumns, boolean isBlockPerTile) {
    this.kernel = kernel;
    this.tileRows = tileRows;
    this.tileColumns = tileColumns;
    this.isBlockPerTile = isBlockPerTile;
  }

  /**
   * Enqueues {@code products[g] = coefficients[g] · sources[g]}.
   *
   * @param n the number of coefficients per row, and of sources
   * @param accumulate whether the products are added to the present content
   */
  public void multiply(
      StreamSlot slot,
      FieldTables field,
      DeviceMatrices coefficients,
      DeviceMatrices sources,
      DeviceMatrices products,
      int n,
      boolean accumulate) {
    slot.arguments()
        .matrices(coefficients)
        .matrices(sources)
        .matrices(products)
        .int64(field.address())
        .int64(products.count())
        .int32(products.rows())
        .int32(n)
        .int32(products.columns())
        .int32(field.polynomial())
        .int32(accumulate ? 1 : 0)
        .int32(0);
    long tiles =
        products.count()
            * Math.ceilDiv(products.rows(), tileRows)
            * Math.ceilDiv(products.columns(), tileColumns);
    if (isBlockPerTile) {
      kernel.launchBlocks(slot, tiles);
    } else {
      kernel.launchThreads(slot, tiles);
    }
  }
}
