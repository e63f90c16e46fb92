package io.fieldstone.engine;

import java.util.Optional;

/**
 * One engine as seen from this machine.
 *
 * @param spec the name {@link Engine#open} takes
 * @param description what it is, in one line
 * @param missing why it cannot be opened here; empty when it can
 */
public record EngineStatus(String spec, String description, Optional<String> missing) {

  /** An engine that can be opened. */
  public static EngineStatus present(String spec, String description) {
    return new EngineStatus(spec, description, Optional.empty());
  }

  /** An engine that cannot be opened here, and why. */
  public static EngineStatus missing(String spec, String description, String why) {
    return new EngineStatus(spec, description, Optional.of(why));
  }

  /** Whether {@link Engine#open} of {@link #spec} works here. */
  public boolean isPresent() {
    return missing.isEmpty();
  }
}
