package io.fieldstone.cpu;

import io.fieldstone.cpu.execution.VectorSupport;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineProvider;
import io.fieldstone.engine.EngineStatus;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * Provides the CPU engines. Without usable vectors, {@code cpu} multiplies by tables. Its
 * description then gives the reason, which is also logged as a warning when it is opened.
 */
public final class CpuProvider implements EngineProvider {

  /** For the service loader. */
  public CpuProvider() {}

  @Override
  public int preference() {
    return 0;
  }

  @Override
  public List<EngineStatus> engines() {
    return CpuVariant.all().stream().map(CpuVariant::status).toList();
  }

  @Override
  public Engine open(String spec, EngineOptions options) {
    CpuVariant variant =
        CpuVariant.all().stream()
            .filter(candidate -> candidate.spec().equals(spec))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no CPU engine '" + spec + "'"));
    if (spec.equals(CpuVariant.FASTEST) && VectorSupport.missing().isPresent()) {
      System.getLogger(CpuProvider.class.getName())
          .log(Level.WARNING, "engine {0}: {1}", spec, variant.description());
    }
    return new CpuEngine(variant, options.threads());
  }
}
