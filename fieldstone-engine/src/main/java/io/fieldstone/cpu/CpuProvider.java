package io.fieldstone.cpu;

import io.fieldstone.cpu.execution.VectorSupport;
import io.fieldstone.cpu.hashes.CpuHashing;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineProvider;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.engine.VectorApi;
import io.fieldstone.engine.hashes.Hashing;
import io.fieldstone.engine.memory.NativeAccess;
import io.fieldstone.natives.NativeLibrary;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Provides the CPU engines. Without native kernels and usable vectors, {@code cpu} multiplies by
 * words. Its description then gives the reason, which is also logged as a warning when vectors are
 * first needed. If {@link VectorApi#isRequired()}, missing vectors are an error.
 */
public final class CpuProvider implements EngineProvider {

  private static final AtomicBoolean HAS_WARNED = new AtomicBoolean();

  /** For the service loader. */
  public CpuProvider() {}

  @Override
  public int preference() {
    return CORES;
  }

  @Override
  public List<String> names() {
    return CpuVariant.NAMES;
  }

  @Override
  public List<EngineStatus> engines() {
    return CpuVariant.all().stream().map(CpuVariant::status).toList();
  }

  @Override
  public Optional<Hashing> hashing() {
    return Optional.of(new CpuHashing());
  }

  @Override
  public Engine open(String spec, EngineOptions options) {
    Optional<CpuVariant> variant = CpuVariant.find(spec);
    if (variant.isEmpty()) {
      throw new IllegalArgumentException("no CPU engine '" + spec + "'");
    }
    if (NativeAccess.isDenied()) {
      return openWithoutNativeAccess(spec);
    }
    if (spec.equals(CpuVariant.FASTEST) && VectorApi.isRequired()) {
      VectorSupport.missing().ifPresent(CpuProvider::refuse);
    }
    return variant.get().open(options);
  }

  /** Opens an engine on one thread, which may have confined memory. */
  private static Engine openWithoutNativeAccess(String spec) {
    CpuVariant variant =
        CpuVariant.withoutNativeAccess(spec)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "engine '%s' is not available: %s".formatted(spec, NativeAccess.reason())));
    if (spec.equals(CpuVariant.FASTEST) && VectorApi.isRequired()) {
      refuse(NativeAccess.reason());
    }
    if (!HAS_WARNED.getAndSet(true)) {
      System.getLogger(CpuProvider.class.getName())
          .log(
              Level.WARNING,
              "engine %s: all jobs run slowly, on one thread in plain Java, because %s"
                  .formatted(spec, NativeAccess.reason()));
    }
    return new CpuEngine(variant, 1);
  }

  private static void refuse(String reason) {
    throw new IllegalArgumentException(
        "engine '%s' is not available with %s=required: %s"
            .formatted(CpuVariant.FASTEST, VectorApi.PROPERTY, reason));
  }

  /** Logs once why vectors are missing, unless native kernels replace them, or they are off. */
  static void warnOfMissing(String reason) {
    if (!VectorApi.isOff()
        && NativeLibrary.get().missing().isPresent()
        && !HAS_WARNED.getAndSet(true)) {
      System.getLogger(CpuProvider.class.getName())
          .log(
              Level.WARNING,
              "engine %s: network coding is about %d times slower, because %s"
                  .formatted(CpuVariant.FASTEST, VectorApi.FACTOR, reason));
    }
  }
}
