package io.fieldstone.relays;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A power of ten that makes coordinates and a range integers, so that distances are compared in
 * decimals as they were written: 0.1 and 0.4 are 0.3 apart. In doubles they are slightly more.
 *
 * <p>It exists for numbers in a plane of at most 15 significant digits from the largest digit of
 * all to the last decimal. Other numbers stay as they are. Immutable.
 *
 * @param factor the power of ten; 1 if there is none
 */
record DecimalScale(double factor) {

  private static final DecimalScale NONE = new DecimalScale(1);

  /** The powers of ten that are tried: the greatest has as many digits as a number may have. */
  private static final double[] POWERS = {
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  /** The maximum magnitude of a scaled number: doubles hold all decimals of 15 digits apart. */
  private static final double MAX_SCALED = 1e15;

  /** The maximum ratio of a coordinate to the range; beyond, the error names the coordinate. */
  private static final double MAX_RANGES = 0x1p30;

  /** Returns the scale of a range, and of the coordinates and the ranges of fields. */
  static DecimalScale of(double range, SensorField... fields) {
    int power = 0;
    double largest = range;
    for (double[] numbers : numbers(range, fields)) {
      for (double number : numbers) {
        while (power < POWERS.length && !isWhole(number, POWERS[power])) {
          power++;
        }
        if (power == POWERS.length) {
          return NONE;
        }
        largest = Math.max(largest, Math.abs(number));
      }
    }
    boolean isPlanar = Arrays.stream(fields).allMatch(field -> field.projection().isEmpty());
    boolean isExact = largest * POWERS[power] <= MAX_SCALED && largest <= MAX_RANGES * range;
    return isPlanar && isExact ? new DecimalScale(POWERS[power]) : NONE;
  }

  private static List<double[]> numbers(double range, SensorField... fields) {
    return Stream.concat(
            Stream.of(new double[] {range}),
            Arrays.stream(fields)
                .flatMap(field ->
                    Stream.of(field.xs(), field.ys(), field.equipment().ownRanges().toArray())))
        .toList();
  }

  /** Returns whether a number is the double nearest to an integer divided by the power of ten. */
  private static boolean isWhole(double number, double power) {
    double scaled = Math.rint(number * power);
    return Math.abs(scaled) <= MAX_SCALED && scaled / power == number;
  }

  /** Returns a number in the scale; an integer if it belongs to those that it was made for. */
  double scaled(double number) {
    return factor == 1 ? number : Math.rint(number * factor);
  }

  /** Returns numbers in the scale. */
  double[] scaled(double[] numbers) {
    return factor == 1 ? numbers : Arrays.stream(numbers).map(this::scaled).toArray();
  }

  /** Returns a field in the scale; its equipment is not scaled. */
  SensorField scaled(SensorField field) {
    return factor == 1 ? field : field.at(scaled(field.xs()), scaled(field.ys()));
  }

  /** Returns a position near others in the scale, which is no integer. */
  double between(double number) {
    return number * factor;
  }

  /** Returns the number before scaling. */
  double unscaled(double number) {
    return number / factor;
  }

  /** Returns a relay in the scale. */
  Relay scaled(Relay relay) {
    return relay.at(between(relay.x()), between(relay.y()));
  }

  /** Returns a relay in the coordinates before scaling. */
  Relay unscaled(Relay relay) {
    return relay.at(unscaled(relay.x()), unscaled(relay.y()));
  }
}
