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

  /**
   * Engines that this provider makes of others, as far as they are worth listing; after all others
   * in the list, and never taken by {@code auto}.
   *
   * @param engines those of all providers
   */
  default List<EngineStatus> combinations(List<EngineStatus> engines) {
    return List.of();
  }

  /**
   * Whether {@link #open} understands a name that {@link #engines()} does not list. It may still
   * refuse it, and then says why.
   */
  default boolean opens(String spec) {
    return false;
  }

  /**
   * Opens one of {@link #engines()} that is present, or one that it {@link #opens}.
   *
   * @throws IllegalArgumentException if it cannot be opened; the message says why
   */
  Engine open(String spec, EngineOptions options);
}
