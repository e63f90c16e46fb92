package io.fieldstone.engine;

import java.util.List;

/** Checks the names of methods, as given to {@code --method} and to the ports. */
public final class Methods {

  /** The name that lets the engine choose the method. */
  public static final String AUTO = "auto";

  private Methods() {}

  /**
   * Checks that {@code methods} contains a method.
   *
   * @param subject the subject in the message, for example {@code "i32 on cpu"}
   * @throws IllegalArgumentException if it does not; the message suggests a method or lists all
   */
  public static void require(String method, Object subject, List<String> methods) {
    if (!methods.contains(method)) {
      throw new IllegalArgumentException(
          "no method '%s' for %s; %s".formatted(method, subject, Spelling.hint(method, methods)));
    }
  }
}
