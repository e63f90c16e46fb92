package io.fieldstone.cli.sensors;

import io.fieldstone.relays.SensorField;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sensors, or sites for relays, as they were read.
 *
 * @param name of the file they are from
 * @param places at least one, of different ids
 * @param coordinates of all
 */
public record PlaceList(String name, List<Place> places, Coordinates coordinates) {

  private static final double RIGHT_ANGLE = 90;
  private static final double FULL_CIRCLE = 360;

  /** Copies the list. */
  public PlaceList {
    places = List.copyOf(places);
  }

  /**
   * The field of these sensors; degrees are projected.
   *
   * @throws MalformedSensorsException if a field cannot have such coordinates
   */
  public SensorField field() throws MalformedSensorsException {
    try {
      return switch (coordinates) {
        case PLANAR -> SensorField.planar(ids(), firsts(), seconds());
        case DEGREES -> SensorField.geographic(ids(), seconds(), firsts());
      };
    } catch (IllegalArgumentException e) {
      throw refused(e);
    }
  }

  /**
   * These places in the coordinates of the field of sensors.
   *
   * @throws MalformedSensorsException if they are of the other kind, or too far away
   */
  public SensorField alongside(PlaceList sensors, SensorField field)
      throws MalformedSensorsException {
    if (sensors.coordinates != coordinates) {
      throw new MalformedSensorsException(
          "%s, %s where %s has %s, %s"
              .formatted(
                  coordinates.first(),
                  coordinates.second(),
                  sensors.name,
                  sensors.coordinates.first(),
                  sensors.coordinates.second()),
          name);
    }
    try {
      return switch (coordinates) {
        case PLANAR -> field.alongside(ids(), firsts(), seconds());
        case DEGREES -> field.alongside(ids(), seconds(), firsts());
      };
    } catch (IllegalArgumentException e) {
      throw refused(e);
    }
  }

  private MalformedSensorsException refused(IllegalArgumentException e) {
    return new MalformedSensorsException(String.valueOf(e.getMessage()), name, e);
  }

  private List<String> ids() {
    return places.stream().map(Place::id).toList();
  }

  private double[] firsts() {
    return places.stream().mapToDouble(Place::first).toArray();
  }

  private double[] seconds() {
    return places.stream().mapToDouble(Place::second).toArray();
  }

  /** Collects places, and refuses what cannot be one. */
  static final class Builder {
    private final String name;
    private final Coordinates coordinates;
    private final List<Place> places = new ArrayList<>();
    private final Map<String, String> wheres = new HashMap<>();

    Builder(String name, Coordinates coordinates) {
      this.name = name;
      this.coordinates = coordinates;
    }

    /** How many there are so far. */
    int size() {
      return places.size();
    }

    /**
     * Adds a place.
     *
     * @param where it stands in the file
     */
    void add(String id, double first, double second, String where)
        throws MalformedSensorsException {
      if (id.isBlank()) {
        throw malformed("no id", where);
      }
      requireInRange(coordinates.first(), first, FULL_CIRCLE, where);
      requireInRange(coordinates.second(), second, RIGHT_ANGLE, where);
      String before = wheres.putIfAbsent(id, where);
      if (before != null) {
        throw malformed("id '%s' is that of %s too".formatted(id, before), where);
      }
      places.add(new Place(id, first + 0.0, second + 0.0)); // no zero is negative from here on
    }

    private void requireInRange(String coordinate, double value, double degrees, String where)
        throws MalformedSensorsException {
      double most = coordinates == Coordinates.DEGREES ? degrees : SensorField.MAX_COORDINATE;
      if (!(Math.abs(value) <= most)) {
        throw malformed(
            "%s %s is not in %s…%s"
                .formatted(
                    coordinate, Numbers.text(value), Numbers.text(-most), Numbers.text(most)),
            where);
      }
    }

    MalformedSensorsException malformed(String what, String where) {
      return new MalformedSensorsException(what, name + ", " + where);
    }

    PlaceList build() throws MalformedSensorsException {
      if (places.isEmpty()) {
        throw new MalformedSensorsException("no sensors", name);
      }
      return new PlaceList(name, places, coordinates);
    }
  }
}
