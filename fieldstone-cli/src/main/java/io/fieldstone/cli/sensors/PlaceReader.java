package io.fieldstone.cli.sensors;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads lists of sensors, or of sites for relays: CSV, or GeoJSON if it begins as JSON does. */
public final class PlaceReader {

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final Coordinates geoJson;
  private final Optional<Columns> columns;

  /**
   * A reader, which any threads may use.
   *
   * @param geoJson what the coordinates of GeoJSON are: degrees by RFC 7946
   * @param columns of CSV that have the coordinates; if empty, those of the usual names
   */
  public PlaceReader(Coordinates geoJson, Optional<Columns> columns) {
    this.geoJson = geoJson;
    this.columns = columns;
  }

  /**
   * Reads a list in UTF-8.
   *
   * @param name of the file, for errors
   * @throws MalformedSensorsException if it is none, or empty
   */
  public PlaceList read(String name, byte[] bytes) throws MalformedSensorsException {
    String text = text(name, bytes);
    if (text.isBlank()) {
      throw new MalformedSensorsException("no sensors in an empty file", name);
    }
    char first = text.stripLeading().charAt(0);
    return first == '{' || first == '['
        ? new GeoJsonPlaces(name, geoJson).read(text)
        : CsvPlaces.read(name, text, columns);
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
