package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.TransferDirection;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.field.Gf256;

/**
 * Computes products from host memory to host memory: uploads, products and downloads of different
 * pieces overlap. Fastest for memory of {@link io.fieldstone.cuda.CudaEngine#allocateHost}.
 *
 * <p>Thread-safe. If the GPU fails during a call, the content of the products is undefined; other
 * host memory is unchanged.
 */
public final class CudaProducts implements Products {

  private final Gpu gpu;
  private final ProductKernels kernels;
  private final ProductKernelChoice choice;

  public CudaProducts(ProductKernels kernels, ProductKernelChoice choice) {
    this.gpu = kernels.gpu();
    this.kernels = kernels;
    this.choice = choice;
  }

  @Override
  public void multiply(
      Gf256 field, Coefficients coefficients, ByteMatrices sources, ByteMatrices products) {
    CodingPreconditions.requireProduct(coefficients, sources, products);
    gpu.call(
        () -> "multiply %s coefficients by %s".formatted(coefficients.shape(), sources.shape()),
        () -> {
          gpu.jobs().run(job(field, coefficients, sources, products));
          return products;
        },
        coefficients.memory(),
        sources.data(),
        products.data());
  }

  private ProductJob job(
      Gf256 field, Coefficients coefficients, ByteMatrices sources, ByteMatrices products) {
    HostMatrices from = HostMatrices.input(gpu, sources);
    HostMatrices to = HostMatrices.output(gpu, products);
    int n = sources.rows();
    CudaProductKernel kernel = choice.forProducts(kernels.tables(field), products.rows(), n);
    return new ProductJob(
        kernel,
        kernels.coefficientSource(coefficients),
        LaidOutBlocks.of(new HostRows(from), kernel),
        new HostProductSink(to),
        new BatchShape(
            products.count(), products.rows(), n, products.columns(), TransferDirection.BOTH_WAYS));
  }
}
