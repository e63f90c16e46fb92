package io.fieldstone.conformance;

import java.util.Optional;

/**
 * The result of one check of the conformance suite.
 *
 * @param name the name of the check
 * @param cases the number of random cases tried
 * @param failure the first failed case, with its seed; empty if all passed
 */
public record CheckResult(String name, int cases, Optional<String> failure) {

  /** Tests whether every case passed. */
  public boolean passed() {
    return failure.isEmpty();
  }
}
