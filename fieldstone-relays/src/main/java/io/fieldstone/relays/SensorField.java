package io.fieldstone.relays;

import io.fieldstone.plane.Expansion;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Sensors with ids and coordinates. Coordinates and range have the same unit, or coordinates are
 * degrees, which are projected to metres. Immutable and thread-safe.
 */
public final class SensorField {

  /**
   * The maximum distance of projected sensors from their centre in metres; see {@link Projection}.
   */
  public static final double MAX_EXTENT = 1_000_000;

  /** The maximum magnitude of coordinates; larger ones lack precision for a range. */
  public static final double MAX_COORDINATE = 1e15;

  private static final double RIGHT_ANGLE = 90;
  private static final double FULL_CIRCLE = 360;

  private final List<String> ids;
  private final double[] xs;
  private final double[] ys;
  private final Optional<Projection> projection;
  private final Equipment equipment;

  private SensorField(
      List<String> ids,
      double[] xs,
      double[] ys,
      Optional<Projection> projection,
      Equipment equipment) {
    this.ids = ids;
    this.xs = xs;
    this.ys = ys;
    this.projection = projection;
    this.equipment = equipment;
  }

  /**
   * Returns sensors in a plane.
   *
   * @param ids distinct ids
   * @param xs the x coordinates; copied
   * @param ys the y coordinates; copied
   * @throws IllegalArgumentException if the lengths differ, an id occurs twice, or a coordinate is
   *     not finite, exceeds {@link #MAX_COORDINATE} or is too small; the message names it
   */
  public static SensorField planar(List<String> ids, double[] xs, double[] ys) {
    requireSameCount(ids, xs, ys);
    for (int i = 0; i < xs.length; i++) {
      requireCoordinate(ids.get(i), "x", xs[i]);
      requireCoordinate(ids.get(i), "y", ys[i]);
    }
    requireDifferent(ids);
    return new SensorField(
        List.copyOf(ids), xs.clone(), ys.clone(), Optional.empty(), Equipment.USUAL);
  }

  /**
   * Returns sensors on the earth, projected around their centre; distances are metres.
   *
   * @param ids distinct ids
   * @param latitudes in degrees, −90 … 90
   * @param longitudes in degrees, −360 … 360
   * @throws IllegalArgumentException as {@link #planar}, or if a sensor is more than {@link
   *     #MAX_EXTENT} from the centre
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
            "sensor '%s' is %.0f km from the centre of all sensors, more than %.0f km"
                .formatted(ids.get(i), distance / 1000, MAX_EXTENT / 1000));
      }
      xs[i] = settled(place[0]);
      ys[i] = settled(place[1]);
    }
    return new SensorField(List.copyOf(ids), xs, ys, Optional.of(projection), Equipment.USUAL);
  }

  /**
   * Returns other places in the coordinates of this field, such as sites of relays, with the same
   * projection.
   *
   * @param ids distinct ids
   * @param first the x coordinates or latitudes
   * @param second the y coordinates or longitudes
   * @throws IllegalArgumentException as {@link #planar} and {@link #geographic}
   */
  public SensorField alongside(List<String> ids, double[] first, double[] second) {
    if (projection.isEmpty()) {
      return planar(ids, first, second);
    }
    requirePlaces(ids, first, second);
    return projected(ids, first, second, projection.get());
  }

  /**
   * Returns the same sensors, or sites, with ranges, heights and costs of their own.
   *
   * @throws IllegalArgumentException if the equipment is that of another number of stations
   */
  public SensorField equipped(Equipment own) {
    own.requireSize(xs.length);
    return new SensorField(ids, xs, ys, projection, own);
  }

  /** Returns what sensors have of their own. */
  public Equipment equipment() {
    return equipment;
  }

  /** Returns the number of sensors. */
  public int size() {
    return xs.length;
  }

  /** Returns the id of sensor {@code sensor}, from 0. */
  public String id(int sensor) {
    return ids.get(sensor);
  }

  /** Returns the x coordinate of a sensor, to the east if projected. */
  public double x(int sensor) {
    return xs[sensor];
  }

  /** Returns the y coordinate of a sensor, to the north if projected. */
  public double y(int sensor) {
    return ys[sensor];
  }

  /** Returns the projection of the sensors, if they were projected. */
  public Optional<Projection> projection() {
    return projection;
  }

  /** Returns the x coordinates: the internal array, which must not be changed. */
  double[] xs() {
    return xs;
  }

  /** Returns the y coordinates: the internal array, which must not be changed. */
  double[] ys() {
    return ys;
  }

  /** Returns these sensors and others of the same plane after them, without checks. */
  SensorField with(SensorField others) {
    return at(
        Stream.concat(ids.stream(), others.ids.stream()).toList(),
        DoubleStream.concat(Arrays.stream(xs), Arrays.stream(others.xs)).toArray(),
        DoubleStream.concat(Arrays.stream(ys), Arrays.stream(others.ys)).toArray(),
        equipment.with(size(), others.equipment, others.size()));
  }

  /** Returns the same sensors at other places of the same plane. */
  SensorField at(double[] otherXs, double[] otherYs) {
    return at(ids, otherXs, otherYs, equipment);
  }

  /** Returns some of the sensors. */
  SensorField at(int[] sensors) {
    return at(
        Arrays.stream(sensors).mapToObj(ids::get).toList(),
        Arrays.stream(sensors).mapToDouble(sensor -> xs[sensor]).toArray(),
        Arrays.stream(sensors).mapToDouble(sensor -> ys[sensor]).toArray(),
        equipment.at(sensors));
  }

  /** Returns sensors of the same plane, without checks. */
  private SensorField at(
      List<String> otherIds, double[] otherXs, double[] otherYs, Equipment others) {
    return new SensorField(List.copyOf(otherIds), otherXs, otherYs, projection, others);
  }

  /** Returns the coordinate, with a rounding residue of the projection replaced by 0. */
  private static double settled(double coordinate) {
    return Math.abs(coordinate) < Expansion.MIN_MAGNITUDE ? 0 : coordinate;
  }

  private static void requirePlaces(List<String> ids, double[] latitudes, double[] longitudes) {
    requireSameCount(ids, latitudes, longitudes);
    for (int i = 0; i < latitudes.length; i++) {
      requireDegrees(ids.get(i), "latitude", latitudes[i], RIGHT_ANGLE);
      requireDegrees(ids.get(i), "longitude", longitudes[i], FULL_CIRCLE);
    }
  }

  private static void requireSameCount(List<String> ids, double[] firsts, double[] seconds) {
    if (ids.size() != firsts.length || firsts.length != seconds.length) {
      throw new IllegalArgumentException(
          "%d ids for %d and %d coordinates".formatted(ids.size(), firsts.length, seconds.length));
    }
  }

  private static void requireCoordinate(String id, String name, double value) {
    double magnitude = Math.abs(value);
    if (!(magnitude <= MAX_COORDINATE) || (magnitude < Expansion.MIN_MAGNITUDE && magnitude > 0)) {
      throw new IllegalArgumentException(
          "sensor '%s': %s is %s, not 0 or between %s and %s in magnitude"
              .formatted(id, name, value, Expansion.MIN_MAGNITUDE, MAX_COORDINATE));
    }
  }

  private static void requireDegrees(String id, String name, double value, double max) {
    if (!(Math.abs(value) <= max)) {
      throw new IllegalArgumentException(
          "sensor '%s': %s is %s, not between -%.0f and %.0f".formatted(id, name, value, max, max));
    }
  }

  private static void requireDifferent(List<String> ids) {
    Map<String, Integer> numbers = HashMap.newHashMap(ids.size());
    for (int i = 0; i < ids.size(); i++) {
      Integer before = numbers.putIfAbsent(ids.get(i), i);
      if (before != null) {
        throw new IllegalArgumentException(
            "sensors %d and %d (from 0) have the same id '%s'".formatted(before, i, ids.get(i)));
      }
    }
  }
}
