package io.fieldstone.cli.sensors;

import io.fieldstone.relays.Position;
import io.fieldstone.relays.Projection;
import io.fieldstone.relays.Relay;
import io.fieldstone.relays.RelayPlan;
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

  /** Copies the lists. */
  public Network {
    nodes = List.copyOf(nodes);
    links = List.copyOf(links);
  }

  /** Returns the quantities that any node has of its own. */
  List<Quantity> quantities() {
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
   * Makes the network of a plan.
   *
   * @param sensors the sensors of the plan
   * @param sites the permitted sites of relays, if restricted
   * @param existing the existing relays, if there are any
   * @param links the links of the plan; empty if they are not shown
   */
  public static Network of(
      PlaceList sensors,
      Optional<PlaceList> sites,
      Optional<PlaceList> existing,
      RelayPlan plan,
      List<RelayPlan.Link> links) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < sensors.places().size(); i++) {
      nodes.add(
          new Sensor(
              sensors.places().get(i), plan.field().x(i), plan.field().y(i), plan.groups().of(i)));
    }
    Map<String, Place> ofSites = byId(sites);
    Map<String, Place> ofExisting = byId(existing);
    String prefix = prefix(sensors);
    for (Relay relay : plan.relays()) {
      String id = prefix + (nodes.size() - sensors.places().size() + 1);
      Map<String, Place> places = relay.kind() == Relay.Kind.EXISTING ? ofExisting : ofSites;
      Place place =
          relay
              .site()
              .flatMap(site -> Optional.ofNullable(places.get(site)))
              .map(site -> new Place(id, site.first(), site.second(), "", site.own()))
              .orElseGet(() -> place(id, relay, plan.field().projection()));
      nodes.add(new Station(place, relay.x(), relay.y(), relay.kind(), relay.site()));
    }
    return new Network(sensors.coordinates(), plan.range(), plan.groups().count(), nodes, links);
  }

  private static Map<String, Place> byId(Optional<PlaceList> list) {
    Map<String, Place> places = new HashMap<>();
    list.ifPresent(one -> one.places().forEach(place -> places.put(place.id(), place)));
    return places;
  }

  private static Place place(String id, Relay relay, Optional<Projection> projection) {
    return projection
        .map(projected -> {
          Position position = projected.position(relay.x(), relay.y());
          return new Place(id, position.longitude(), position.latitude());
        })
        .orElseGet(() -> new Place(id, relay.x(), relay.y()));
  }

  /** Returns a prefix that no sensor's id has. */
  private static String prefix(PlaceList sensors) {
    String prefix = "relay-";
    while (isPrefixOfId(sensors, prefix)) {
      prefix = "new-" + prefix;
    }
    return prefix;
  }

  private static boolean isPrefixOfId(PlaceList sensors, String prefix) {
    return sensors.places().stream().anyMatch(place -> place.id().startsWith(prefix));
  }
}
