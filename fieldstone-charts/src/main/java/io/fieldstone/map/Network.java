package io.fieldstone.map;

import io.fieldstone.relays.Position;
import io.fieldstone.relays.Projection;
import io.fieldstone.relays.Relay;
import io.fieldstone.relays.RelayPlan;
import io.fieldstone.relays.SensorField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The network of sensors and relays of a plan.
 *
 * @param coordinates the kind of coordinates
 * @param range R, in metres for geographic coordinates
 * @param groups the number of connected groups of sensors without relays
 * @param nodes sensors, then relays
 * @param links the links of a spanning tree, by indices of nodes; empty if they are not shown
 */
public record Network(
    Coordinates coordinates,
    double range,
    int groups,
    List<Node> nodes,
    List<RelayPlan.Link> links) {

  /** The cost of a relay that has none of its own. */
  private static final double USUAL_COST = 1;

  /** Copies the lists. */
  public Network {
    nodes = List.copyOf(nodes);
    links = List.copyOf(links);
  }

  /** Returns the quantities that any node has of its own. */
  public List<Quantity> quantities() {
    return Arrays.stream(Quantity.values())
        .filter(quantity ->
            nodes.stream().anyMatch(node -> !Double.isNaN(node.place().own().get(quantity))))
        .toList();
  }

  /** A sensor or a relay. */
  public sealed interface Node {

    /** Returns the place in the coordinates of files. */
    Place place();

    /** Returns the eastward coordinate in the plane. */
    double x();

    /** Returns the northward coordinate in the plane. */
    double y();

    /** Returns the kind of node as a word. */
    String kind();
  }

  /**
   * A sensor.
   *
   * @param group the group of sensors connected without relays, from 0
   */
  public record Sensor(Place place, double x, double y, int group) implements Node {
    @Override
    public String kind() {
      return "sensor";
    }
  }

  /**
   * A relay.
   *
   * @param relayKind the reason for its place
   * @param site the id of its site, if sites are given, or of the existing relay
   */
  public record Station(
      Place place, double x, double y, Relay.Kind relayKind, Optional<String> site)
      implements Node {
    @Override
    public String kind() {
      return switch (relayKind) {
        case STAR -> "star";
        case LINK -> "link";
        case SITE -> "site";
        case EXISTING -> "existing";
      };
    }
  }

  /**
   * Makes the network of a plan. Coordinates are those of the field; if it is projected, they are
   * converted back to degrees.
   *
   * @param plan the plan
   * @param links the links of the plan; empty if they are not shown
   */
  public static Network of(RelayPlan plan, List<RelayPlan.Link> links) {
    SensorField field = plan.field();
    List<Place> sensors = new ArrayList<>();
    for (int i = 0; i < field.size(); i++) {
      Own own =
          new Own(
              field.equipment().range(i, Double.NaN),
              field.equipment().height(i, Double.NaN),
              Double.NaN);
      sensors.add(place(field.id(i), field.x(i), field.y(i), field.projection(), own));
    }
    return of(sensors, List.of(), List.of(), plan, links);
  }

  /**
   * Makes the network of a plan of places with coordinates that are kept to the last digit.
   *
   * @param sensors the sensors of the plan, in its order
   * @param sites the permitted sites of relays; empty if relays may be anywhere
   * @param existing the existing relays
   * @param plan the plan; its coordinates are degrees if its field is projected
   * @param links the links of the plan; empty if they are not shown
   * @throws IllegalArgumentException if the number of sensors is not that of the plan
   */
  public static Network of(
      List<Place> sensors,
      List<Place> sites,
      List<Place> existing,
      RelayPlan plan,
      List<RelayPlan.Link> links) {
    SensorField field = plan.field();
    if (sensors.size() != field.size()) {
      throw new IllegalArgumentException(
          "%d sensors for a plan of %d".formatted(sensors.size(), field.size()));
    }
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < sensors.size(); i++) {
      nodes.add(new Sensor(sensors.get(i), field.x(i), field.y(i), plan.groups().of(i)));
    }
    Map<String, Place> ofSites = byId(sites);
    Map<String, Place> ofExisting = byId(existing);
    String prefix = prefix(sensors);
    for (Relay relay : plan.relays()) {
      String id = prefix + (nodes.size() - sensors.size() + 1);
      Map<String, Place> places = relay.kind() == Relay.Kind.EXISTING ? ofExisting : ofSites;
      Place place =
          relay
              .site()
              .flatMap(site -> Optional.ofNullable(places.get(site)))
              .map(site -> new Place(id, site.first(), site.second(), "", site.own()))
              .orElseGet(() -> place(id, relay.x(), relay.y(), field.projection(), own(relay)));
      nodes.add(new Station(place, relay.x(), relay.y(), relay.kind(), relay.site()));
    }
    Coordinates coordinates =
        field.projection().isPresent() ? Coordinates.DEGREES : Coordinates.PLANAR;
    return new Network(coordinates, plan.range(), plan.groups().count(), nodes, links);
  }

  private static Map<String, Place> byId(List<Place> list) {
    Map<String, Place> places = new HashMap<>();
    list.forEach(place -> places.put(place.id(), place));
    return places;
  }

  /** Returns what a relay on a site of its own has that is known of the site. */
  private static Own own(Relay relay) {
    boolean hasCost = relay.kind() == Relay.Kind.SITE && relay.cost() != USUAL_COST;
    return new Own(
        relay.range().orElse(Double.NaN), Double.NaN, hasCost ? relay.cost() : Double.NaN);
  }

  private static Place place(
      String id, double x, double y, Optional<Projection> projection, Own own) {
    return projection
        .map(projected -> {
          Position position = projected.position(x, y);
          return new Place(id, position.longitude(), position.latitude(), "", own);
        })
        .orElseGet(() -> new Place(id, x, y, "", own));
  }

  /** Returns a prefix that no sensor's id has. */
  private static String prefix(List<Place> sensors) {
    String prefix = "relay-";
    while (isPrefixOfId(sensors, prefix)) {
      prefix = "new-" + prefix;
    }
    return prefix;
  }

  private static boolean isPrefixOfId(List<Place> sensors, String prefix) {
    return sensors.stream().anyMatch(place -> place.id().startsWith(prefix));
  }
}
