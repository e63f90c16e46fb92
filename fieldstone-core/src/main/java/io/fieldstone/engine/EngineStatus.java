package io.fieldstone.engine;

import java.util.Optional;

/**
 * One engine as seen from this machine.
 *
 * @param spec the name {@link Engine#open} takes
 * @param kind the hardware that it runs on
 * @param description what it is, in one line
 * @param missing why it cannot be opened here; empty when it can
 */
public record EngineStatus(
    String spec, EngineKind kind, String description, Optional<String> missing) {

  /** An engine that can be opened. */
  public static EngineStatus present(String spec, EngineKind kind, String description) {
    return new EngineStatus(spec, kind, description, Optional.empty());
  }

  /** An engine that cannot be opened here, and why. */
  public static EngineStatus missing(String spec, EngineKind kind, String description, String why) {
    return new EngineStatus(spec, kind, description, Optional.of(why));
  }

  /** Whether {@link Engine#open} of {@link #spec} works here. */
  public boolean isPresent() {
    return missing.isEmpty();
  }
}
