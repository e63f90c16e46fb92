package io.fieldstone.cli.sensors;

import io.fieldstone.chart.drawing.DecimalText;
import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Network;
import io.fieldstone.map.Place;
import io.fieldstone.map.Quantity;
import io.fieldstone.relays.RelayPlan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Formats plans in degrees as KML (OGC 12-007r2): folders of sensors, relays and links. */
public final class PlanKml {

  /** The colours of kinds: AABBGGRR. */
  private static final Map<String, String> COLOURS =
      Map.of(
          "sensor",
          "ffb27200",
          "star",
          "ff0000d4",
          "link",
          "ff1a1a1a",
          "site",
          "ff862a5b",
          "existing",
          "ff7a7000");

  private static final double FULL_CIRCLE = 360;

  private PlanKml() {}

  /**
   * Returns the KML text in UTF-8.
   *
   * @throws IllegalArgumentException if the network is in a plane
   */
  public static byte[] of(Network network) {
    if (network.coordinates() == Coordinates.PLANAR) {
      throw new IllegalArgumentException("KML has degrees, and these sensors have x and y");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      XMLStreamWriter xml =
          XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(bytes, "UTF-8");
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeCharacters("\n");
      xml.writeStartElement("kml");
      xml.writeDefaultNamespace("http://www.opengis.net/kml/2.2");
      xml.writeStartElement("Document");
      for (String kind : List.of("sensor", "star", "link", "site", "existing")) {
        xml.writeStartElement("Style");
        xml.writeAttribute("id", kind);
        xml.writeStartElement("IconStyle");
        element(xml, "color", COLOURS.getOrDefault(kind, ""));
        element(xml, "scale", kind.equals("sensor") ? "0.6" : "0.9");
        xml.writeEndElement();
        xml.writeEndElement();
      }
      for (boolean isSensor : new boolean[] {true, false}) {
        xml.writeStartElement("Folder");
        element(xml, "name", isSensor ? "sensors" : "relays");
        for (Network.Node node : network.nodes()) {
          if (node instanceof Network.Sensor == isSensor) {
            write(xml, node);
          }
        }
        xml.writeEndElement();
      }
      xml.writeStartElement("Folder");
      element(xml, "name", "links");
      for (RelayPlan.Link link : network.links()) {
        write(
            xml, network.nodes().get(link.from()).place(), network.nodes().get(link.to()).place());
      }
      xml.writeEndElement();
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }

  /** Returns the KML in an archive. */
  public static byte[] archive(Network network) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes, StandardCharsets.UTF_8)) {
      ZipEntry entry = new ZipEntry("doc.kml");
      entry.setTime(0); // the same plan has the same bytes
      zip.putNextEntry(entry);
      zip.write(of(network));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(XMLStreamWriter xml, Network.Node node) throws XMLStreamException {
    xml.writeCharacters("\n");
    xml.writeStartElement("Placemark");
    element(xml, "name", node.place().id());
    element(xml, "styleUrl", "#" + node.kind());
    xml.writeStartElement("ExtendedData");
    data(xml, "kind", node.kind());
    for (Quantity quantity : Quantity.values()) {
      double value = node.place().own().get(quantity);
      if (!Double.isNaN(value)) {
        data(xml, quantity.title(), DecimalText.of(value));
      }
    }
    xml.writeEndElement();
    xml.writeStartElement("Point");
    element(xml, "coordinates", position(node.place().first(), node.place()));
    xml.writeEndElement();
    xml.writeEndElement();
  }

  private static void data(XMLStreamWriter xml, String name, String value)
      throws XMLStreamException {
    xml.writeStartElement("Data");
    xml.writeAttribute("name", name);
    element(xml, "value", value);
    xml.writeEndElement();
  }

  private static void write(XMLStreamWriter xml, Place from, Place to) throws XMLStreamException {
    // The short way across the antimeridian.
    double longitude =
        to.first() - FULL_CIRCLE * Math.rint((to.first() - from.first()) / FULL_CIRCLE);
    xml.writeCharacters("\n");
    xml.writeStartElement("Placemark");
    xml.writeStartElement("LineString");
    element(xml, "coordinates", position(from.first(), from) + " " + position(longitude, to));
    xml.writeEndElement();
    xml.writeEndElement();
  }

  private static String position(double longitude, Place place) {
    return DecimalText.of(longitude) + "," + DecimalText.of(place.second());
  }

  /** Writes an element with text, whose characters that XML excludes are replaced. */
  private static void element(XMLStreamWriter xml, String name, String text)
      throws XMLStreamException {
    xml.writeStartElement(name);
    xml.writeCharacters(
        text.replaceAll("[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\p{Cs}\\x{FFFE}\\x{FFFF}]", "\uFFFD"));
    xml.writeEndElement();
  }
}
