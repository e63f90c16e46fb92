package io.fieldstone.engine.checksums;

import java.util.List;

/**
 * The checksum port: remainders of messages of bytes modulo a polynomial over GF(2), the loop of
 * every cyclic redundancy check. Thread-safe.
 */
public interface Checksums {

  /**
   * The methods that this engine has for a divisor, by name, the slowest and plainest first. On the
   * cores: {@code bitwise}, {@code bytewise}, {@code slicing-8}, {@code slicing-16}, {@code
   * parallel}, {@code vector}, {@code jdk}; on a GPU {@code pcrc}, {@code pcrc-reduction}, {@code
   * pcrc-streams}, {@code folding}.
   */
  List<String> methods(Divisor divisor);

  /** Division by the method that is fastest for each length. */
  Division division(Divisor divisor);

  /**
   * Division by one of {@link #methods}; {@code auto} is {@link #division(Divisor)}.
   *
   * @throws IllegalArgumentException if there is no such method for this divisor; the message lists
   *     those there are
   */
  Division division(Divisor divisor, String method);
}
