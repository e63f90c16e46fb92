package io.fieldstone.engine;

import java.util.Optional;

/**
 * An engine and its availability on this machine.
 *
 * @param spec the name for {@link Engine#open}
 * @param kind the kind of hardware
 * @param description a one-line description
 * @param missing the reason why it cannot be opened; empty if it can
 * @param isForMeasurement whether it only repeats a step of a paper, or forces one kernel: users
 *     have no reason to choose it
 */
public record EngineStatus(
    String spec,
    EngineKind kind,
    String description,
    Optional<String> missing,
    boolean isForMeasurement) {

  /** Returns the status of an available engine. */
  public static EngineStatus present(String spec, EngineKind kind, String description) {
    return new EngineStatus(spec, kind, description, Optional.empty(), false);
  }

  /** Returns the status of an engine that is not available, with the reason. */
  public static EngineStatus missing(String spec, EngineKind kind, String description, String why) {
    return new EngineStatus(spec, kind, description, Optional.of(why), false);
  }

  /** Returns the same status of an engine for measurements. */
  public EngineStatus forMeasurement() {
    return new EngineStatus(spec, kind, description, missing, true);
  }

  /** Returns true if {@link Engine#open} can open the engine on this machine. */
  public boolean isPresent() {
    return missing.isEmpty();
  }
}
