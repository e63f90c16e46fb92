package io.fieldstone.cli.sensors;

import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Own;
import io.fieldstone.map.PlanGeoJson;
import io.fieldstone.stream.file.FileProblem;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads GeoJSON (RFC 7946): points and multipoints, alone, in a feature or in a collection of
 * features. The id is that of the feature, else its property {@code id}, else a number; or it is a
 * property that the caller names.
 */
final class GeoJsonPlaces {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  /** The parts of a message that name objects of the parser: its source, and its options. */
  private static final Pattern INTERNALS =
      Pattern.compile(" \\([^()]* at \\[Source: [^\\]]*\\]\\)|, from `[^`]*`");

  private static final String POINT = "Point";
  private static final String MULTI_POINT = "MultiPoint";
  private static final String FEATURE = "Feature";
  private static final String COLLECTION = "FeatureCollection";
  private static final String ID = "id";

  /** The place of a geometry outside a collection, for messages. */
  private static final String TOP_LEVEL = "top level";

  private final String name;
  private final Optional<String> idProperty;
  private final Consumer<String> hints;
  private final PlaceList.Builder places;

  /** The kind of the feature. */
  private String kind = "";

  /** The range, height and cost of the feature. */
  private Own own = Own.NONE;

  private int unlocated;
  private String firstUnlocated = "";

  private GeoJsonPlaces(
      String name, ListFormat format, Coordinates coordinates, Consumer<String> hints)
      throws MalformedSensorsException {
    this.name = name;
    this.idProperty = format.id();
    this.hints = hints;
    this.places = new PlaceList.Builder(name, coordinates, format, hints);
  }

  /**
   * Reads a list.
   *
   * @param name the name of the file, for messages
   * @param hints receives a line for places that are left out or far from all others
   */
  static PlaceList read(String name, String text, ListFormat format, Consumer<String> hints)
      throws MalformedSensorsException {
    JsonNode root = parse(name, text);
    if (MeshPlaces.isList(root)) {
      return MeshPlaces.read(name, root, format, hints);
    }
    Coordinates coordinates = new GeoJsonCrs(name, format).coordinates(root);
    return new GeoJsonPlaces(name, format, coordinates, hints).read(root);
  }

  private PlaceList read(JsonNode root) throws MalformedSensorsException {
    String type = root.path("type").asString("");
    switch (type) {
      case COLLECTION -> readCollection(root);
      case FEATURE -> readFeature(root, TOP_LEVEL);
      case POINT, MULTI_POINT -> readGeometry(root, "", TOP_LEVEL);
      default ->
          throw new MalformedSensorsException(
              "not a FeatureCollection, Feature, Point or MultiPoint but type '" + type + "'",
              name);
    }
    if (unlocated > 0 && places.seen() == 0) {
      throw places.malformed("a feature without a geometry", firstUnlocated);
    }
    if (unlocated > 0) {
      hints.accept(
          "%s without a geometry left out, first: %s, %s"
              .formatted(
                  unlocated == 1 ? "1 feature" : unlocated + " features", name, firstUnlocated));
    }
    return places.build();
  }

  private static JsonNode parse(String name, String text) throws MalformedSensorsException {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      String problem =
          e instanceof MismatchedInputException
              ? "text after the end of the value"
              : FileProblem.lowerFirst(INTERNALS.matcher(e.getOriginalMessage()).replaceAll(""));
      throw new MalformedSensorsException("not JSON: " + problem, name + place(e), e);
    }
  }

  private static String place(JacksonException e) {
    TokenStreamLocation at = e.getLocation();
    return at == null ? "" : ", line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
  }

  private void readCollection(JsonNode root) throws MalformedSensorsException {
    JsonNode features = root.path("features");
    if (!features.isArray()) {
      throw new MalformedSensorsException("a FeatureCollection without features", name);
    }
    int number = 1;
    for (JsonNode feature : features) {
      String place = "feature " + number;
      if (!feature.path("type").asString("").equals(FEATURE)) {
        throw places.malformed("not a Feature", place);
      }
      readFeature(feature, place);
      number++;
    }
  }

  private void readFeature(JsonNode feature, String place) throws MalformedSensorsException {
    if (isWithoutPlace(feature)) {
      firstUnlocated = unlocated == 0 ? place : firstUnlocated;
      unlocated++;
      return;
    }
    if (isLinkOfPlan(feature)) {
      return;
    }
    JsonNode ofFeature = feature.path(ID);
    JsonNode id =
        isId(ofFeature) && idProperty.isEmpty()
            ? ofFeature
            : feature.path("properties").path(idProperty.orElse(ID));
    if (idProperty.isPresent() && !isId(id)) {
      throw places.malformed("no property '%s'".formatted(idProperty.get()), place);
    }
    kind = feature.path("properties").path("kind").asString("");
    own =
        places.own(
            "property", name -> text(feature.path("properties"), name), !kind.isEmpty(), place);
    readGeometry(feature.path("geometry"), isId(id) ? id.asString().strip() : "", place);
  }

  /** Returns a property as text, empty if it is null or absent. */
  private static String text(JsonNode properties, String name) {
    JsonNode value = properties.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    return value.isValueNode() ? value.asString() : value.toString();
  }

  /** Returns whether a feature has no place by RFC 7946: a geometry that is null or empty. */
  private static boolean isWithoutPlace(JsonNode feature) {
    JsonNode geometry = feature.path("geometry");
    JsonNode coordinates = geometry.path("coordinates");
    return geometry.isNull() || (coordinates.isArray() && coordinates.isEmpty());
  }

  /** Returns whether a feature is a link of two nodes in a plan, which are features, too. */
  private static boolean isLinkOfPlan(JsonNode feature) {
    return feature.path("properties").path("kind").asString("").equals(PlanGeoJson.CONNECTION)
        && feature.path("geometry").path("type").asString("").equals("LineString");
  }

  private static boolean isId(JsonNode node) {
    return node.isString() || node.isNumber();
  }

  /**
   * Reads points.
   *
   * @param id the id of the feature, or blank
   */
  private void readGeometry(JsonNode geometry, String id, String place)
      throws MalformedSensorsException {
    JsonNode coordinates = geometry.path("coordinates");
    switch (geometry.path("type").asString("")) {
      case POINT -> add(id, coordinates, place);
      case MULTI_POINT -> {
        if (!coordinates.isArray()) {
          throw places.malformed("a MultiPoint without coordinates", place);
        }
        int point = 1;
        for (JsonNode each : coordinates) {
          boolean isNumbered = !id.isBlank() && coordinates.size() > 1;
          add(isNumbered ? id + "-" + point : id, each, place);
          point++;
        }
      }
      case "" -> throw places.malformed("a feature without a geometry", place);
      case String other ->
          throw places.malformed("a %s, not a Point or MultiPoint".formatted(other), place);
    }
  }

  private void add(String id, JsonNode position, String place) throws MalformedSensorsException {
    if (!position.isArray() || !position.path(0).isNumber() || !position.path(1).isNumber()) {
      throw places.malformed(
          "coordinates %s are not two numbers".formatted(excerpt(position)), place);
    }
    places.add(
        id.isBlank() ? Integer.toString(places.seen() + 1) : id,
        number(position.path(0)),
        number(position.path(1)),
        kind,
        own,
        place);
  }

  /** Returns the value of a number, infinite if it is too large. */
  private static double number(JsonNode node) {
    return node.isBigInteger() ? node.bigIntegerValue().doubleValue() : node.asDouble();
  }

  private static String excerpt(JsonNode node) {
    return node.isMissingNode() ? "(none)" : Excerpt.of(node.toString());
  }
}
