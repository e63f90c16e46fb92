package io.fieldstone.cli.sensors;

import io.fieldstone.cli.sqlite.Sqlite;
import io.fieldstone.cli.sqlite.SqliteException;
import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Own;
import io.fieldstone.map.Quantity;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Reads GeoPackage (OGC 12-128r19): the table of features that has points. Its reference system is
 * WGS 84, or one of the EPSG register, from which points are converted. The id is that of CSV, else
 * the number of the row.
 */
final class GeoPackagePlaces {

  /** The identifiers of undefined systems: of a plane, and of degrees. */
  private static final int UNDEFINED_PLANE = -1;

  private static final int UNDEFINED_DEGREES = 0;
  private static final String WGS_84 = "EPSG:4326";

  private static final String KIND = "kind";

  private final String name;
  private final Sqlite database;
  private final ListFormat format;
  private final Consumer<String> hints;
  private int left;
  private String firstLeft = "";

  private GeoPackagePlaces(
      String name, Sqlite database, ListFormat format, Consumer<String> hints) {
    this.name = name;
    this.database = database;
    this.format = format;
    this.hints = hints;
  }

  /** Reads a list. */
  static PlaceList read(String name, byte[] bytes, ListFormat format, Consumer<String> hints)
      throws MalformedSensorsException {
    try (Sqlite database = Sqlite.read(bytes)) {
      return new GeoPackagePlaces(name, database, format, hints).read();
    } catch (SqliteException e) {
      throw new MalformedSensorsException(String.valueOf(e.getMessage()), name, e);
    }
  }

  /** A table of features. */
  private record Layer(String table, String column, int system) {}

  private PlaceList read() throws MalformedSensorsException, SqliteException {
    require("gpkg_contents");
    require("gpkg_geometry_columns");
    require("gpkg_spatial_ref_sys");
    List<Layer> layers = layers();
    if (layers.isEmpty()) {
      throw new MalformedSensorsException("a GeoPackage without a table of points", name);
    }
    return read(layers.size() == 1 ? layers.getFirst() : chosen(layers));
  }

  /** Returns the table that the format names. */
  private Layer chosen(List<Layer> layers) throws MalformedSensorsException {
    String tables =
        layers.stream()
            .map(layer -> "'" + Excerpt.of(layer.table()) + "'")
            .collect(Collectors.joining(", "));
    if (format.layer().isEmpty()) {
      throw new MalformedSensorsException(
          "points in the tables %s; select one with --layer".formatted(tables), name);
    }
    String wanted = format.layer().get();
    return layers.stream()
        .filter(layer -> layer.table().equalsIgnoreCase(wanted.strip()))
        .findFirst()
        .orElseThrow(() ->
            new MalformedSensorsException(
                "no table of points '%s', but %s".formatted(Excerpt.of(wanted), tables), name));
  }

  private void require(String table) throws MalformedSensorsException, SqliteException {
    if (!isTable(table)) {
      throw new MalformedSensorsException(
          "a database of SQLite without the table %s, not GeoPackage".formatted(table), name);
    }
  }

  /** Returns whether a table exists; views, which may run for ever, and virtual tables are none. */
  private boolean isTable(String table) throws SqliteException {
    try (Sqlite.Statement found =
        database.prepare(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND lower(name) = lower(?)"
                + " AND sql LIKE 'CREATE TABLE%'")) {
      found.bind(1, table);
      return found.step();
    }
  }

  /** Returns the tables of features that may have points. */
  private List<Layer> layers() throws SqliteException, MalformedSensorsException {
    List<Layer> layers = new ArrayList<>();
    try (Sqlite.Statement found =
        database.prepare(
            "SELECT c.table_name, g.column_name, g.srs_id FROM gpkg_contents c"
                + " JOIN gpkg_geometry_columns g ON lower(g.table_name) = lower(c.table_name)"
                + " WHERE c.data_type = 'features'"
                + " AND upper(g.geometry_type_name) IN ('POINT', 'MULTIPOINT', 'GEOMETRY')"
                + " ORDER BY c.table_name")) {
      while (found.step()) {
        Layer layer = new Layer(found.text(0), found.text(1), (int) found.number(2));
        if (!isTable(layer.table())) {
          throw new MalformedSensorsException(
              "'%s' is no table".formatted(Excerpt.of(layer.table())), name);
        }
        layers.add(layer);
      }
    }
    return layers;
  }

  private PlaceList read(Layer layer) throws MalformedSensorsException, SqliteException {
    Crs system = system(layer);
    PlaceList.Builder places =
        new PlaceList.Builder(name, system.coordinates(), system.format(), hints);
    List<String> columns = columns(layer.table());
    if (columns.stream().noneMatch(layer.column()::equalsIgnoreCase)) {
      throw new MalformedSensorsException(
          "no column '%s' in the table '%s'".formatted(Excerpt.of(layer.column()), layer.table()),
          name);
    }
    Map<Quantity, String> quantities = quantities(columns, places);
    List<String> selected = new ArrayList<>(List.of("rowid", quoted(layer.column())));
    selected.add(id(layer, columns).map(GeoPackagePlaces::quoted).orElse("rowid"));
    selected.add(columns.contains(KIND) ? quoted(KIND) : "''");
    quantities.values().forEach(column -> selected.add(quoted(column)));
    try (Sqlite.Statement row =
        database.prepare(
            "SELECT %s FROM %s".formatted(String.join(", ", selected), quoted(layer.table())))) {
      while (row.step()) {
        add(layer, row, quantities, places);
      }
    }
    if (left > 0) {
      hints.accept(
          "%s without a point left out, first %s: %s"
              .formatted(left == 1 ? "1 feature" : left + " features", firstLeft, name));
    }
    return places.build();
  }

  private void add(
      Layer layer, Sqlite.Statement row, Map<Quantity, String> quantities, PlaceList.Builder places)
      throws MalformedSensorsException {
    String place = "table '%s', row %s".formatted(layer.table(), row.text(0));
    GeometryBlob.Points geometry;
    try {
      geometry =
          row.isNull(1)
              ? new GeometryBlob.Points(List.of(), Optional.empty())
              : GeometryBlob.parse(row.blob(1));
    } catch (IllegalArgumentException e) {
      throw places.malformed(String.valueOf(e.getMessage()), place);
    }
    List<GeometryBlob.Point> points = geometry.points();
    if (points.isEmpty()) {
      firstLeft = left == 0 ? place : firstLeft;
      left++;
      return;
    }
    Own own = Own.NONE;
    int column = 4;
    for (Map.Entry<Quantity, String> entry : quantities.entrySet()) {
      String text = row.text(column).strip();
      if (!text.isEmpty()) {
        String title = "column '" + entry.getValue() + "'";
        own = own.with(entry.getKey(), places.value(entry.getKey(), text, title, place));
      }
      column++;
    }
    String id = row.text(2).strip();
    for (int i = 0; i < points.size(); i++) {
      places.add(
          points.size() == 1 ? id : id + "-" + (i + 1),
          points.get(i).x(),
          points.get(i).y(),
          row.text(3).strip(),
          own,
          place);
    }
  }

  /** The kind of coordinates of a table, and the format with its reference system. */
  private record Crs(Coordinates coordinates, ListFormat format) {}

  /** Returns the reference system of a table, with which options must agree. */
  private Crs system(Layer layer) throws MalformedSensorsException, SqliteException {
    boolean isPlane = format.crs().isPresent() || format.geoJson() == Coordinates.PLANAR;
    if (layer.system() == UNDEFINED_PLANE || layer.system() == UNDEFINED_DEGREES) {
      return new Crs(
          isPlane || layer.system() == UNDEFINED_PLANE ? Coordinates.PLANAR : Coordinates.DEGREES,
          format);
    }
    String code = code(layer);
    if (code.equals(WGS_84)) {
      return new Crs(Coordinates.DEGREES, format);
    }
    if (format.crs().isPresent()) {
      String asked = format.crs().get().toString().toUpperCase(Locale.ROOT);
      if (asked.matches("(EPSG:)?[0-9]+") && !code.equals("EPSG:" + asked.replace("EPSG:", ""))) {
        throw new MalformedSensorsException(
            "the table '%s' has %s, not --crs %s".formatted(layer.table(), code, asked), name);
      }
      return new Crs(Coordinates.PLANAR, format);
    }
    if (isPlane) {
      return new Crs(Coordinates.PLANAR, format);
    }
    try {
      return new Crs(Coordinates.PLANAR, format.withCrs(Optional.of(ProjectedCrs.of(code))));
    } catch (IllegalArgumentException e) {
      throw new MalformedSensorsException(
          "the table '%s': %s; --crs or --planar says what x and y are"
              .formatted(layer.table(), e.getMessage()),
          name,
          e);
    }
  }

  /** Returns the organization and the code of the reference system of a table. */
  private String code(Layer layer) throws MalformedSensorsException, SqliteException {
    try (Sqlite.Statement found =
        database.prepare(
            "SELECT organization || ':' || organization_coordsys_id FROM gpkg_spatial_ref_sys"
                + " WHERE srs_id = ?")) {
      found.bind(1, (long) layer.system());
      if (!found.step()) {
        throw new MalformedSensorsException(
            "no reference system %d, which the table '%s' has"
                .formatted(layer.system(), layer.table()),
            name);
      }
      return found.text(0).strip().toUpperCase(Locale.ROOT);
    }
  }

  private List<String> columns(String table) throws SqliteException {
    List<String> columns = new ArrayList<>();
    try (Sqlite.Statement found = database.prepare("SELECT name FROM pragma_table_info(?)")) {
      found.bind(1, table);
      while (found.step()) {
        columns.add(found.text(0));
      }
    }
    return columns;
  }

  /** Returns the column with the ids, unless only rows have numbers. */
  private Optional<String> id(Layer layer, List<String> columns) throws MalformedSensorsException {
    if (format.id().isPresent()) {
      Optional<String> named = column(columns, format.id().get());
      if (named.isEmpty()) {
        throw new MalformedSensorsException(
            "no column '%s' in the table '%s'".formatted(format.id().get(), layer.table()), name);
      }
      return named;
    }
    return CsvPlaces.idNames().stream().flatMap(each -> column(columns, each).stream()).findFirst();
  }

  private static Map<Quantity, String> quantities(List<String> columns, PlaceList.Builder places) {
    Map<Quantity, String> quantities = new EnumMap<>(Quantity.class);
    for (Quantity quantity : Quantity.values()) {
      Optional<String> found =
          QuantityNames.of(quantity).stream()
              .flatMap(each -> column(columns, each).stream())
              .findFirst();
      if (found.isPresent()
          && places.isRead(quantity, "column '" + found.get() + "'", columns.contains(KIND))) {
        quantities.put(quantity, found.get());
      }
    }
    return quantities;
  }

  private static Optional<String> column(List<String> columns, String title) {
    return columns.stream().filter(title.strip()::equalsIgnoreCase).findFirst();
  }

  /** Returns an identifier in SQL. */
  private static String quoted(String identifier) {
    return "\"" + identifier.replace("\"", "\"\"") + "\"";
  }
}
