package io.fieldstone.engine;

import io.fieldstone.engine.hashes.Hashing;
import java.util.List;
import java.util.Optional;

/**
 * Provides engines; an adapter registers its provider under {@code META-INF/services}. A provider
 * loads quickly, and lists an engine as missing, without an exception, if its hardware is absent.
 */
public interface EngineProvider {

  /** The preference of the provider of the cores, which each process has. */
  int CORES = 0;

  /** The preference of a provider of engines that only measurements need. */
  int FOR_MEASUREMENT = -1;

  /**
   * Returns the preference of this provider; {@code auto} opens an engine of the highest preference
   * for every job, and none of a negative one. It is negative if the engines lack a port that the
   * cores have.
   */
  int preference();

  /** Returns the engines of this provider, present or missing, in order of preference. */
  List<EngineStatus> engines();

  /**
   * Returns the names of the engines that are present, in order of preference. A provider that
   * knows them sooner than it can describe its engines overrides this.
   */
  default List<String> names() {
    return engines().stream().filter(EngineStatus::isPresent).map(EngineStatus::spec).toList();
  }

  /**
   * Returns recommended combinations of the given engines. They end the list of engines, and {@code
   * auto} never opens them.
   *
   * @param engines the engines of all providers
   */
  default List<EngineStatus> combinations(List<EngineStatus> engines) {
    return List.of();
  }

  /**
   * Returns true if {@link #open} recognizes a name that {@link #engines()} does not list; opening
   * it may still fail.
   */
  default boolean canOpen(String spec) {
    return false;
  }

  /** Returns the fastest hashing on the processors, if it is this provider's. */
  default Optional<Hashing> hashing() {
    return Optional.empty();
  }

  /**
   * Opens an engine that {@link #engines()} lists as present, or for whose name {@link #canOpen}
   * returns true.
   *
   * @throws IllegalArgumentException if it cannot be opened; the message gives the reason
   */
  Engine open(String spec, EngineOptions options);
}
