package io.fieldstone.cuda;

import io.fieldstone.cuda.coding.ProductKernelChoice;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.driver.Device;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.field.Gf256;
import java.util.Optional;
import java.util.function.Supplier;

/** An engine of a GPU that users select by name: what it does otherwise than {@code cuda:N}. */
public interface NamedVariant {

  /** Opens progressive eliminations of n blocks of k bytes. */
  interface Progressive {
    ProgressiveElimination open(Gf256 field, int n, int k);
  }

  /** Returns the name after {@code cuda:N:}; empty for {@code cuda:N}. */
  String spec();

  /** Returns a description for users. */
  String description();

  /** Returns the reason why a device cannot run this variant; empty if it can. */
  default Optional<String> missingOn(Device device) {
    return Optional.empty();
  }

  /** Returns the selection of product kernels. */
  default ProductKernelChoice products(ProductKernels kernels) {
    return ProductKernelChoice.fastest(kernels);
  }

  /** Returns a description of the decoding methods for users. */
  default String decoding() {
    return "pipeline codes by inverses, progressive decoding on the GPU";
  }

  /**
   * Returns the solver of triangular systems.
   *
   * @param fastest makes the solver of {@code cuda:N}
   */
  default Substitutions substitutions(ProductKernels kernels, Supplier<Substitutions> fastest) {
    return fastest.get();
  }

  /**
   * Returns the solver of square systems.
   *
   * @param fastest the solver of {@code cuda:N}
   */
  default Eliminations eliminations(ProductKernels kernels, Eliminations fastest) {
    return fastest;
  }

  /**
   * Returns the method of progressive elimination.
   *
   * @param fastest the method of {@code cuda:N}
   * @param onCores eliminates the vectors on the cores
   */
  default Progressive progressive(
      ProductKernels kernels, Progressive fastest, Progressive onCores) {
    return fastest;
  }
}
