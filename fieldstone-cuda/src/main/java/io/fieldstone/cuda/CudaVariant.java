package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineStatus;
import java.util.List;
import java.util.Optional;

/**
 * An engine that {@link CudaProvider} offers.
 *
 * @param device the GPU
 * @param driverVersion the CUDA version of the driver, such as 13000
 * @param kernels loads the compiled kernels
 * @param named what the engine does otherwise than the fastest
 */
record CudaVariant(
    Device device, int driverVersion, KernelModules.Loader kernels, NamedVariant named) {

  /** The minimum compute capability of the compiled kernels, times ten. */
  private static final int MIN_CAPABILITY = 75;

  /** Returns the engines on a device, in the order of their variants. */
  static List<CudaVariant> on(
      Device device,
      int driverVersion,
      KernelModules.Loader kernels,
      List<? extends NamedVariant> variants) {
    return variants.stream()
        .map(named -> new CudaVariant(device, driverVersion, kernels, named))
        .toList();
  }

  private boolean isFastest() {
    return named.spec().isEmpty();
  }

  String spec() {
    return "cuda:" + device.ordinal() + (isFastest() ? "" : ":" + named.spec());
  }

  EngineStatus status() {
    String text = description() + (isFastest() ? "" : ", " + named.description());
    EngineStatus status =
        missing()
            .map(why -> EngineStatus.missing(spec(), EngineKind.GPU, text, why))
            .orElseGet(() -> EngineStatus.present(spec(), EngineKind.GPU, text));
    return isFastest() ? status : status.forMeasurement();
  }

  private Optional<String> missing() {
    if (10 * device.major() + device.minor() < MIN_CAPABILITY) {
      return Optional.of(
          "compute capability %d.%d, the kernels are for 7.5 and later"
              .formatted(device.major(), device.minor()));
    }
    return named.missingOn(device);
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
}
