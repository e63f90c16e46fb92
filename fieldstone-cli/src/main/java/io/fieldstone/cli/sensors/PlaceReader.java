package io.fieldstone.cli.sensors;

import io.fieldstone.cli.sqlite.Sqlite;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Reads lists of sensors, or of sites for relays: GeoJSON or the list of a mesh network if the text
 * begins with a brace or bracket, KML if it is XML, else CSV. KMZ is a ZIP archive with KML, and
 * GeoPackage a database of SQLite.
 */
public final class PlaceReader {

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final ListFormat format;
  private final Consumer<String> hints;

  /**
   * Makes a reader.
   *
   * @param hints receives a line for places that are left out or far from all others
   */
  public PlaceReader(ListFormat format, Consumer<String> hints) {
    this.format = format;
    this.hints = hints;
  }

  /**
   * Reads a list in UTF-8.
   *
   * @param name the name of the file, for messages
   * @throws MalformedSensorsException if the list is malformed or empty
   */
  public PlaceList read(String name, byte[] bytes) throws MalformedSensorsException {
    if (Sqlite.isDatabase(bytes)) {
      return GeoPackagePlaces.read(name, bytes, format, hints);
    }
    if (name.toLowerCase(Locale.ROOT).endsWith(".gpkg")) {
      throw new MalformedSensorsException("not GeoPackage: no database of SQLite", name);
    }
    String text = text(name, KmlPlaces.isZip(bytes) ? KmlPlaces.ofArchive(name, bytes) : bytes);
    if (text.isBlank()) {
      throw new MalformedSensorsException("empty file", name);
    }
    char first = text.stripLeading().charAt(0);
    if (first == '<') {
      return KmlPlaces.read(name, text, format, hints);
    }
    return first == '{' || first == '['
        ? GeoJsonPlaces.read(name, text, format, hints)
        : CsvPlaces.read(name, text, format, hints);
  }

  private static String text(String name, byte[] bytes) throws MalformedSensorsException {
    try {
      // Unlike the String constructor, a decoder rejects malformed bytes.
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new MalformedSensorsException("not a text file in UTF-8", name, e);
    }
  }
}
