package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.Device;
import io.fieldstone.engine.EngineStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An engine of this package.
 *
 * @param device what it runs on
 * @param driverVersion the CUDA version that the driver speaks
 * @param kernels has the compiled kernels
 * @param kind its kernel; empty for the best for each shape
 */
record CudaVariant(
    Device device, int driverVersion, KernelModules.Loader kernels, Optional<KernelKind> kind) {

  /** The least compute capability that the kernels are compiled for, times ten. */
  private static final int LEAST_CAPABILITY = 75;

  /** All engines on a device, the fastest first. */
  static List<CudaVariant> on(Device device, int driverVersion, KernelModules.Loader kernels) {
    List<CudaVariant> variants = new ArrayList<>();
    variants.add(new CudaVariant(device, driverVersion, kernels, Optional.empty()));
    for (KernelKind kind : KernelKind.values()) {
      variants.add(new CudaVariant(device, driverVersion, kernels, Optional.of(kind)));
    }
    return variants;
  }

  String spec() {
    return "cuda:" + device.ordinal() + kind.map(named -> ":" + named.spec()).orElse("");
  }

  EngineStatus status() {
    String what = description() + kind.map(named -> ", " + named.description()).orElse("");
    return missing()
        .map(why -> EngineStatus.missing(spec(), what, why))
        .orElseGet(() -> EngineStatus.present(spec(), what));
  }

  private Optional<String> missing() {
    if (10 * device.major() + device.minor() < LEAST_CAPABILITY) {
      return Optional.of(
          "compute capability %d.%d, the kernels are for 7.5 and later"
              .formatted(device.major(), device.minor()));
    }
    return kind.flatMap(named -> named.missingOn(device));
  }

  /** The GPU, for people. */
  String description() {
    return "%s, %d multiprocessors, %.0f GiB, CUDA %d.%d"
        .formatted(
            device.name(),
            device.multiprocessors(),
            device.memoryBytes() / (double) (1L << 30),
            driverVersion / 1000,
            driverVersion % 1000 / 10);
  }

  /** Its way to choose kernels. */
  KernelChoice choice(Kernels kernels) {
    return kind.map(named -> (KernelChoice) new KernelChoice.Named(kernels, named))
        .orElseGet(
            () -> new KernelChoice.ByShape(kernels, KernelKind.TENSOR.missingOn(device).isEmpty()));
  }
}
