package io.fieldstone.cpu.execution;

import io.fieldstone.engine.VectorApi;
import java.util.Optional;

/**
 * Determines whether vector code is compiled to vector instructions. It does not refer to classes
 * of the Vector API, so that it works without them.
 */
public final class VectorSupport {

  private VectorSupport() {}

  /**
   * Returns why vector code cannot be used; empty if it can. Loads the Vector API if it is absent,
   * so this is for code that is about to use it.
   */
  public static Optional<String> missing() {
    if (VectorApi.isOff()) {
      return Optional.of("%s=off".formatted(VectorApi.PROPERTY));
    }
    if (!VectorApi.load()) {
      return Optional.of("the JVM was started without --add-modules " + VectorApi.MODULE);
    }
    String mode = System.getProperty("java.vm.info", "");
    if (mode.contains("interpreted") || mode.contains("emulated-client")) {
      return Optional.of("the JVM runs without its optimising compiler (" + mode + ")");
    }
    return Optional.empty();
  }
}
