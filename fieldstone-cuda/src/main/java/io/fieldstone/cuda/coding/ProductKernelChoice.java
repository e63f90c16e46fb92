package io.fieldstone.cuda.coding;

/** Which kernel an engine multiplies with. */
public sealed interface ProductKernelChoice {

  /** For products of m×n coefficients by blocks that are met once. */
  CudaProductKernel forProducts(FieldTables field, int m, int n);

  /** For n resident blocks, multiplied by whatever comes. */
  CudaProductKernel forBlocks(FieldTables field, int n);

  /** For people. */
  String description();

  /** Always the same, but for products of nothing, which are zero. */
  record Named(ProductKernels kernels, ProductVariant kind) implements ProductKernelChoice {
    @Override
    public CudaProductKernel forProducts(FieldTables field, int m, int n) {
      return forBlocks(field, n);
    }

    @Override
    public CudaProductKernel forBlocks(FieldTables field, int n) {
      return n == 0 ? kernels.rows(field) : kernels.named(kind, field);
    }

    @Override
    public String description() {
      return kind.description();
    }
  }

  /**
   * By shape: the tensor cores, if the GPU has them, except where most of their tiles would be
   * padding; else the best kernel of plain rows.
   */
  record ByShape(ProductKernels kernels, boolean hasTensor) implements ProductKernelChoice {

    /** A quarter of the sources of a tile. */
    private static final int MIN_BLOCKS = 8;

    /** An eighth of the coded blocks of a tile. */
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
      return n >= ProductKernels.LONG_SUM && kernels.hasLongSums()
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
