package io.fieldstone.cli.sensors;

import io.fieldstone.map.Coordinates;
import io.fieldstone.map.PlanGeoJson;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Finds out which coordinates a GeoJSON text has. By RFC 7946 they are degrees of WGS 84. Texts by
 * the specification of 2008 may name another system in the member {@code crs}, and plans of this
 * program say what they have.
 */
final class GeoJsonCrs {

  private static final String CRS = "crs";
  private static final String WGS_84 = "4326";

  /** Longitude and latitude of WGS 84, as a URN or as a URL. */
  private static final Pattern CRS_84 =
      Pattern.compile("(?i)(?:.*\\b)?OGC[:/](?:[0-9.]*[:/])?CRS84");

  /** A code of the EPSG register, as a URN, as a URL or alone; its first group is the code. */
  private static final Pattern EPSG =
      Pattern.compile("(?i)(?:.*\\b)?EPSG[:/](?:[0-9.]*[:/])?([0-9]+)");

  private final String name;
  private final ListFormat format;

  /**
   * Makes a finder.
   *
   * @param name the name of the file, for messages
   */
  GeoJsonCrs(String name, ListFormat format) {
    this.name = name;
    this.format = format;
  }

  /**
   * Returns the kind of coordinates.
   *
   * @throws MalformedSensorsException if the options contradict the text, or it names a system that
   *     needs an option
   */
  Coordinates coordinates(JsonNode root) throws MalformedSensorsException {
    if (root.has(CRS)) {
      requireReadable(root.path(CRS));
    }
    boolean isPlanar = format.crs().isPresent() || format.geoJson() == Coordinates.PLANAR;
    JsonNode properties = root.path("properties");
    String ofPlan =
        properties.path(PlanGeoJson.RANGE).isNumber()
            ? properties.path(PlanGeoJson.COORDINATES).asString("")
            : "";
    if (isPlanar && ofPlan.startsWith(PlanGeoJson.DEGREES)) {
      throw new MalformedSensorsException(
          "a plan in degrees, which excludes --crs and --planar", name);
    }
    return isPlanar || ofPlan.startsWith(PlanGeoJson.PLANAR)
        ? Coordinates.PLANAR
        : Coordinates.DEGREES;
  }

  private void requireReadable(JsonNode crs) throws MalformedSensorsException {
    String system = crs.path("properties").path("name").asString("");
    String code = code(system);
    if (format.crs().isPresent()) {
      String asked = code(format.crs().get().toString());
      if (!code.isEmpty() && !asked.isEmpty() && !code.equals(asked)) {
        throw new MalformedSensorsException(
            "its crs is %s, not --crs %s".formatted(Excerpt.of(system), format.crs().get()), name);
      }
    } else if (format.geoJson() == Coordinates.DEGREES && !code.equals(WGS_84)) {
      throw new MalformedSensorsException(
          code.isEmpty()
              ? "its crs %s is unknown; --crs or --planar says what the coordinates are"
                  .formatted(Excerpt.of(crs.toString()))
              : "its crs is %s, not degrees of WGS 84; --crs EPSG:%s reads it"
                  .formatted(Excerpt.of(system), code),
          name);
    }
  }

  /** Returns the code of a system in the EPSG register; empty if it is not known. */
  private static String code(String system) {
    if (CRS_84.matcher(system).matches()) {
      return WGS_84;
    }
    if (system.matches("[0-9]+")) {
      return system;
    }
    Matcher epsg = EPSG.matcher(system);
    return epsg.matches() ? epsg.group(1) : "";
  }
}
