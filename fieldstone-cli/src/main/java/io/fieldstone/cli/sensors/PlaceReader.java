package io.fieldstone.cli.sensors;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads lists of sensors, or of sites for relays: CSV, or GeoJSON if it begins as JSON does. */
public final class PlaceReader {

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private PlaceReader() {}

  /**
   * Reads a list in UTF-8.
   *
   * @param name of the file, for errors
   * @param geoJson what the coordinates of GeoJSON are: degrees by RFC 7946
   * @throws MalformedSensorsException if it is none, or empty
   */
  public static PlaceList read(String name, byte[] bytes, Coordinates geoJson)
      throws MalformedSensorsException {
    String text = text(name, bytes);
    if (text.isBlank()) {
      throw new MalformedSensorsException("no sensors in an empty file", name);
    }
    char first = text.stripLeading().charAt(0);
    return first == '{' || first == '['
        ? new GeoJsonPlaces(name, geoJson).read(text)
        : CsvPlaces.read(name, text);
  }

  private static String text(String name, byte[] bytes) throws MalformedSensorsException {
    try {
      // Unlike a String's constructor, a decoder refuses what is not UTF-8.
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new MalformedSensorsException("not a text file in UTF-8", name, e);
    }
  }
}
