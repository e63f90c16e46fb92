package io.fieldstone.cpu.execution;

import java.util.Optional;

/**
 * Determines whether vector code is compiled to vector instructions. It does not refer to classes
 * of the Vector API, so that it works without them.
 */
public final class VectorSupport {

  private static final String MODULE = "jdk.incubator.vector";

  private VectorSupport() {}

  /** Returns why the vector engine cannot be used; empty if it can. */
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
