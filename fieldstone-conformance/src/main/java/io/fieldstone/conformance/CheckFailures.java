package io.fieldstone.conformance;

import java.util.Optional;
import java.util.stream.Stream;

/** What checks have found: nothing, or what went wrong. */
final class CheckFailures {

  private CheckFailures() {}

  /** Nothing, if a call throws what it should. */
  static Optional<String> refused(
      String what, Class<? extends RuntimeException> how, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      return how.isInstance(e)
          ? Optional.empty()
          : Optional.of("%s is refused with %s".formatted(what, e));
    }
    return Optional.of(what + " is not refused");
  }

  /** The first of several that is something. */
  static Optional<String> firstOf(Stream<Optional<String>> findings) {
    return findings.flatMap(Optional::stream).findFirst();
  }
}
