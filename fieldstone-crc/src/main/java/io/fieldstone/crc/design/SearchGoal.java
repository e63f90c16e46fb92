package io.fieldstone.crc.design;

import java.util.OptionalInt;

/**
 * The polynomials that a {@link PolynomialSearch} finds: their width, and the distance they reach.
 *
 * @param width the degree of the polynomials, 3 to 40
 * @param messageBits the length of a message without its checksum
 * @param distance the Hamming distance that they reach; empty for the greatest that one reaches
 */
public record SearchGoal(int width, int messageBits, OptionalInt distance) {

  /** The minimum width. */
  public static final int MIN_WIDTH = 3;

  /** The maximum width: beyond, an examination of all polynomials takes years. */
  public static final int MAX_WIDTH = 40;

  /** The maximum length of a message in bits. */
  public static final int MAX_MESSAGE_BITS = 1 << 24;

  /**
   * Checks that the goal is possible.
   *
   * @throws IllegalArgumentException if a number is out of range, no polynomial of the width can
   *     reach the distance at any length, or powers of x repeat within the length
   */
  public SearchGoal {
    requireIn("width", width, MIN_WIDTH, MAX_WIDTH);
    requireIn("length", messageBits, 1, MAX_MESSAGE_BITS);
    long period = (1L << width) - 1;
    if (messageBits + (long) width > period) {
      throw new IllegalArgumentException(
          ("no polynomial of width %d has more than HD 2 at %d bits: powers of x repeat after %d at"
                  + " the latest, so the longest message has %d bits")
              .formatted(width, messageBits, period, period - width));
    }
    if (distance.isPresent() && distance.getAsInt() > width + 1) {
      throw new IllegalArgumentException(
          ("HD %d is impossible with %d bits: the polynomial itself is an undetected error, of at"
                  + " most %d bits")
              .formatted(distance.getAsInt(), width, width + 1));
    }
    if (distance.isPresent() && distance.getAsInt() < 3) {
      throw new IllegalArgumentException(
          "HD %d is less than 3, which the search begins with".formatted(distance.getAsInt()));
    }
  }

  private static void requireIn(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s %d is not in %d…%d".formatted(name, value, least, most));
    }
  }

  /** Returns the bits of a message and its checksum. */
  int codeBits() {
    return messageBits + width;
  }

  /** Returns the number of polynomials, all with the terms x^width and 1. */
  public long polynomials() {
    return 1L << width - 1;
  }

  /** Returns the number of polynomials that are examined, of each reciprocal pair one. */
  public long classes() {
    return (polynomials() + (1L << width / 2)) / 2;
  }
}
