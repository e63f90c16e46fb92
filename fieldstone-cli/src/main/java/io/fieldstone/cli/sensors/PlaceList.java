package io.fieldstone.cli.sensors;

import io.fieldstone.chart.drawing.DecimalText;
import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Own;
import io.fieldstone.map.Place;
import io.fieldstone.map.Quantity;
import io.fieldstone.relays.Equipment;
import io.fieldstone.relays.SensorField;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A list of sensors, or of sites for relays, from a file.
 *
 * @param name the name of the file
 * @param places the places, at least one, with distinct ids
 * @param coordinates the kind of all coordinates
 */
public record PlaceList(String name, List<Place> places, Coordinates coordinates) {

  private static final double RIGHT_ANGLE = 90;
  private static final double FULL_CIRCLE = 360;

  /** Copies the list. */
  public PlaceList {
    places = List.copyOf(places);
  }

  /**
   * Makes the field of these sensors; degrees are projected to a plane.
   *
   * @throws MalformedSensorsException if the field rejects the coordinates
   */
  public SensorField field() throws MalformedSensorsException {
    try {
      SensorField field =
          switch (coordinates) {
            case PLANAR -> SensorField.planar(ids(), firsts(), seconds());
            case DEGREES -> SensorField.geographic(ids(), seconds(), firsts());
          };
      return field.equipped(equipment());
    } catch (IllegalArgumentException e) {
      throw malformed(e);
    }
  }

  /**
   * Converts these places to the plane of a field of sensors.
   *
   * @throws MalformedSensorsException if the kinds of coordinates differ, or a place is too far
   *     away
   */
  public SensorField alongside(PlaceList sensors, SensorField field)
      throws MalformedSensorsException {
    if (sensors.coordinates != coordinates) {
      throw new MalformedSensorsException(
          "coordinates %s, %s, but %s has %s, %s"
              .formatted(
                  coordinates.first(),
                  coordinates.second(),
                  sensors.name,
                  sensors.coordinates.first(),
                  sensors.coordinates.second()),
          name);
    }
    try {
      SensorField converted =
          switch (coordinates) {
            case PLANAR -> field.alongside(ids(), firsts(), seconds());
            case DEGREES -> field.alongside(ids(), seconds(), firsts());
          };
      return converted.equipped(equipment());
    } catch (IllegalArgumentException e) {
      throw malformed(e);
    }
  }

  private MalformedSensorsException malformed(IllegalArgumentException e) {
    return new MalformedSensorsException(String.valueOf(e.getMessage()), name, e);
  }

  private Equipment equipment() {
    return Equipment.of(values(Quantity.RANGE), values(Quantity.HEIGHT), values(Quantity.COST));
  }

  private double[] values(Quantity quantity) {
    return places.stream().mapToDouble(place -> place.own().get(quantity)).toArray();
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

  /** Collects places and checks each. */
  static final class Builder {
    /** The maximum number of outliers that are named. */
    private static final int MAX_HINTS = 3;

    private final String name;
    private final Coordinates coordinates;
    private final ListFormat format;
    private final Consumer<String> hints;
    private final List<Place> places = new ArrayList<>();
    private final Map<String, String> filePlaces = new HashMap<>();
    private final Set<Quantity> named = EnumSet.noneOf(Quantity.class);
    private int outside;
    private String firstOutside = "";

    /** The first place without a cost, and whether another one has a cost. */
    private String firstWithoutCost = "";

    private boolean haveCosts;

    /**
     * Makes an empty list.
     *
     * @param coordinates the kind of coordinates in the file
     * @throws MalformedSensorsException if they are degrees, but x and y of a reference system are
     *     expected
     */
    Builder(String name, Coordinates coordinates, ListFormat format, Consumer<String> hints)
        throws MalformedSensorsException {
      boolean isPlanar = format.crs().isPresent() || format.geoJson() == Coordinates.PLANAR;
      if (isPlanar && coordinates == Coordinates.DEGREES) {
        throw new MalformedSensorsException(
            "degrees, where %s needs x, y (of CSV, --columns selects two)"
                .formatted(format.crs().isPresent() ? "--crs" : "--planar"),
            name);
      }
      this.name = name;
      this.coordinates = coordinates;
      this.format = format;
      this.hints = hints;
    }

    /** Returns the number of places so far, with those that were left out. */
    int seen() {
      return places.size() + outside;
    }

    /**
     * Adds a place.
     *
     * @param place the line or feature in the file
     */
    void add(String id, double first, double second, String place)
        throws MalformedSensorsException {
      add(id, first, second, "", Own.NONE, place);
    }

    /**
     * Returns whether a quantity is to be read. Otherwise a hint names it, once; but not costs in
     * plans, which no plan of others uses.
     *
     * @param title what has it in the file, such as "column 'range'"
     * @param isOfPlan whether the file is a plan, which says the kinds of nodes
     */
    boolean isRead(Quantity quantity, String title, boolean isOfPlan) {
      String unused = format.unused().get(quantity);
      boolean isExpected = isOfPlan && quantity == Quantity.COST;
      if (unused != null && !isExpected && named.add(quantity)) {
        hints.accept("%s has no effect %s: %s".formatted(title, unused, name));
      }
      return unused == null;
    }

    /**
     * Returns the quantities of a place, each from the first of its names that has a text.
     *
     * @param kind what the names are of in the file, such as "property"
     * @param texts the text of a name in lower case; blank if there is none
     * @param isOfPlan whether the file is a plan
     */
    Own own(String kind, UnaryOperator<String> texts, boolean isOfPlan, String place)
        throws MalformedSensorsException {
      Own own = Own.NONE;
      for (Quantity quantity : Quantity.values()) {
        for (String each : QuantityNames.of(quantity)) {
          String text = texts.apply(each);
          String title = "%s '%s'".formatted(kind, each);
          if (!text.isBlank() && isRead(quantity, title, isOfPlan)) {
            own = own.with(quantity, value(quantity, text, title, place));
            break;
          }
        }
      }
      return own;
    }

    /**
     * Returns the value of a quantity.
     *
     * @param text the text in the file, not blank
     * @param title what has it in the file
     */
    double value(Quantity quantity, String text, String title, String place)
        throws MalformedSensorsException {
      OptionalDouble value = Numbers.parse(text);
      if (value.isEmpty()) {
        throw malformed("'%s' in %s is not a number".formatted(Excerpt.of(text), title), place);
      }
      Optional<String> problem = QuantityNames.problem(quantity, value.getAsDouble());
      if (problem.isPresent()) {
        throw malformed("%s in %s %s".formatted(Excerpt.of(text), title, problem.get()), place);
      }
      return value.getAsDouble();
    }

    /**
     * Adds a place.
     *
     * @param kind the kind of node; empty if the file has none
     * @param own what it has of its own
     * @param place the line or feature in the file
     */
    void add(String id, double first, double second, String kind, Own own, String place)
        throws MalformedSensorsException {
      if (id.isBlank()) {
        throw malformed("no id", place);
      }
      requireInRange(coordinates, coordinates.first(), first, FULL_CIRCLE, place);
      requireInRange(coordinates, coordinates.second(), second, RIGHT_ANGLE, place);
      String previous = filePlaces.putIfAbsent(id, place);
      if (previous != null) {
        throw malformed("duplicate id '%s', first used in %s".formatted(id, previous), place);
      }
      if (format.within().isPresent()
          && !format.within().get().contains(coordinates, first, second)) {
        firstOutside = outside == 0 ? "'%s': %s, %s".formatted(id, name, place) : firstOutside;
        outside++;
        return;
      }
      noteCost(kind, own, place);
      double[] converted = converted(first, second, place);
      // A sum with 0 turns -0 into 0.
      places.add(new Place(id, converted[0] + 0.0, converted[1] + 0.0, kind, own));
    }

    private void noteCost(String kind, Own own, String place) {
      boolean isSite = kind.isEmpty() || kind.equals("site");
      if (!Double.isNaN(own.cost())) {
        haveCosts = true;
      } else if (isSite && firstWithoutCost.isEmpty()) {
        firstWithoutCost = place;
      }
    }

    private double[] converted(double first, double second, String place)
        throws MalformedSensorsException {
      if (format.crs().isEmpty()) {
        return new double[] {first, second};
      }
      try {
        double[] degrees = format.crs().get().toDegrees(first, second);
        requireInRange(Coordinates.DEGREES, "longitude", degrees[0], FULL_CIRCLE, place);
        requireInRange(Coordinates.DEGREES, "latitude", degrees[1], RIGHT_ANGLE, place);
        return degrees;
      } catch (IllegalArgumentException e) {
        throw malformed(String.valueOf(e.getMessage()), place);
      }
    }

    private void requireInRange(
        Coordinates kind, String coordinate, double value, double degrees, String place)
        throws MalformedSensorsException {
      double max = kind == Coordinates.DEGREES ? degrees : SensorField.MAX_COORDINATE;
      if (!(Math.abs(value) <= max)) {
        throw malformed(
            "%s %s is not in %s…%s"
                .formatted(
                    coordinate, DecimalText.of(value), DecimalText.of(-max), DecimalText.of(max)),
            place);
      }
    }

    MalformedSensorsException malformed(String problem, String place) {
      return new MalformedSensorsException(problem, name + ", " + place);
    }

    PlaceList build() throws MalformedSensorsException {
      if (places.isEmpty()) {
        throw new MalformedSensorsException(
            outside == 0 ? "no sensors" : "no sensors inside --within", name);
      }
      if (haveCosts && !firstWithoutCost.isEmpty()) {
        throw malformed("no cost, which others have", firstWithoutCost);
      }
      if (outside > 0) {
        String count = outside == 1 ? "1 place" : outside + " places";
        hints.accept("%s outside --within left out, first %s".formatted(count, firstOutside));
      }
      Coordinates kind = format.crs().isPresent() ? Coordinates.DEGREES : coordinates;
      List<Outliers.Outlier> outliers = Outliers.of(kind, places);
      for (Outliers.Outlier outlier : outliers.subList(0, Math.min(MAX_HINTS, outliers.size()))) {
        hints.accept(
            "%s (--within leaves out places outside a box): %s, %s"
                .formatted(outlier.problem(), name, filePlaces.get(outlier.place().id())));
      }
      if (outliers.size() > MAX_HINTS) {
        hints.accept(
            "%d more places are as far away: %s".formatted(outliers.size() - MAX_HINTS, name));
      }
      return new PlaceList(name, places, kind);
    }
  }
}
