package io.fieldstone.conformance;

import java.util.Optional;

/**
 * What one check of the conformance suite found.
 *
 * @param name what was checked
 * @param cases how many random cases were tried
 * @param failure the first case that went wrong, with what reproduces it; empty if all passed
 */
public record CheckResult(String name, int cases, Optional<String> failure) {

  /** Whether every case passed. */
  public boolean passed() {
    return failure.isEmpty();
  }
}
