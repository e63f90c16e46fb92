package io.fieldstone.cli.relays;

import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.cli.sensors.MalformedSensorsException;
import io.fieldstone.cli.sensors.PlaceList;
import io.fieldstone.engine.Engine;
import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Place;
import io.fieldstone.relays.NetworkCheck;
import io.fieldstone.relays.SensorField;
import java.util.List;

/** The result of {@code fieldstone relays --check}: the weak points of an existing network. */
record RelaysCheck(
    PlaceList list, double range, NetworkCheck check, double seconds, String engine) {

  /** The number of parts and of failures that are printed as text; JSON has all. */
  private static final int MAX_LINES = 10;

  private static final double NS_PER_SECOND = 1e9;

  private record JsonPart(String first, int nodes) {}

  private record JsonFailure(String id, String kind, int parts, int separated) {}

  private record Json(
      int nodes,
      long sensors,
      long relays,
      String coordinates,
      double range,
      long links,
      List<JsonPart> parts,
      List<JsonFailure> failures,
      double seconds,
      String engine) {}

  /** Checks the nodes of a list. */
  static RelaysCheck of(Session session, Engine engine, PlaceList list, double range)
      throws MalformedSensorsException {
    long start = System.nanoTime();
    // A plan was made in the projection around its sensors, where its links are at most R long.
    List<Place> sensors = list.places().stream().filter(Place::isSensor).toList();
    boolean isPlan = !sensors.isEmpty() && sensors.size() < list.places().size();
    PlaceList centre = isPlan ? new PlaceList(list.name(), sensors, list.coordinates()) : list;
    SensorField field = isPlan ? list.alongside(centre, centre.field()) : list.field();
    NetworkCheck check;
    try {
      check = NetworkCheck.of(engine, field, range);
    } catch (IllegalArgumentException e) {
      throw session.usage("--range: " + e.getMessage());
    }
    double seconds = (System.nanoTime() - start) / NS_PER_SECOND;
    return new RelaysCheck(list, range, check, seconds, engine.description());
  }

  private long sensors() {
    return list.places().stream().filter(Place::isSensor).count();
  }

  /** Returns the report as {@code --json} prints it. */
  Object json() {
    List<Place> places = list.places();
    return new Json(
        places.size(),
        sensors(),
        places.size() - sensors(),
        list.coordinates() == Coordinates.DEGREES ? "degrees" : "planar",
        range,
        check.links(),
        check.parts().stream()
            .map(part -> new JsonPart(places.get(part.first()).id(), part.nodes()))
            .toList(),
        check.failures().stream()
            .map(failure ->
                new JsonFailure(
                    places.get(failure.node()).id(),
                    places.get(failure.node()).isSensor() ? "sensor" : "relay",
                    failure.parts(),
                    failure.separated()))
            .toList(),
        seconds,
        engine);
  }

  /** Returns the report as text. */
  String text() {
    TextTable table = new TextTable().text("").text("");
    int nodes = list.places().size();
    table.row(
        "nodes",
        "%s: %s sensors, %s relays"
            .formatted(Units.count(nodes), Units.count(sensors()), Units.count(nodes - sensors())));
    table.row(
        "range", Units.plain(range) + (list.coordinates() == Coordinates.DEGREES ? " m" : ""));
    table.row("links", Units.count(check.links()));
    table.row("parts", Units.count(check.parts().size()));
    if (check.parts().size() > 1) {
      check.parts().stream()
          .limit(MAX_LINES)
          .forEach(part ->
              table.row(
                  "", "%s nodes with '%s'".formatted(Units.count(part.nodes()), id(part.first()))));
      more(table, check.parts().size());
    }
    table.row("failures", Units.count(check.failures().size()) + " single points of failure");
    check.failures().stream()
        .limit(MAX_LINES)
        .forEach(failure ->
            table.row(
                "",
                "without '%s': %s parts, %s nodes cut off"
                    .formatted(
                        id(failure.node()),
                        Units.count(failure.parts()),
                        Units.count(failure.separated()))));
    more(table, check.failures().size());
    table.row("time", Units.duration((long) (seconds * NS_PER_SECOND)));
    return table.toString();
  }

  private static void more(TextTable table, int lines) {
    if (lines > MAX_LINES) {
      table.row("", "and %s more".formatted(Units.count(lines - MAX_LINES)));
    }
  }

  private String id(int node) {
    return list.places().get(node).id();
  }
}
