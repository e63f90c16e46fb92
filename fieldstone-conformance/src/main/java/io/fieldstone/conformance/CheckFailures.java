package io.fieldstone.conformance;

import java.util.Optional;
import java.util.stream.Stream;

/** Helpers for checks, whose result is empty or describes a failure. */
final class CheckFailures {

  private CheckFailures() {}

  /** Checks that a call throws an exception of a type; returns empty if it does. */
  static Optional<String> rejected(
      String misuse, Class<? extends RuntimeException> expected, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      return expected.isInstance(e)
          ? Optional.empty()
          : Optional.of("%s is rejected with %s".formatted(misuse, e));
    }
    return Optional.of(misuse + " is not rejected");
  }

  /** Returns the first failure, or empty. */
  static Optional<String> firstOf(Stream<Optional<String>> results) {
    return results.flatMap(Optional::stream).findFirst();
  }
}
