package io.fieldstone.cli.sensors;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Own;
import io.fieldstone.map.Quantity;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reads CSV (RFC 4180) with a header of {@code id} and {@code x}, {@code y} or {@code lat}, {@code
 * lon}.
 */
final class CsvPlaces {

  private static final List<String> ID = List.of("id");

  /** The columns that are ids where there is no other, the most telling first. */
  private static final List<String> OTHER_IDS =
      List.of(
          "node_id",
          "nodeid",
          "name",
          "longname",
          "long_name",
          "hostname",
          "node",
          "callsign",
          "public_key");

  /** Returns the names of columns with ids in lower case, the most telling first. */
  static List<String> idNames() {
    return Stream.concat(ID.stream(), OTHER_IDS.stream()).toList();
  }

  private static final List<String> X = List.of("x");
  private static final List<String> Y = List.of("y");
  private static final String KIND = "kind";
  private static final List<String> LATITUDE = List.of("lat", "latitude");
  private static final List<String> LONGITUDE = List.of("lon", "lng", "long", "longitude");

  /** The optional suffix of a name for its unit, as in {@code x_m}. */
  private static final String UNIT = "_[a-z]+";

  private static final char COMMA = ',';

  private final String name;
  private final List<String> header;
  private final int id;
  private final int first;
  private final int second;

  /** The column of the kind, or −1. */
  private final int kind;

  /** The columns of the quantities that are read. */
  private final Map<Quantity, Integer> quantities = new EnumMap<>(Quantity.class);

  private final PlaceList.Builder places;

  private CsvPlaces(String name, CsvRecord header, ListFormat format, Consumer<String> hints)
      throws MalformedSensorsException {
    this.name = name;
    this.header = header.getFields().stream().map(String::strip).toList();
    this.id = id(format.id());
    this.kind = this.header.indexOf(KIND);
    Coordinates coordinates;
    Optional<Columns> columns = format.columns();
    if (columns.isPresent()) {
      int firstNamed = named(columns.get().first());
      int secondNamed = named(columns.get().second());
      boolean isLatitudeFirst = isNamed(firstNamed, LATITUDE) && isNamed(secondNamed, LONGITUDE);
      boolean isLongitudeFirst = isNamed(firstNamed, LONGITUDE) && isNamed(secondNamed, LATITUDE);
      coordinates = isLatitudeFirst || isLongitudeFirst ? Coordinates.DEGREES : Coordinates.PLANAR;
      this.first = isLatitudeFirst ? secondNamed : firstNamed;
      this.second = isLatitudeFirst ? firstNamed : secondNamed;
    } else {
      coordinates = coordinates();
      boolean isPlanar = coordinates == Coordinates.PLANAR;
      this.first = require(isPlanar ? X : LONGITUDE);
      this.second = require(isPlanar ? Y : LATITUDE);
    }
    this.places = new PlaceList.Builder(name, coordinates, format, hints);
    for (Quantity quantity : Quantity.values()) {
      findQuantity(quantity);
    }
    this.header.stream()
        .filter(QuantityNames::areInOtherUnit)
        .forEach(title ->
            hints.accept(
                "column '%s' is not read: range is in the unit of --range, height in metres: %s"
                    .formatted(title, name)));
  }

  private void findQuantity(Quantity quantity) {
    for (String each : QuantityNames.of(quantity)) {
      for (int column = 0; column < header.size(); column++) {
        boolean isIt =
            header.get(column).equalsIgnoreCase(each)
                && column != id
                && column != first
                && column != second;
        if (isIt) {
          if (places.isRead(quantity, title(column), kind >= 0)) {
            quantities.put(quantity, column);
          }
          return;
        }
      }
    }
  }

  private String title(int column) {
    return "column '" + header.get(column) + "'";
  }

  /**
   * Reads a list.
   *
   * @param format with the columns of the coordinates, which are degrees if they are named as
   *     latitude and longitude
   */
  static PlaceList read(String name, String text, ListFormat format, Consumer<String> hints)
      throws MalformedSensorsException {
    try {
      Iterator<CsvRecord> records =
          CsvReader.builder()
              .fieldSeparator(separator(text))
              .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
              .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
              .allowUnclosedQuote(false)
              .ofCsvRecord(text)
              .iterator();
      CsvPlaces csv = new CsvPlaces(name, records.next(), format, hints);
      while (records.hasNext()) {
        csv.read(records.next());
      }
      return csv.places.build();
    } catch (CsvParseException e) {
      String problem = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
      throw new MalformedSensorsException("not CSV: " + problem, name, e);
    }
  }

  /** Detects the separator in the header: comma, semicolon or tab. */
  private static char separator(String text) {
    String header = text.lines().filter(line -> !line.isBlank()).findFirst().orElse("");
    return IntStream.of(COMMA, ';', '\t')
        .filter(each -> header.indexOf(each) >= 0)
        .mapToObj(each -> (char) each)
        .findFirst()
        .orElse(COMMA);
  }

  private Coordinates coordinates() throws MalformedSensorsException {
    boolean isPlanar = find(X).isPresent() && find(Y).isPresent();
    boolean isDegrees = find(LATITUDE).isPresent() && find(LONGITUDE).isPresent();
    if (isPlanar && isDegrees) {
      throw malformed(
          "ambiguous columns %s, %s and %s, %s; select two with --columns"
              .formatted(title(X), title(Y), title(LATITUDE), title(LONGITUDE)));
    }
    if (!isPlanar && !isDegrees) {
      throw malformed("no columns x, y or lat, lon; select two with --columns");
    }
    return isPlanar ? Coordinates.PLANAR : Coordinates.DEGREES;
  }

  private int id(Optional<String> title) throws MalformedSensorsException {
    if (title.isPresent()) {
      return named(title.get());
    }
    if (find(ID).isPresent()) {
      return require(ID);
    }
    for (String other : OTHER_IDS) {
      int[] found = columns(List.of(other), "");
      if (found.length == 1) {
        return found[0];
      }
    }
    throw malformed("no column 'id'; select another with --id");
  }

  private int require(List<String> names) throws MalformedSensorsException {
    OptionalInt column = find(names);
    if (column.isEmpty()) {
      throw malformed("no column '%s'".formatted(names.getFirst()));
    }
    return column.getAsInt();
  }

  private OptionalInt find(List<String> names) throws MalformedSensorsException {
    int[] named = columns(names, "");
    int[] found = named.length == 0 ? columns(names, UNIT) : named;
    if (found.length > 1) {
      throw malformed(
          "ambiguous columns '%s' and '%s'; select two with --columns"
              .formatted(header.get(found[0]), header.get(found[1])));
    }
    return IntStream.of(found).findFirst();
  }

  /** Returns the name of a column in the header. */
  private String title(List<String> names) throws MalformedSensorsException {
    return header.get(require(names));
  }

  /** Returns the column with a name, which must be unique. */
  private int named(String title) throws MalformedSensorsException {
    int[] found =
        IntStream.range(0, header.size())
            .filter(column -> header.get(column).equalsIgnoreCase(title.strip()))
            .toArray();
    if (found.length != 1) {
      throw malformed(
          "%s column '%s'".formatted(found.length == 0 ? "no" : "more than one", title));
    }
    return found[0];
  }

  private int[] columns(List<String> names, String suffix) {
    return IntStream.range(0, header.size())
        .filter(column -> isNamed(column, names, suffix))
        .toArray();
  }

  private boolean isNamed(int column, List<String> names) {
    return isNamed(column, names, "") || isNamed(column, names, UNIT);
  }

  private boolean isNamed(int column, List<String> names, String suffix) {
    String title = header.get(column).toLowerCase(Locale.ROOT);
    return names.stream().anyMatch(each -> title.matches(each + suffix));
  }

  private MalformedSensorsException malformed(String problem) {
    return new MalformedSensorsException(
        problem, "%s, with the header %s".formatted(name, Excerpt.of(String.join(",", header))));
  }

  private void read(CsvRecord row) throws MalformedSensorsException {
    String place = "line " + row.getStartingLineNumber();
    if (row.getFieldCount() > header.size()) {
      throw places.malformed(
          "%d fields, the header has %d".formatted(row.getFieldCount(), header.size()), place);
    }
    places.add(
        field(row, id, place).strip(),
        number(row, first, place),
        number(row, second, place),
        optional(row, kind),
        own(row, place),
        place);
  }

  /** Returns a field; empty if the row or the file has none. */
  private static String optional(CsvRecord row, int column) {
    return column < 0 || column >= row.getFieldCount() ? "" : row.getField(column).strip();
  }

  private Own own(CsvRecord row, String place) throws MalformedSensorsException {
    Own own = Own.NONE;
    for (Map.Entry<Quantity, Integer> entry : quantities.entrySet()) {
      String text = optional(row, entry.getValue());
      if (!text.isEmpty()) {
        Quantity quantity = entry.getKey();
        own = own.with(quantity, places.value(quantity, text, title(entry.getValue()), place));
      }
    }
    return own;
  }

  private double number(CsvRecord row, int column, String place) throws MalformedSensorsException {
    String text = field(row, column, place).strip();
    OptionalDouble number = Numbers.parse(text);
    if (number.isEmpty()) {
      throw places.malformed(
          text.isEmpty()
              ? "no number in column '%s'".formatted(header.get(column))
              : "'%s' in column '%s' is not a number"
                  .formatted(Excerpt.of(text), header.get(column)),
          place);
    }
    return number.getAsDouble();
  }

  private String field(CsvRecord row, int column, String place) throws MalformedSensorsException {
    if (column >= row.getFieldCount()) {
      throw places.malformed(
          "%d fields, none in column '%s'".formatted(row.getFieldCount(), header.get(column)),
          place);
    }
    return row.getField(column);
  }
}
