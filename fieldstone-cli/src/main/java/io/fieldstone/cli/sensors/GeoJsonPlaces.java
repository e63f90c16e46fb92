package io.fieldstone.cli.sensors;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads GeoJSON (RFC 7946): points and multipoints, bare, in features or in a collection of
 * features. The id is that of the feature, else its property of that name, else a number.
 */
final class GeoJsonPlaces {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private static final String POINT = "Point";
  private static final String MULTI_POINT = "MultiPoint";
  private static final String FEATURE = "Feature";
  private static final String COLLECTION = "FeatureCollection";
  private static final String ID = "id";

  /** Where something stands that is not in a collection. */
  private static final String ALONE = "at its beginning";

  private final String name;
  private final PlaceList.Builder places;

  GeoJsonPlaces(String name, Coordinates coordinates) {
    this.name = name;
    this.places = new PlaceList.Builder(name, coordinates);
  }

  PlaceList read(String text) throws MalformedSensorsException {
    JsonNode root = parse(text);
    String type = root.path("type").asString("");
    switch (type) {
      case COLLECTION -> readCollection(root);
      case FEATURE -> readFeature(root, ALONE);
      case POINT, MULTI_POINT -> readGeometry(root, "", ALONE);
      default ->
          throw new MalformedSensorsException(
              "no FeatureCollection, Feature, Point or MultiPoint, but type '" + type + "'", name);
    }
    return places.build();
  }

  private JsonNode parse(String text) throws MalformedSensorsException {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      String line = e.getLocation() == null ? "" : ", line " + e.getLocation().getLineNr();
      throw new MalformedSensorsException("not JSON: " + e.getOriginalMessage(), name + line, e);
    }
  }

  private void readCollection(JsonNode root) throws MalformedSensorsException {
    JsonNode features = root.path("features");
    if (!features.isArray()) {
      throw new MalformedSensorsException("a FeatureCollection without features", name);
    }
    int number = 1;
    for (JsonNode feature : features) {
      String where = "feature " + number;
      if (!feature.path("type").asString("").equals(FEATURE)) {
        throw places.malformed("not a Feature", where);
      }
      readFeature(feature, where);
      number++;
    }
  }

  private void readFeature(JsonNode feature, String where) throws MalformedSensorsException {
    JsonNode own = feature.path(ID);
    JsonNode id = isId(own) ? own : feature.path("properties").path(ID);
    readGeometry(feature.path("geometry"), isId(id) ? id.asString().strip() : "", where);
  }

  private static boolean isId(JsonNode node) {
    return node.isString() || node.isNumber();
  }

  /**
   * Reads points.
   *
   * @param id of the feature, or blank
   */
  private void readGeometry(JsonNode geometry, String id, String where)
      throws MalformedSensorsException {
    JsonNode coordinates = geometry.path("coordinates");
    switch (geometry.path("type").asString("")) {
      case POINT -> add(id, coordinates, where);
      case MULTI_POINT -> {
        if (!coordinates.isArray()) {
          throw places.malformed("a MultiPoint without coordinates", where);
        }
        int point = 1;
        for (JsonNode each : coordinates) {
          boolean isNumbered = !id.isBlank() && coordinates.size() > 1;
          add(isNumbered ? id + "-" + point : id, each, where);
          point++;
        }
      }
      case "" -> throw places.malformed("a feature without a place", where);
      case String other ->
          throw places.malformed("a %s, not a Point or MultiPoint".formatted(other), where);
    }
  }

  private void add(String id, JsonNode position, String where) throws MalformedSensorsException {
    if (!position.isArray() || !position.path(0).isNumber() || !position.path(1).isNumber()) {
      throw places.malformed(
          "coordinates %s are not two numbers".formatted(excerpt(position)), where);
    }
    places.add(
        id.isBlank() ? Integer.toString(places.size() + 1) : id,
        number(position.path(0)),
        number(position.path(1)),
        where);
  }

  /** A number, infinite if it is too large for any. */
  private static double number(JsonNode node) {
    return node.isBigInteger() ? node.bigIntegerValue().doubleValue() : node.asDouble();
  }

  private static String excerpt(JsonNode node) {
    return node.isMissingNode() ? "(none)" : Excerpt.of(node.toString());
  }
}
