package io.fieldstone.crc;

import io.fieldstone.engine.Spelling;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The algorithms of the <a href="https://reveng.sourceforge.io/crc-catalogue/all.htm">RevEng CRC
 * catalogue</a>: 113 models by name and alias. Thread-safe.
 *
 * <p>Names are compared by their letters and digits: {@code crc32c} and {@code CRC-32C} are the
 * same. An entry is parsed when it is first asked for.
 */
public final class CrcCatalogue {

  /**
   * A catalogued algorithm.
   *
   * @param model its parameters, with its name in the catalogue
   * @param aliases its other names
   * @param check the published checksum of {@code 123456789}
   * @param residue the published register after any message with its checksum
   */
  public record Entry(CrcModel model, List<String> aliases, CrcValue check, CrcValue residue) {

    private Stream<String> names() {
      return Stream.concat(Stream.of(model.name()), aliases.stream());
    }
  }

  private static final String RESOURCE = "catalogue.csv";
  private static final String HEADER =
      "name,aliases,width,poly,init,refin,refout,xorout,check,residue";
  private static final String COMMENT = "#";
  private static final String FIELD_SEPARATOR = ",";
  private static final String ALIAS_SEPARATOR = ";";
  private static final int NAME = 0;
  private static final int ALIASES = 1;

  /** The fields of each line. */
  private static final List<String[]> LINES = read();

  /** The fields of the entry with each {@link #key}. */
  private static final Map<String, String[]> LINE_BY_KEY = byKey();

  /** The parsed entries by {@link #key}. */
  private static final Map<String, Entry> PARSED = new ConcurrentHashMap<>();

  private CrcCatalogue() {}

  /** Returns all entries, by width and then by name. */
  public static List<Entry> entries() {
    return LINES.stream().map(CrcCatalogue::entry).toList();
  }

  /** Returns the entry with a name or alias, in any case, with or without punctuation. */
  public static Optional<Entry> find(String name) {
    String key = key(name);
    Entry parsed = PARSED.get(key);
    if (parsed == null) {
      String[] line = LINE_BY_KEY.get(key);
      if (line == null) {
        return Optional.empty();
      }
      parsed = entry(line);
      PARSED.put(key, parsed);
    }
    return Optional.of(parsed);
  }

  /**
   * Returns the model with a name or alias, in any case, with or without punctuation.
   *
   * @throws IllegalArgumentException if no entry has it; the message suggests the nearest name
   */
  public static CrcModel model(String name) {
    Optional<Entry> entry = find(name);
    if (entry.isEmpty()) { // without a lambda, whose first use takes milliseconds
      throw new IllegalArgumentException(
          "no CRC algorithm '%s'%s"
              .formatted(
                  name,
                  Spelling.nearest(name, names())
                      .map("; did you mean '%s'?"::formatted)
                      .orElse(" in the catalogue")));
    }
    return entry.get().model();
  }

  /** Returns the letters and digits of a name, in lower case. No two entries share one. */
  private static String key(String name) {
    StringBuilder key = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char each = name.charAt(i);
      if (Character.isLetterOrDigit(each)) {
        key.append(Character.toLowerCase(each));
      }
    }
    return key.toString();
  }

  /** Returns the names and aliases of all entries. */
  public static List<String> names() {
    return entries().stream().flatMap(Entry::names).toList();
  }

  private static Map<String, String[]> byKey() {
    Map<String, String[]> lines = new HashMap<>();
    for (String[] line : LINES) {
      lines.put(key(line[NAME]), line);
      for (String alias : aliases(line)) {
        lines.put(key(alias), line);
      }
    }
    return lines;
  }

  private static List<String[]> read() {
    try (InputStream resource = CrcCatalogue.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        throw new IllegalStateException("the resource " + RESOURCE + " is missing");
      }
      String text = new String(resource.readAllBytes(), StandardCharsets.US_ASCII);
      List<String[]> lines = new ArrayList<>();
      for (String line : text.split("\n", -1)) {
        if (!line.isEmpty() && !line.startsWith(COMMENT) && !line.equals(HEADER)) {
          lines.add(line.split(FIELD_SEPARATOR, -1));
        }
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE, e);
    }
  }

  private static List<String> aliases(String[] fields) {
    String aliases = fields[ALIASES];
    return aliases.isEmpty() ? List.of() : List.of(aliases.split(ALIAS_SEPARATOR, -1));
  }

  private static Entry entry(String[] fields) {
    int width = Integer.parseInt(fields[2]);
    CrcModel model =
        new CrcModel(
            fields[NAME],
            CrcValue.parse(width, fields[3]),
            CrcValue.parse(width, fields[4]),
            Boolean.parseBoolean(fields[5]),
            Boolean.parseBoolean(fields[6]),
            CrcValue.parse(width, fields[7]));
    return new Entry(
        model, aliases(fields), CrcValue.parse(width, fields[8]), CrcValue.parse(width, fields[9]));
  }
}
