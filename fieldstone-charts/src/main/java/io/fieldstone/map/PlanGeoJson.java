package io.fieldstone.map;

import io.fieldstone.chart.drawing.DecimalText;
import io.fieldstone.relays.RelayPlan;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Formats plans as GeoJSON (RFC 7946): a feature for each sensor, each relay and each link. Planar
 * coordinates are kept and marked by a property.
 */
public final class PlanGeoJson {

  /** The property of a collection that names the kind of coordinates. */
  public static final String COORDINATES = "coordinates";

  /** The property of a collection that has the range. */
  public static final String RANGE = "range";

  /** The first word of {@link #COORDINATES} for x and y. */
  public static final String PLANAR = "planar";

  /** The first word of {@link #COORDINATES} for degrees. */
  public static final String DEGREES = "degrees";

  /** The kind of a link. */
  public static final String CONNECTION = "connection";

  private static final double FULL_CIRCLE = 360;

  /** Writes parts of a collection: features with commas between them, without the end. */
  private static final JsonMapper JSON =
      JsonMapper.builder(JsonFactory.builder().rootValueSeparator(",").build())
          .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
          .build();

  private final Network network;
  private final JsonGenerator json;

  private PlanGeoJson(Network network, JsonGenerator json) {
    this.network = network;
    this.json = json;
  }

  /** Returns the GeoJSON text with one feature per line. */
  public static String text(Network network) {
    StringBuilder text = new StringBuilder();
    of(network, 1).forEach(part -> text.append(new String(part, StandardCharsets.UTF_8)));
    return text.toString();
  }

  /**
   * Returns the parts of the GeoJSON text of a large network with one feature per line, in UTF-8.
   *
   * @param threads the maximum number of threads
   */
  public static List<byte[]> of(Network network, int threads) {
    int nodes = network.nodes().size();
    int features = nodes + network.links().size();
    return TextParts.of(
        features,
        threads,
        (from, to, text) -> {
          try (JsonGenerator json = JSON.createGenerator(text)) {
            PlanGeoJson part = new PlanGeoJson(network, json);
            if (from == 0) {
              part.beginCollection();
            }
            for (int i = from; i < to; i++) {
              // The generator of a later part knows no feature before its first one.
              json.writeRaw(i == from && from > 0 ? "\n," : "\n");
              if (i < nodes) {
                part.writeNode(network.nodes().get(i));
              } else {
                part.writeLink(network.links().get(i - nodes));
              }
            }
          }
          if (to == features) {
            text.append("\n]}\n");
          }
        });
  }

  /** Begins the collection, up to its features. */
  private void beginCollection() {
    json.writeStartObject();
    json.writeStringProperty("type", "FeatureCollection");
    json.writeName("properties");
    json.writeStartObject();
    switch (network.coordinates()) {
      case PLANAR ->
          json.writeStringProperty(COORDINATES, PLANAR + ": x and y of the sensors, not degrees");
      case DEGREES ->
          json.writeStringProperty(COORDINATES, DEGREES + "; range and lengths in metres");
    }
    writeNumber(RANGE, network.range());
    json.writeNumberProperty("components", network.groups());
    json.writeEndObject();
    json.writeName("features");
    json.writeStartArray();
  }

  private void writeNode(Network.Node node) {
    beginFeature(node.place().id(), node.kind());
    switch (node) {
      case Network.Sensor sensor -> json.writeNumberProperty("component", sensor.group() + 1);
      case Network.Station relay ->
          relay.site().ifPresent(site -> json.writeStringProperty("site", site));
    }
    for (Quantity quantity : Quantity.values()) {
      double value = node.place().own().get(quantity);
      if (!Double.isNaN(value)) {
        writeNumber(quantity.title(), value);
      }
    }
    beginGeometry("Point");
    writePosition(node.place().first(), node.place().second());
    endFeature();
  }

  private void writeLink(RelayPlan.Link link) {
    Place from = network.nodes().get(link.from()).place();
    Place to = network.nodes().get(link.to()).place();
    beginFeature("", CONNECTION);
    json.writeStringProperty("from", from.id());
    json.writeStringProperty("to", to.id());
    writeNumber("length", link.length());
    beginGeometry("LineString");
    json.writeStartArray();
    writePosition(from.first(), from.second());
    writePosition(unwrapped(to.first(), from.first()), to.second());
    json.writeEndArray();
    endFeature();
  }

  /**
   * Returns a longitude within 180 degrees of another, so that a line takes the short way round.
   */
  private double unwrapped(double longitude, double from) {
    return network.coordinates() == Coordinates.DEGREES
        ? longitude - FULL_CIRCLE * Math.rint((longitude - from) / FULL_CIRCLE)
        : longitude;
  }

  /** Begins a feature, up to its first properties. */
  private void beginFeature(String id, String kind) {
    json.writeStartObject();
    json.writeStringProperty("type", "Feature");
    if (!id.isEmpty()) {
      json.writeStringProperty("id", id);
    }
    json.writeName("properties");
    json.writeStartObject();
    if (!id.isEmpty()) {
      json.writeStringProperty("id", id);
    }
    json.writeStringProperty("kind", kind);
  }

  private void beginGeometry(String type) {
    json.writeEndObject();
    json.writeName("geometry");
    json.writeStartObject();
    json.writeStringProperty("type", type);
    json.writeName("coordinates");
  }

  private void endFeature() {
    json.writeEndObject();
    json.writeEndObject();
  }

  private void writePosition(double first, double second) {
    json.writeStartArray();
    writeNumber(first);
    writeNumber(second);
    json.writeEndArray();
  }

  private void writeNumber(String name, double value) {
    json.writeName(name);
    writeNumber(value);
  }

  /** Writes a number in its shortest exact form. */
  private void writeNumber(double value) {
    json.writeNumber(DecimalText.of(value));
  }
}
