package io.fieldstone.cuda;

import io.fieldstone.cuda.coding.ProductKernelChoice;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.coding.ProductVariant;
import io.fieldstone.cuda.driver.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The fastest engine of a GPU, and one for each of its methods alone. */
final class OwnVariants {

  /** The engine {@code cuda:N}. */
  static final NamedVariant FASTEST = new Fastest();

  private OwnVariants() {}

  /** Returns all variants, the fastest first. */
  static List<NamedVariant> all() {
    List<NamedVariant> variants = new ArrayList<>(List.of(FASTEST));
    for (ProductVariant kind : ProductVariant.values()) {
      variants.add(new OneKernel(kind));
    }
    variants.add(new CpuVectors());
    return variants;
  }

  private record Fastest() implements NamedVariant {
    @Override
    public String spec() {
      return "";
    }

    @Override
    public String description() {
      return "";
    }
  }

  /** Multiplies by one kernel. */
  private record OneKernel(ProductVariant kind) implements NamedVariant {
    @Override
    public String spec() {
      return kind.spec();
    }

    @Override
    public String description() {
      return kind.description();
    }

    @Override
    public Optional<String> missingOn(Device device) {
      return kind.missingOn(device);
    }

    @Override
    public ProductKernelChoice products(ProductKernels kernels) {
      return new ProductKernelChoice.Named(
          kernels, kind.description(), field -> kernels.named(kind, field));
    }
  }

  /** The CPU eliminates coding vectors, and the GPU multiplies payloads when they are read. */
  private record CpuVectors() implements NamedVariant {
    @Override
    public String spec() {
      return "cpu-vectors";
    }

    @Override
    public String description() {
      return "progressive decoding with the vectors on the CPU";
    }

    @Override
    public String decoding() {
      return description();
    }

    @Override
    public Progressive progressive(
        ProductKernels kernels, Progressive fastest, Progressive onCores) {
      return onCores;
    }
  }
}
