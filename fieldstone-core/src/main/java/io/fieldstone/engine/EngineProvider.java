package io.fieldstone.engine;

import java.util.List;

/**
 * What an adapter registers under {@code META-INF/services} to be found. A provider must load
 * cheaply and never throw because its hardware is absent: it lists the engine as missing instead.
 */
public interface EngineProvider {

  /** Preference of this provider for {@code auto}: the highest that has a present engine wins. */
  int preference();

  /** Its engines, present or missing, the one {@code auto} should take first. */
  List<EngineStatus> engines();

  /** Opens one of {@link #engines()} that is present. */
  Engine open(String spec, EngineOptions options);
}
