package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Adds products to matrices on the GPU, {@code products[g] += coefficients[g] · sources[g]}, by the
 * tensor cores where the device has them. Stateless and thread-safe.
 */
public sealed interface RankUpdate {

  /**
   * Returns the size of the scratch memory of a matrix.
   *
   * @param n the maximum number of sources
   * @param columns the maximum number of columns
   */
  long scratchBytes(int n, int columns);

  /**
   * Enqueues the sums.
   *
   * @param coefficients m×n matrices, n a multiple of 32; they may be columns of {@code products}
   *     in which the products are zeros
   * @param sources n×k matrices
   * @param products m×k matrices
   * @param scratch the address of {@link #scratchBytes} for each matrix
   */
  void add(
      StreamSlot slot,
      FieldTables field,
      DeviceMatrices coefficients,
      DeviceMatrices sources,
      DeviceMatrices products,
      long scratch);

  /** Updates by a kernel of row-major matrices. */
  record ByRows(RowProduct product) implements RankUpdate {
    @Override
    public long scratchBytes(int n, int columns) {
      return 0;
    }

    @Override
    public void add(
        StreamSlot slot,
        FieldTables field,
        DeviceMatrices coefficients,
        DeviceMatrices sources,
        DeviceMatrices products,
        long scratch) {
      product.multiply(slot, field, coefficients, sources, products, coefficients.columns(), true);
    }
  }

  /** Updates by binary tensor cores, which take the sources in tiles. */
  record ByTiles(TensorKernel.Programs programs) implements RankUpdate {
    @Override
    public long scratchBytes(int n, int columns) {
      return TensorKernel.tileBytes(n, columns);
    }

    @Override
    public void add(
        StreamSlot slot,
        FieldTables field,
        DeviceMatrices coefficients,
        DeviceMatrices sources,
        DeviceMatrices products,
        long scratch) {
      TensorKernel kernel = new TensorKernel(programs, field);
      long pitch = kernel.layoutBytes(sources.rows(), sources.columns());
      // The tiles need no clearing: all their rows are written, and columns of padding go nowhere.
      KernelLayout tiles =
          kernel.layout(scratch, sources.count(), pitch, sources.rows(), sources.columns());
      kernel.layOut(slot, sources, tiles, 0);
      kernel.add(slot, coefficients, tiles, products);
    }
  }
}
