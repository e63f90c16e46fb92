package io.fieldstone.cli.sensors;

import io.fieldstone.map.Coordinates;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * Reads node lists of mesh networks in JSON: of Meshtastic ({@code nodes.json}, with integers of
 * 10⁻⁷ degrees), MeshCore ({@code adv_lat}), AREDN ({@code sysinfo.json}) and Freifunk ({@code
 * meshviewer.json}). Nodes without a place are left out.
 */
final class MeshPlaces {

  private static final List<String> LATITUDES =
      List.of("latitude", "lat", "adv_lat", "latitudeI", "latitude_i");
  private static final List<String> LONGITUDES =
      List.of("longitude", "lon", "adv_lon", "longitudeI", "longitude_i");

  /** The objects that may contain the place of a node. */
  private static final List<String> LOCATIONS =
      List.of("", "/location", "/position", "/nodeinfo/location");

  private static final List<String> IDS =
      List.of("/node_id", "/nodeId", "/nodeinfo/node_id", "/id", "/user/id", "/public_key");

  /** The fields that name a node without an id and without a key in the list. */
  private static final List<String> NAMES =
      List.of("/node", "/hostname", "/name", "/adv_name", "/longName", "/long_name");

  private static final double INTEGER_UNITS = 1e7;
  private static final double RIGHT_ANGLE = 90;
  private static final double FULL_CIRCLE = 360;

  private final String name;
  private final ListFormat format;
  private final Consumer<String> hints;
  private final PlaceList.Builder places;
  private int number;
  private int unlocated;
  private String firstUnlocated = "";

  private MeshPlaces(String name, ListFormat format, Consumer<String> hints)
      throws MalformedSensorsException {
    this.name = name;
    this.format = format;
    this.hints = hints;
    this.places = new PlaceList.Builder(name, Coordinates.DEGREES, format, hints);
  }

  /** Returns whether a value may be such a list: an array, or an object that is no GeoJSON. */
  static boolean isList(JsonNode root) {
    return root.isArray() || (root.isObject() && !root.has("type"));
  }

  static PlaceList read(String name, JsonNode root, ListFormat format, Consumer<String> hints)
      throws MalformedSensorsException {
    return new MeshPlaces(name, format, hints).read(root);
  }

  private PlaceList read(JsonNode root) throws MalformedSensorsException {
    JsonNode list = root.has("nodes") ? root.path("nodes") : root;
    if (list.isObject() && place(list).isPresent()) {
      add("", list);
    } else if (list.isObject()) {
      for (var entry : list.properties()) {
        if (entry.getValue().isObject()) {
          add(entry.getKey(), entry.getValue());
        }
      }
    } else {
      for (JsonNode node : list) {
        add("", node);
      }
    }
    if (places.seen() == 0) {
      throw new MalformedSensorsException(
          "JSON that is neither GeoJSON nor a list of nodes with places (Meshtastic, MeshCore,"
              + " AREDN, Freifunk)"
              + (unlocated == 0
                  ? ""
                  : "; none of %d nodes has latitude and longitude, the first is %s"
                      .formatted(unlocated, firstUnlocated)),
          name);
    }
    if (unlocated > 0) {
      hints.accept(
          "%s without a place left out, first: %s, %s"
              .formatted(unlocated == 1 ? "1 node" : unlocated + " nodes", name, firstUnlocated));
    }
    return places.build();
  }

  /** The latitude and longitude of a node. */
  private record Location(double latitude, double longitude) {}

  private static Optional<Location> place(JsonNode node) {
    for (String pointer : LOCATIONS) {
      JsonNode at = node.at(pointer);
      OptionalDouble latitude = number(at, LATITUDES);
      OptionalDouble longitude = number(at, LONGITUDES);
      if (latitude.isPresent() && longitude.isPresent()) {
        double first = latitude.getAsDouble();
        double second = longitude.getAsDouble();
        boolean areWhole = first == Math.rint(first) && second == Math.rint(second);
        boolean areUnits =
            areWhole && (Math.abs(first) > RIGHT_ANGLE || Math.abs(second) > FULL_CIRCLE);
        double units = areUnits ? INTEGER_UNITS : 1;
        return Optional.of(new Location(first / units, second / units));
      }
    }
    return Optional.empty();
  }

  /** Returns the first number with one of some names; AREDN has text. */
  private static OptionalDouble number(JsonNode node, List<String> names) {
    for (String each : names) {
      JsonNode value = node.path(each);
      if (value.isNumber()) {
        return OptionalDouble.of(value.asDouble());
      }
      if (value.isString() && Numbers.parse(value.asString().strip()).isPresent()) {
        return Numbers.parse(value.asString().strip());
      }
    }
    return OptionalDouble.empty();
  }

  private void add(String key, JsonNode node) throws MalformedSensorsException {
    number++;
    String at = "node " + number + (key.isEmpty() ? "" : " '" + Excerpt.of(key) + "'");
    Optional<Location> location = place(node);
    if (location.isEmpty()) {
      firstUnlocated = unlocated == 0 ? at : firstUnlocated;
      unlocated++;
      return;
    }
    places.add(id(key, node, at), location.get().longitude(), location.get().latitude(), at);
  }

  private String id(String key, JsonNode node, String at) throws MalformedSensorsException {
    if (format.id().isPresent()) {
      JsonNode named = node.findPath(format.id().get());
      if (!named.isString() && !named.isNumber()) {
        throw places.malformed("no member '%s'".formatted(format.id().get()), at);
      }
      return named.asString().strip();
    }
    Optional<String> id = text(node, IDS);
    return id.orElseGet(
        () -> key.isBlank() ? text(node, NAMES).orElse(Integer.toString(number)) : key);
  }

  /** Returns the first text or number that is not blank. */
  private static Optional<String> text(JsonNode node, List<String> pointers) {
    return pointers.stream()
        .map(node::at)
        .filter(value -> (value.isString() && !value.asString().isBlank()) || value.isNumber())
        .map(value -> value.asString().strip())
        .findFirst();
  }
}
