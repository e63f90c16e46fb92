package io.fieldstone.cli.sensors;

import io.fieldstone.relays.Projection;
import io.fieldstone.relays.Relay;
import io.fieldstone.relays.RelayPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a plan makes of a list of sensors.
 *
 * @param coordinates of the places
 * @param range R
 * @param groups how many groups of sensors there are without relays
 * @param nodes sensors, then relays
 * @param links as many as hold the network together, by the numbers of nodes
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

  /** A sensor or a relay. */
  public sealed interface Node {

    /** Where it is, as files have it. */
    Place place();

    /** Where it is in the plane. */
    double x();

    /** Where it is in the plane, northward. */
    double y();

    /** What it is, in a word. */
    String kind();
  }

  /**
   * A sensor.
   *
   * @param group of sensors that are linked without relays, from 0
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
   * @param as why it is where it is
   * @param site the id of the site it stands on, if sites were given
   */
  public record Station(Place place, double x, double y, Relay.Kind as, Optional<String> site)
      implements Node {
    @Override
    public String kind() {
      return switch (as) {
        case STAR -> "star";
        case LINK -> "link";
        case SITE -> "site";
      };
    }
  }

  /**
   * The network of a plan.
   *
   * @param sensors whose field the plan is for
   * @param sites that relays may stand on, if only those
   */
  public static Network of(PlaceList sensors, Optional<PlaceList> sites, RelayPlan plan) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < sensors.places().size(); i++) {
      nodes.add(
          new Sensor(
              sensors.places().get(i), plan.field().x(i), plan.field().y(i), plan.groups().of(i)));
    }
    Map<String, Place> places = new HashMap<>();
    sites.ifPresent(list -> list.places().forEach(place -> places.put(place.id(), place)));
    String prefix = prefix(sensors);
    for (Relay relay : plan.relays()) {
      String id = prefix + (nodes.size() - sensors.places().size() + 1);
      Place place =
          relay
              .site()
              .flatMap(site -> Optional.ofNullable(places.get(site)))
              .map(site -> new Place(id, site.first(), site.second()))
              .orElseGet(() -> place(id, relay, plan.field().projection()));
      nodes.add(new Station(place, relay.x(), relay.y(), relay.kind(), relay.site()));
    }
    return new Network(
        sensors.coordinates(), plan.range(), plan.groups().count(), nodes, plan.links());
  }

  private static Place place(String id, Relay relay, Optional<Projection> projection) {
    return projection
        .map(projected -> {
          double[] degrees = projected.degrees(relay.x(), relay.y());
          return new Place(id, degrees[1], degrees[0]);
        })
        .orElseGet(() -> new Place(id, relay.x(), relay.y()));
  }

  /** What no sensor's id begins with. */
  private static String prefix(PlaceList sensors) {
    String prefix = "relay-";
    while (startsOne(sensors, prefix)) {
      prefix = "new-" + prefix;
    }
    return prefix;
  }

  private static boolean startsOne(PlaceList sensors, String prefix) {
    return sensors.places().stream().anyMatch(place -> place.id().startsWith(prefix));
  }
}
