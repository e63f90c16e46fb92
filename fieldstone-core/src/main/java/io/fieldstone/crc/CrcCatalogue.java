package io.fieldstone.crc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The algorithms of the <a href="https://reveng.sourceforge.io/crc-catalogue/all.htm">RevEng CRC
 * catalogue</a>: 113 models by name and alias. Thread-safe.
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

  private static final List<Entry> ENTRIES = read();
  private static final Map<String, Entry> BY_NAME = byName();

  private CrcCatalogue() {}

  /** Returns all entries, by width and then by name. */
  public static List<Entry> entries() {
    return ENTRIES;
  }

  /** Returns the entry with a name or alias, in any case. */
  public static Optional<Entry> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name.toLowerCase(Locale.ROOT)));
  }

  /**
   * Returns the model with a name or alias, in any case.
   *
   * @throws IllegalArgumentException if no entry has it; the message suggests the nearest name
   */
  public static CrcModel model(String name) {
    return find(name)
        .map(Entry::model)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no CRC algorithm '%s'; did you mean %s?".formatted(name, nearest(name))));
  }

  /** Returns the name or alias with the smallest edit distance. */
  static String nearest(String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    return ENTRIES.stream()
        .flatMap(Entry::names)
        .min(Comparator.comparingInt(each -> distance(wanted, each.toLowerCase(Locale.ROOT))))
        .orElseThrow();
  }

  /** Returns the Levenshtein distance (1965), computed row by row. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }

  private static Map<String, Entry> byName() {
    Map<String, Entry> names = new LinkedHashMap<>();
    for (Entry entry : ENTRIES) {
      entry.names().forEach(name -> names.put(name.toLowerCase(Locale.ROOT), entry));
    }
    return Map.copyOf(names);
  }

  private static List<Entry> read() {
    try (InputStream resource = CrcCatalogue.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        throw new IllegalStateException("the resource " + RESOURCE + " is missing");
      }
      return new BufferedReader(new InputStreamReader(resource, StandardCharsets.US_ASCII))
          .lines()
          .filter(line -> !line.startsWith(COMMENT) && !line.equals(HEADER))
          .map(line -> entry(line.split(FIELD_SEPARATOR, -1)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE, e);
    }
  }

  private static Entry entry(String[] fields) {
    int width = Integer.parseInt(fields[2]);
    CrcModel model =
        new CrcModel(
            fields[0],
            CrcValue.parse(width, fields[3]),
            CrcValue.parse(width, fields[4]),
            Boolean.parseBoolean(fields[5]),
            Boolean.parseBoolean(fields[6]),
            CrcValue.parse(width, fields[7]));
    List<String> aliases =
        fields[1].isEmpty() ? List.of() : List.of(fields[1].split(ALIAS_SEPARATOR, -1));
    return new Entry(
        model, aliases, CrcValue.parse(width, fields[8]), CrcValue.parse(width, fields[9]));
  }
}
