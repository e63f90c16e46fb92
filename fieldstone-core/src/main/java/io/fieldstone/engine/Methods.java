package io.fieldstone.engine;

import java.util.List;

/** Checks names of methods, as {@code --method} and the ports take them. */
public final class Methods {

  /** The name of the method that an engine chooses by itself. */
  public static final String AUTO = "auto";

  private Methods() {}

  /**
   * Checks that a method exists.
   *
   * @param subject of the method, as the message names it: {@code "i32 on cpu"}
   * @throws IllegalArgumentException if {@code methods} does not contain it; the message lists them
   */
  public static void require(String method, Object subject, List<String> methods) {
    if (!methods.contains(method)) {
      throw new IllegalArgumentException(
          "no method '%s' for %s; there are: %s"
              .formatted(method, subject, String.join(", ", methods)));
    }
  }
}
