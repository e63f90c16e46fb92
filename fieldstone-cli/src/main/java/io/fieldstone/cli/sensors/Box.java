package io.fieldstone.cli.sensors;

import io.fieldstone.map.Coordinates;
import java.util.OptionalDouble;

/**
 * A box with sides along the axes, in the order of RFC 7946, section 5. Its sides belong to it.
 *
 * @param west the least x or longitude
 * @param south the least y or latitude
 * @param east the greatest x or longitude; beyond 180 in a box across the antimeridian
 * @param north the greatest y or latitude
 */
public record Box(double west, double south, double east, double north) {

  private static final double FULL_CIRCLE = 360;
  private static final int NUMBERS = 4;

  /**
   * Parses {@code WEST,SOUTH,EAST,NORTH}.
   *
   * @throws IllegalArgumentException if these are not four numbers in order
   */
  public static Box parse(String text) {
    String[] words = text.split(",", -1);
    double[] numbers = new double[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
      OptionalDouble number = i < words.length ? Numbers.parse(words[i]) : OptionalDouble.empty();
      if (words.length != NUMBERS || number.isEmpty()) {
        throw new IllegalArgumentException(
            "'%s' is not WEST,SOUTH,EAST,NORTH".formatted(Excerpt.of(text)));
      }
      numbers[i] = number.getAsDouble();
    }
    Box box = new Box(numbers[0], numbers[1], numbers[2], numbers[3]);
    if (!(box.west <= box.east && box.south <= box.north)) {
      throw new IllegalArgumentException(
          "'%s': WEST exceeds EAST, or SOUTH exceeds NORTH".formatted(text));
    }
    return box;
  }

  /** Returns true if a place is in the box; longitudes may differ by a full circle. */
  boolean contains(Coordinates coordinates, double first, double second) {
    boolean isBetween =
        isBetween(first)
            || coordinates == Coordinates.DEGREES
                && (isBetween(first - FULL_CIRCLE) || isBetween(first + FULL_CIRCLE));
    return isBetween && south <= second && second <= north;
  }

  private boolean isBetween(double first) {
    return west <= first && first <= east;
  }
}
