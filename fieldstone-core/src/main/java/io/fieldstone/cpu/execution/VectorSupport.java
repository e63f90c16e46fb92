package io.fieldstone.cpu.execution;

import io.fieldstone.engine.VectorApi;
import java.util.Optional;

/**
 * Determines whether vector code is compiled to vector instructions. It does not refer to classes
 * of the Vector API, so that it works without them.
 */
public final class VectorSupport {

  private VectorSupport() {}

  /** Returns why the vector engine cannot be used; empty if it can. */
  public static Optional<String> missing() {
    if (!VectorApi.isLoaded()) {
      return Optional.of("the JVM was started without --add-modules " + VectorApi.MODULE);
    }
    String mode = System.getProperty("java.vm.info", "");
    if (mode.contains("interpreted") || mode.contains("emulated-client")) {
      return Optional.of("the JVM runs without its optimising compiler (" + mode + ")");
    }
    return Optional.empty();
  }
}
