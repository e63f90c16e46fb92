package io.fieldstone.cpu.execution;

import java.util.Optional;

/**
 * Whether vector code would run as vector instructions here. Knows nothing of the Vector API's
 * classes, so that it can answer when they are absent.
 */
public final class VectorSupport {

  private static final String MODULE = "jdk.incubator.vector";

  private VectorSupport() {}

  /** Why the vector engine cannot be used; empty if it can. */
  public static Optional<String> missing() {
    try {
      Class.forName(MODULE + ".ByteVector", false, VectorSupport.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return Optional.of("the JVM was started without --add-modules " + MODULE);
    }
    String mode = System.getProperty("java.vm.info", "");
    if (mode.contains("interpreted") || mode.contains("emulated-client")) {
      return Optional.of("the JVM runs without its optimising compiler (" + mode + ")");
    }
    return Optional.empty();
  }
}
