package io.fieldstone.engine.checksums;

import java.util.List;

/**
 * The checksum port: computes remainders of messages modulo a polynomial over GF(2), as every
 * cyclic redundancy check does. Thread-safe.
 */
public interface Checksums {

  /**
   * Returns the names of the methods for a divisor, simplest first. On the CPU: {@code bitwise},
   * {@code bytewise}, {@code slicing-8}, {@code slicing-16}, {@code parallel}, {@code vector},
   * {@code carry-less}, {@code jdk}; on a GPU {@code pcrc}, {@code pcrc-reduction}, {@code
   * pcrc-streams}, {@code folding}.
   */
  List<String> methods(Divisor divisor);

  /** Returns a division that uses the fastest method for each message length. */
  Division division(Divisor divisor);

  /**
   * Returns a division by a method of {@link #methods}, or by {@code auto}.
   *
   * @throws IllegalArgumentException if the divisor has no such method; the message lists the
   *     methods
   */
  Division division(Divisor divisor, String method);
}
