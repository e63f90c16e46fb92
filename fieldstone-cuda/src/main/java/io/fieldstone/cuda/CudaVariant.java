package io.fieldstone.cuda;

import io.fieldstone.cuda.coding.ProductKernelChoice;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.coding.ProductVariant;
import io.fieldstone.cuda.coding.decoding.DecodingVariant;
import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.NamedVariant;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An engine that {@link CudaProvider} offers.
 *
 * @param device the GPU
 * @param driverVersion the CUDA version of the driver, such as 13000
 * @param kernels loads the compiled kernels
 * @param variant the named product kernel or decoding method; empty for the fastest
 */
record CudaVariant(
    Device device,
    int driverVersion,
    KernelModules.Loader kernels,
    Optional<NamedVariant> variant) {

  /** The minimum compute capability of the compiled kernels, times ten. */
  private static final int MIN_CAPABILITY = 75;

  /** Returns all engines on a device, the fastest first. */
  static List<CudaVariant> on(Device device, int driverVersion, KernelModules.Loader kernels) {
    List<CudaVariant> variants = new ArrayList<>();
    variants.add(new CudaVariant(device, driverVersion, kernels, Optional.empty()));
    List<NamedVariant> kinds = new ArrayList<>(List.of(ProductVariant.values()));
    kinds.addAll(DecodingVariant.NAMED);
    for (NamedVariant kind : kinds) {
      variants.add(new CudaVariant(device, driverVersion, kernels, Optional.of(kind)));
    }
    return variants;
  }

  String spec() {
    return "cuda:" + device.ordinal() + variant.map(kind -> ":" + kind.spec()).orElse("");
  }

  EngineStatus status() {
    String text = description() + variant.map(kind -> ", " + kind.description()).orElse("");
    EngineStatus status =
        missing()
            .map(why -> EngineStatus.missing(spec(), EngineKind.GPU, text, why))
            .orElseGet(() -> EngineStatus.present(spec(), EngineKind.GPU, text));
    return variant.isPresent() ? status.forMeasurement() : status;
  }

  private Optional<String> missing() {
    if (10 * device.major() + device.minor() < MIN_CAPABILITY) {
      return Optional.of(
          "compute capability %d.%d, the kernels are for 7.5 and later"
              .formatted(device.major(), device.minor()));
    }
    return kernel().flatMap(kind -> kind.missingOn(device));
  }

  private Optional<ProductVariant> kernel() {
    return variant.filter(ProductVariant.class::isInstance).map(ProductVariant.class::cast);
  }

  /** Returns the decoding method. */
  DecodingVariant decoding() {
    return variant
        .filter(DecodingVariant.class::isInstance)
        .map(DecodingVariant.class::cast)
        .orElse(DecodingVariant.FASTEST);
  }

  /** Returns a description of the GPU for users. */
  String description() {
    return "%s, %d multiprocessors, %.0f GiB, CUDA %d.%d"
        .formatted(
            device.name(),
            device.multiprocessors(),
            device.memoryBytes() / (double) (1L << 30),
            driverVersion / 1000,
            driverVersion % 1000 / 10);
  }

  /** Returns the selection of product kernels. */
  ProductKernelChoice choice(ProductKernels kernels) {
    return kernel()
        .<ProductKernelChoice>map(kind -> new ProductKernelChoice.Named(kernels, kind))
        .orElseGet(() ->
            new ProductKernelChoice.ByShape(
                kernels, ProductVariant.TENSOR.missingOn(device).isEmpty()));
  }
}
