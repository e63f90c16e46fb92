package io.fieldstone.cli.sensors;

import io.fieldstone.map.Coordinates;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads KML (OGC 12-007r2): the placemarks with a point. The id is the name, with a number after it
 * from the second of a name on. Extended data have the kind of node of a plan, range, height and
 * cost. Lines and polygons are left out.
 */
final class KmlPlaces {

  /** The maximum length of the KML in a KMZ, which may be compressed a thousand times. */
  private static final int MAX_BYTES = 1 << 28;

  private static final byte[] ZIP = {'P', 'K', 3, 4};

  private final String name;
  private final Consumer<String> hints;
  private final PlaceList.Builder places;
  private final Map<String, Integer> names = new HashMap<>();

  /** The placemark that is being read. */
  private String title = "";

  private String point = "";

  /** The extended data of the placemark, by names in lower case. */
  private final Map<String, String> data = new HashMap<>();

  private String nameOfData = "";
  private int line;
  private int depthOfPoint;
  private int left;
  private String firstLeft = "";

  private KmlPlaces(String name, ListFormat format, Consumer<String> hints)
      throws MalformedSensorsException {
    this.name = name;
    this.hints = hints;
    this.places = new PlaceList.Builder(name, Coordinates.DEGREES, format, hints);
  }

  /** Returns whether bytes are a ZIP archive, such as KMZ. */
  static boolean isZip(byte[] bytes) {
    return bytes.length >= ZIP.length && Arrays.equals(bytes, 0, ZIP.length, ZIP, 0, ZIP.length);
  }

  /** Returns the KML in a KMZ: the first file with this ending. */
  static byte[] ofArchive(String name, byte[] bytes) throws MalformedSensorsException {
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().toLowerCase(Locale.ROOT).endsWith(".kml")) {
          byte[] kml = zip.readNBytes(MAX_BYTES);
          if (kml.length == MAX_BYTES) {
            throw new MalformedSensorsException(
                "KMZ with more than %,d bytes of KML".formatted(MAX_BYTES), name);
          }
          return kml;
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new MalformedSensorsException("not KMZ: " + e.getMessage(), name, e);
    }
    throw new MalformedSensorsException("a ZIP archive without a file that ends in .kml", name);
  }

  /** Reads a list. */
  static PlaceList read(String name, String text, ListFormat format, Consumer<String> hints)
      throws MalformedSensorsException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    try {
      XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(text));
      return new KmlPlaces(name, format, hints).read(xml);
    } catch (XMLStreamException e) {
      String place = e.getLocation() == null ? "" : ", line " + e.getLocation().getLineNumber();
      throw new MalformedSensorsException("not KML: malformed XML", name + place, e);
    }
  }

  private PlaceList read(XMLStreamReader xml) throws XMLStreamException, MalformedSensorsException {
    boolean isPlacemark = false;
    int depth = 0;
    while (xml.hasNext()) {
      int event = xml.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        depth++;
        String element = xml.getLocalName();
        if (depth == 1 && !element.equals("kml")) {
          throw new MalformedSensorsException(
              "XML of '%s', not KML".formatted(Excerpt.of(element)), name);
        }
        if (element.equals("Placemark")) {
          isPlacemark = true;
          title = "";
          point = "";
          data.clear();
          line = xml.getLocation().getLineNumber();
        } else if (isPlacemark && element.equals("name")) {
          title = xml.getElementText().strip();
          depth--;
        } else if (isPlacemark && element.equals("Data")) {
          nameOfData = nameOfData(xml);
        } else if (isPlacemark && element.equals("value")) {
          data.put(nameOfData, xml.getElementText().strip());
          depth--;
        } else if (isPlacemark && element.equals("SimpleData")) {
          nameOfData = nameOfData(xml);
          data.put(nameOfData, xml.getElementText().strip());
          depth--;
        } else if (isPlacemark && element.equals("Point")) {
          depthOfPoint = depth;
        } else if (isPlacemark && depthOfPoint > 0 && element.equals("coordinates")) {
          point = xml.getElementText().strip();
          depth--;
        }
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        if (depth == depthOfPoint) {
          depthOfPoint = 0;
        }
        depth--;
        if (xml.getLocalName().equals("Placemark")) {
          isPlacemark = false;
          endPlacemark();
        }
      }
    }
    if (left > 0) {
      hints.accept(
          "%s without a point left out, such as lines and polygons, first %s: %s"
              .formatted(left == 1 ? "1 placemark" : left + " placemarks", firstLeft, name));
    }
    return places.build();
  }

  private static String nameOfData(XMLStreamReader xml) {
    String attribute = xml.getAttributeValue(null, "name");
    return attribute == null ? "" : attribute.strip().toLowerCase(Locale.ROOT);
  }

  private void endPlacemark() throws MalformedSensorsException {
    String place = "line " + line;
    if (point.isEmpty()) {
      firstLeft = left == 0 ? place : firstLeft;
      left++;
      return;
    }
    String[] numbers = point.split(",", -1);
    if (numbers.length < 2
        || Numbers.parse(numbers[0].strip()).isEmpty()
        || Numbers.parse(numbers[1].strip()).isEmpty()) {
      throw places.malformed(
          "the point '%s' is not longitude,latitude".formatted(Excerpt.of(point)), place);
    }
    String id = title.isEmpty() ? Integer.toString(places.seen() + 1) : title;
    int same = names.merge(id, 1, Integer::sum);
    places.add(
        same == 1 ? id : id + "-" + same,
        Numbers.parse(numbers[0].strip()).getAsDouble(),
        Numbers.parse(numbers[1].strip()).getAsDouble(),
        data.getOrDefault("kind", ""),
        places.own("data", name -> data.getOrDefault(name, ""), data.containsKey("kind"), place),
        place);
  }
}
