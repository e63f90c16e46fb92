package io.fieldstone.cli.sensors;

import io.fieldstone.relays.RelayPlan;
import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/**
 * Formats plans as GeoJSON (RFC 7946): a feature for each sensor, each relay and each link. Planar
 * coordinates are kept and marked by a property.
 */
public final class PlanGeoJson {

  private static final double FULL_CIRCLE = 360;

  private final Network network;
  private final JsonGenerator json;

  private PlanGeoJson(Network network, JsonGenerator json) {
    this.network = network;
    this.json = json;
  }

  /** Returns the GeoJSON text with one feature per line. */
  public static String of(Network network) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JsonMapper.shared().createGenerator(text)) {
      new PlanGeoJson(network, json).write();
    }
    return text.append('\n').toString();
  }

  private void write() {
    json.writeStartObject();
    json.writeStringProperty("type", "FeatureCollection");
    json.writeName("properties");
    json.writeStartObject();
    switch (network.coordinates()) {
      case PLANAR ->
          json.writeStringProperty("coordinates", "planar: x and y of the sensors, not degrees");
      case DEGREES ->
          json.writeStringProperty("coordinates", "degrees; range and lengths in metres");
    }
    writeNumber("range", network.range());
    json.writeNumberProperty("components", network.groups());
    json.writeEndObject();
    json.writeName("features");
    json.writeStartArray();
    network.nodes().forEach(this::writeNode);
    network.links().forEach(this::writeLink);
    json.writeRaw('\n');
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeNode(Network.Node node) {
    beginFeature(node.place().id(), node.kind());
    switch (node) {
      case Network.Sensor sensor -> json.writeNumberProperty("component", sensor.group() + 1);
      case Network.Station relay ->
          relay.site().ifPresent(site -> json.writeStringProperty("site", site));
    }
    beginGeometry("Point");
    writePosition(node.place().first(), node.place().second());
    endFeature();
  }

  private void writeLink(RelayPlan.Link link) {
    Place from = network.nodes().get(link.from()).place();
    Place to = network.nodes().get(link.to()).place();
    beginFeature("", "connection");
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
    json.writeRaw('\n');
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
    json.writeNumber(Numbers.text(value));
  }
}
