package io.fieldstone.relays;

import io.fieldstone.plane.Expansion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sensors: an id and a place each. Coordinates may be of any unit, integers or not, the range being
 * in the same; or degrees, which are projected to metres. Immutable.
 */
public final class SensorField {

  /** Projected sensors are no farther from their middle, in metres: see {@link Projection}. */
  public static final double MAX_EXTENT = 1_000_000;

  /** Larger coordinates have no room for a fraction of a range beside them. */
  public static final double MAX_COORDINATE = 1e15;

  private static final double RIGHT_ANGLE = 90;
  private static final double FULL_CIRCLE = 360;

  private final List<String> ids;
  private final double[] xs;
  private final double[] ys;
  private final Optional<Projection> projection;

  private SensorField(List<String> ids, double[] xs, double[] ys, Optional<Projection> projection) {
    this.ids = ids;
    this.xs = xs;
    this.ys = ys;
    this.projection = projection;
  }

  /**
   * Sensors in a plane.
   *
   * @param ids different ones
   * @param xs of each sensor; copied
   * @param ys of each sensor; copied
   * @throws IllegalArgumentException if there are not as many of each, an id occurs twice, or a
   *     coordinate is not finite, more than {@link #MAX_COORDINATE} in magnitude or all but 0; says
   *     which
   */
  public static SensorField planar(List<String> ids, double[] xs, double[] ys) {
    requireSameCount(ids, xs, ys);
    for (int i = 0; i < xs.length; i++) {
      requireCoordinate(ids.get(i), "x", xs[i]);
      requireCoordinate(ids.get(i), "y", ys[i]);
    }
    requireDifferent(ids);
    return new SensorField(List.copyOf(ids), xs.clone(), ys.clone(), Optional.empty());
  }

  /**
   * Sensors on the earth, projected around their middle; distances are metres.
   *
   * @param ids different ones
   * @param latitudes in degrees, −90 … 90
   * @param longitudes in degrees, −360 … 360
   * @throws IllegalArgumentException as {@link #planar} does, or if a sensor is more than {@link
   *     #MAX_EXTENT} from the middle of all
   */
  public static SensorField geographic(List<String> ids, double[] latitudes, double[] longitudes) {
    requirePlaces(ids, latitudes, longitudes);
    return projected(ids, latitudes, longitudes, Projection.around(latitudes, longitudes));
  }

  private static SensorField projected(
      List<String> ids, double[] latitudes, double[] longitudes, Projection projection) {
    requireDifferent(ids);
    double[] xs = new double[latitudes.length];
    double[] ys = new double[latitudes.length];
    for (int i = 0; i < xs.length; i++) {
      double[] place = projection.place(latitudes[i], longitudes[i]);
      double distance = Math.hypot(place[0], place[1]);
      if (distance > MAX_EXTENT) {
        throw new IllegalArgumentException(
            "sensor '%s' is %.0f km from the middle of all, too far for a plane; at most %.0f km"
                .formatted(ids.get(i), distance / 1000, MAX_EXTENT / 1000));
      }
      xs[i] = settled(place[0]);
      ys[i] = settled(place[1]);
    }
    return new SensorField(List.copyOf(ids), xs, ys, Optional.of(projection));
  }

  /**
   * Other places in the coordinates of this field, such as those where relays may stand: projected
   * as these are, if they are.
   *
   * @param ids different ones
   * @param first x, or latitudes
   * @param second y, or longitudes
   * @throws IllegalArgumentException as {@link #planar} and {@link #geographic} do
   */
  public SensorField alongside(List<String> ids, double[] first, double[] second) {
    if (projection.isEmpty()) {
      return planar(ids, first, second);
    }
    requirePlaces(ids, first, second);
    return projected(ids, first, second, projection.get());
  }

  /** How many sensors. */
  public int size() {
    return xs.length;
  }

  /** The id of sensor number {@code sensor}, from 0 on. */
  public String id(int sensor) {
    return ids.get(sensor);
  }

  /** Where a sensor is, eastward if it was projected. */
  public double x(int sensor) {
    return xs[sensor];
  }

  /** Where a sensor is, northward if it was projected. */
  public double y(int sensor) {
    return ys[sensor];
  }

  /** How the sensors were projected, if they were. */
  public Optional<Projection> projection() {
    return projection;
  }

  /** All x: only to be read. */
  double[] xs() {
    return xs;
  }

  /** All y: only to be read. */
  double[] ys() {
    return ys;
  }

  /** What a projection leaves of 0, made 0. */
  private static double settled(double coordinate) {
    return Math.abs(coordinate) < Expansion.LEAST ? 0 : coordinate;
  }

  private static void requirePlaces(List<String> ids, double[] latitudes, double[] longitudes) {
    requireSameCount(ids, latitudes, longitudes);
    for (int i = 0; i < latitudes.length; i++) {
      requireDegrees(ids.get(i), "latitude", latitudes[i], RIGHT_ANGLE);
      requireDegrees(ids.get(i), "longitude", longitudes[i], FULL_CIRCLE);
    }
  }

  private static void requireSameCount(List<String> ids, double[] some, double[] others) {
    if (ids.size() != some.length || some.length != others.length) {
      throw new IllegalArgumentException(
          "%d ids, %d and %d coordinates".formatted(ids.size(), some.length, others.length));
    }
  }

  private static void requireCoordinate(String id, String name, double value) {
    double magnitude = Math.abs(value);
    if (!(magnitude <= MAX_COORDINATE) || (magnitude < Expansion.LEAST && magnitude > 0)) {
      throw new IllegalArgumentException(
          "sensor '%s': %s is %s, not 0 or between %s and %s in magnitude"
              .formatted(id, name, value, Expansion.LEAST, MAX_COORDINATE));
    }
  }

  private static void requireDegrees(String id, String name, double value, double most) {
    if (!(Math.abs(value) <= most)) {
      throw new IllegalArgumentException(
          "sensor '%s': %s is %s, not between -%.0f and %.0f"
              .formatted(id, name, value, most, most));
    }
  }

  private static void requireDifferent(List<String> ids) {
    Map<String, Integer> numbers = HashMap.newHashMap(ids.size());
    for (int i = 0; i < ids.size(); i++) {
      Integer before = numbers.putIfAbsent(ids.get(i), i);
      if (before != null) {
        throw new IllegalArgumentException(
            "id '%s' is that of sensors number %d and %d".formatted(ids.get(i), before, i));
      }
    }
  }
}
