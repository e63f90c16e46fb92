package io.fieldstone.relays;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * What stations have of their own: range, height of the antenna, and cost of a relay there. What is
 * not given is as usual: the range and the height of the plan, and cost 1. Immutable and
 * thread-safe.
 *
 * <p>Two stations are linked if their distance is at most the smaller of both ranges.
 */
public final class Equipment {

  /** The greatest height of an antenna above the ground in metres. */
  public static final double MAX_HEIGHT = 10_000;

  /** Nothing of their own. */
  public static final Equipment USUAL = new Equipment(new double[0], new double[0], new double[0]);

  private static final double USUAL_COST = 1;

  /** One for each station, NaN for those as usual; or empty. */
  private final double[] ranges;

  private final double[] heights;
  private final double[] costs;

  private Equipment(double[] ranges, double[] heights, double[] costs) {
    this.ranges = ranges;
    this.heights = heights;
    this.costs = costs;
  }

  /**
   * Returns equipment, of which each array is empty or has one number for each station. NaN is as
   * usual.
   *
   * @param ranges in the coordinates of the field, greater than 0; copied
   * @param heights above the ground in metres, 0 … {@link #MAX_HEIGHT}; copied
   * @param costs of a relay at the station, in any unit, greater than 0; copied
   * @throws IllegalArgumentException if a number is outside its bounds or infinite; the message has
   *     it
   */
  public static Equipment of(double[] ranges, double[] heights, double[] costs) {
    require("range", ranges, Double.MIN_NORMAL, Double.MAX_VALUE);
    require("height", heights, 0, MAX_HEIGHT);
    require("cost", costs, Double.MIN_NORMAL, Double.MAX_VALUE);
    return new Equipment(own(ranges), own(heights), own(costs));
  }

  private static void require(String name, double[] values, double least, double greatest) {
    for (int station = 0; station < values.length; station++) {
      if (values[station] < least || values[station] > greatest) {
        throw new IllegalArgumentException(
            "%s %s of station %d (from 0) is not between %s and %s"
                .formatted(name, values[station], station, least, greatest));
      }
    }
  }

  /** Returns a copy, empty if no station has a number. */
  private static double[] own(double[] values) {
    return Arrays.stream(values).allMatch(Double::isNaN) ? new double[0] : values.clone();
  }

  /** Returns whether a station has a range of its own. */
  public boolean hasRanges() {
    return ranges.length > 0;
  }

  /** Returns whether a station has a height of its own. */
  public boolean hasHeights() {
    return heights.length > 0;
  }

  /** Returns whether a station has a cost of its own. */
  public boolean hasCosts() {
    return costs.length > 0;
  }

  /** Returns the range of a station, or that of the plan. */
  public double range(int station, double usual) {
    return value(ranges, station, usual);
  }

  /** Returns the height of a station, or that of the plan. */
  public double height(int station, double usual) {
    return value(heights, station, usual);
  }

  /** Returns the cost of a relay at a station, 1 if it has none of its own. */
  public double cost(int station) {
    return value(costs, station, USUAL_COST);
  }

  /** Returns the greatest range of stations, at least that of the plan. */
  public double greatestRange(double usual) {
    return ownRanges().reduce(usual, Math::max);
  }

  /** Returns the ranges that stations have of their own. */
  DoubleStream ownRanges() {
    return Arrays.stream(ranges).filter(range -> !Double.isNaN(range));
  }

  private static double value(double[] values, int station, double usual) {
    return values.length == 0 || Double.isNaN(values[station]) ? usual : values[station];
  }

  /** Throws if there is equipment of another number of stations. */
  void requireSize(int stations) {
    for (double[] values : new double[][] {ranges, heights, costs}) {
      if (values.length != 0 && values.length != stations) {
        throw new IllegalArgumentException(
            "equipment of %d stations for %d".formatted(values.length, stations));
      }
    }
  }

  /** Returns the equipment of some stations. */
  Equipment at(int[] stations) {
    return this == USUAL
        ? USUAL
        : new Equipment(at(ranges, stations), at(heights, stations), at(costs, stations));
  }

  private static double[] at(double[] values, int[] stations) {
    return values.length == 0
        ? values
        : Arrays.stream(stations).mapToDouble(station -> values[station]).toArray();
  }

  /** Returns this equipment of some stations, and that of others after them. */
  Equipment with(int stations, Equipment others, int otherStations) {
    return this == USUAL && others == USUAL
        ? USUAL
        : new Equipment(
            joined(ranges, stations, others.ranges, otherStations),
            joined(heights, stations, others.heights, otherStations),
            joined(costs, stations, others.costs, otherStations));
  }

  private static double[] joined(double[] values, int stations, double[] others, int more) {
    if (values.length == 0 && others.length == 0) {
      return values;
    }
    double[] all = new double[stations + more];
    Arrays.fill(all, Double.NaN);
    System.arraycopy(values, 0, all, 0, values.length);
    System.arraycopy(others, 0, all, stations, others.length);
    return all;
  }
}
