package io.fieldstone.cuda.coding;

import java.util.function.Function;

/** Selects the product kernel of an engine. */
public sealed interface ProductKernelChoice {

  /** Returns the kernel for m×n coefficients and blocks that are multiplied once. */
  CudaProductKernel forProducts(FieldTables field, int m, int n);

  /** Returns the kernel for n resident blocks and coefficients of any shape. */
  CudaProductKernel forBlocks(FieldTables field, int n);

  /** Returns a description for users. */
  String description();

  /** Selects the fastest kernel for each shape. */
  static ProductKernelChoice fastest(ProductKernels kernels) {
    return new ByShape(
        kernels, ProductVariant.TENSOR.missingOn(kernels.gpu().context().device()).isEmpty());
  }

  /** Selects one kernel, except for empty sums, which are zero. */
  record Named(
      ProductKernels kernels, String description, Function<FieldTables, CudaProductKernel> kernel)
      implements ProductKernelChoice {
    @Override
    public CudaProductKernel forProducts(FieldTables field, int m, int n) {
      return forBlocks(field, n);
    }

    @Override
    public CudaProductKernel forBlocks(FieldTables field, int n) {
      return n == 0 ? kernels.rows(field) : kernel.apply(field);
    }
  }

  /**
   * Selects by shape: the tensor cores, if the GPU has them and their tiles would not be mostly
   * padding, else the fastest row-major kernel.
   */
  record ByShape(ProductKernels kernels, boolean hasTensor) implements ProductKernelChoice {

    /** The minimum n for tensor cores: a quarter of a tile. */
    private static final int MIN_BLOCKS = 8;

    /** The minimum m for tensor cores: an eighth of a tile. */
    private static final int MIN_ROWS = 4;

    @Override
    public CudaProductKernel forProducts(FieldTables field, int m, int n) {
      return m < MIN_ROWS ? kernels.rows(field) : forBlocks(field, n);
    }

    @Override
    public CudaProductKernel forBlocks(FieldTables field, int n) {
      if (!hasTensor || n < MIN_BLOCKS) {
        return kernels.rows(field);
      }
      return n >= ProductKernels.MIN_PLANE_SOURCES && kernels.hasLongSums()
          ? kernels.longSums(field)
          : kernels.named(ProductVariant.TENSOR, field);
    }

    @Override
    public String description() {
      return "kernel by shape: "
          + (hasTensor ? "binary tensor cores, " : "")
          + "sums of subsets, shift and add";
    }
  }
}
