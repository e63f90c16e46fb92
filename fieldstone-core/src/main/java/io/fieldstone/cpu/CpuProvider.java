package io.fieldstone.cpu;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineProvider;
import io.fieldstone.engine.EngineStatus;
import java.util.Arrays;
import java.util.List;

/** Offers the engines of this package. */
public final class CpuProvider implements EngineProvider {

  /** For the service loader. */
  public CpuProvider() {}

  @Override
  public int preference() {
    return 0;
  }

  @Override
  public List<EngineStatus> engines() {
    return Arrays.stream(CpuVariant.values()).map(CpuVariant::status).toList();
  }

  @Override
  public Engine open(String spec, EngineOptions options) {
    return Arrays.stream(CpuVariant.values())
        .filter(variant -> variant.spec().equals(spec))
        .findFirst()
        .map(variant -> new CpuEngine(variant, options.threads()))
        .orElseThrow(() -> new IllegalArgumentException("no CPU engine '" + spec + "'"));
  }
}
