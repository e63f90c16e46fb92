package io.fieldstone.cuda;

import io.fieldstone.engine.CodingPreconditions;
import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Coefficients;
import io.fieldstone.engine.Products;
import io.fieldstone.field.Gf256;

/**
 * Products from host memory to host memory: sources go up, are multiplied, and products come down,
 * a piece of each at the same time. Fastest for memory of {@link CudaEngine#allocateHost}.
 *
 * <p>Thread-safe. If the GPU fails during a call, the products have any content; everything else in
 * host memory is as it was.
 */
final class CudaProducts implements Products {

  private final Gpu gpu;
  private final Kernels kernels;
  private final KernelChoice choice;

  CudaProducts(Kernels kernels, KernelChoice choice) {
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
          gpu.run(job(field, coefficients, sources, products));
          return products;
        },
        coefficients.memory(),
        sources.data(),
        products.data());
  }

  private ProductJob job(
      Gf256 field, Coefficients coefficients, ByteMatrices sources, ByteMatrices products) {
    HostOperand from = HostOperand.input(gpu, sources);
    HostOperand to = HostOperand.output(gpu, products);
    int n = sources.rows();
    ProductKernel kernel = choice.forProducts(kernels.tables(field), products.rows(), n);
    return new ProductJob(
        kernel,
        kernels.factors(coefficients),
        new HostSources(from, kernel),
        new HostDestination(to),
        new JobShape(products.count(), products.rows(), n, products.columns(), Crossing.BOTH_WAYS));
  }
}
