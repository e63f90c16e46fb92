package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.CudaException;
import io.fieldstone.cuda.driver.Driver;
import io.fieldstone.cuda.driver.DriverStatus;
import io.fieldstone.cuda.execution.KernelImage;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineFailedException;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineProvider;
import io.fieldstone.engine.EngineStatus;
import java.util.List;
import java.util.function.Supplier;

/**
 * Lists the engines of each NVIDIA GPU that the driver reports: {@code cuda:N}, and {@code
 * cuda:N:VARIANT} for measurements. Without a driver it lists one missing engine, {@code cuda},
 * with the reason.
 */
public final class CudaProvider implements EngineProvider {

  /** Ranks these engines before the CPU engine. */
  private static final int PREFERENCE = 100;

  /** The driver, which is loaded when engines are first asked for. */
  private final Supplier<DriverStatus> driver;

  private final KernelModules.Loader kernels;
  private final List<? extends NamedVariant> variants;

  /** Loads the driver once per process. */
  private static final class Machine {
    static final DriverStatus DRIVER = Driver.load();
  }

  /** Creates the provider for {@link java.util.ServiceLoader}. */
  public CudaProvider() {
    this(() -> Machine.DRIVER, KernelImage::load);
  }

  /** Creates a provider with a given driver and kernels, for tests. */
  CudaProvider(Supplier<DriverStatus> driver, KernelModules.Loader kernels) {
    this(driver, kernels, OwnVariants.all());
  }

  private CudaProvider(
      Supplier<DriverStatus> driver,
      KernelModules.Loader kernels,
      List<? extends NamedVariant> variants) {
    this.driver = driver;
    this.kernels = kernels;
    this.variants = variants;
  }

  /** Returns a provider of other variants on the same GPUs, for another module. */
  public CudaProvider withVariants(List<? extends NamedVariant> others) {
    return new CudaProvider(driver, kernels, others);
  }

  @Override
  public int preference() {
    return PREFERENCE;
  }

  @Override
  public List<EngineStatus> engines() {
    return switch (driver.get()) {
      case DriverStatus.Missing missing -> missing(missing.why());
      case DriverStatus.Present present when present.driver().devices().isEmpty() ->
          missing("the NVIDIA driver shows no GPU");
      case DriverStatus.Present present ->
          variants(present.driver()).stream().map(CudaVariant::status).toList();
    };
  }

  /** Returns one missing engine for all; none if that is another provider's. */
  private List<EngineStatus> missing(String why) {
    return variants.contains(OwnVariants.FASTEST)
        ? List.of(EngineStatus.missing("cuda", EngineKind.GPU, "NVIDIA GPUs", why))
        : List.of();
  }

  private List<CudaVariant> variants(Driver driver) {
    return driver.devices().stream()
        .flatMap(device -> CudaVariant.on(device, driver.version(), kernels, variants).stream())
        .toList();
  }

  /**
   * Opens an engine.
   *
   * @throws IllegalArgumentException if no GPU engine has this spec
   * @throws EngineFailedException if the driver fails to open the device
   */
  @Override
  public Engine open(String spec, EngineOptions options) {
    if (driver.get() instanceof DriverStatus.Present present) {
      for (CudaVariant variant : variants(present.driver())) {
        if (variant.spec().equals(spec)) {
          return open(variant, options);
        }
      }
    }
    throw new IllegalArgumentException("no GPU engine '" + spec + "'");
  }

  private static Engine open(CudaVariant variant, EngineOptions options) {
    try {
      return new CudaEngine(variant, options);
    } catch (CudaException e) {
      throw new EngineFailedException(
          "engine '%s' does not open: %s".formatted(variant.spec(), e.getMessage()), e);
    }
  }
}
