package io.fieldstone.cli.sensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fieldstone.cli.sqlite.Sqlite;
import io.fieldstone.cli.sqlite.SqliteException;
import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Network;
import io.fieldstone.map.Own;
import io.fieldstone.map.Place;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GeoPackageTest {

  /** 8.5, 50.25, as GDAL 3.12.4 writes it in EPSG:4326. */
  private static final String POINT = "47500001E6100000010100000000000000000021400000000000204940";

  /** 464349.7, 5566489.2, as GDAL writes it in EPSG:25832. */
  private static final String PROJECTED =
      "47500001E86400000101000000CDCCCCCC76571C41CDCCCC4C063C5541";

  /** 8, 50 to 9, 51. */
  private static final String LINE =
      "47500001E6100000010200000002000000000000000000204000000000000049400000000000002240"
          + "0000000000804940";

  private static final Own MAST = new Own(900, Double.NaN, 300);

  private static final Network NETWORK = SmallPlan.of("<ä>", MAST);

  private final List<String> hints = new ArrayList<>();

  @BeforeAll
  static void needsSqlite() {
    boolean isPresent;
    try (Sqlite database = Sqlite.create()) {
      database.run("SELECT 1");
      isPresent = true;
    } catch (SqliteException _) {
      isPresent = false;
    }
    assumeTrue(isPresent, "SQLite is not installed");
  }

  private PlaceList read(byte[] bytes) throws MalformedSensorsException {
    return read(bytes, ListFormat.of(Coordinates.DEGREES));
  }

  private PlaceList read(byte[] bytes, ListFormat format) throws MalformedSensorsException {
    return new PlaceReader(format, hints::add).read("file", bytes);
  }

  /** Makes a file with a table of points, changed by statements. */
  private static byte[] file(String system, String columns, String values, String... changes)
      throws SqliteException {
    try (Sqlite database = Sqlite.create()) {
      database.run(
          "CREATE TABLE gpkg_spatial_ref_sys (srs_name, srs_id INTEGER PRIMARY KEY, organization,"
              + " organization_coordsys_id, definition, description)");
      database.run(
          "INSERT INTO gpkg_spatial_ref_sys VALUES ('w', 4326, 'EPSG', 4326, '', ''),"
              + " ('u', 7, 'epsg', 25832, '', ''), ('e', 8, 'ESRI', 102100, '', ''),"
              + " ('x', 9, 'EPSG', 999999, '', '')");
      database.run(
          "CREATE TABLE gpkg_contents (table_name, data_type, identifier, description,"
              + " last_change, min_x, min_y, max_x, max_y, srs_id)");
      database.run(
          "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('Mäste', 'features')");
      database.run(
          "CREATE TABLE gpkg_geometry_columns (table_name, column_name, geometry_type_name,"
              + " srs_id, z, m)");
      database.run(
          "INSERT INTO gpkg_geometry_columns VALUES ('Mäste', 'geom', 'POINT', %s, 0, 0)"
              .formatted(system));
      database.run(
          "CREATE TABLE \"Mäste\" (fid INTEGER PRIMARY KEY, geom POINT%s)".formatted(columns));
      if (!values.isEmpty()) {
        database.run("INSERT INTO \"Mäste\" VALUES " + values);
      }
      for (String change : changes) {
        database.run(change);
      }
      return database.toBytes();
    }
  }

  @Test
  void readsPointsAsOtherProgramsWriteThem() throws Exception {
    byte[] file =
        file(
            "4326",
            ", Name TEXT, height REAL, cost INTEGER",
            "(3, x'%s', 'a', 12.5, 7), (4, x'%s', 'line', NULL, 8), (5, NULL, 'none', 1, 2)"
                .formatted(POINT, LINE));
    assertThat(read(file).places())
        .containsExactly(new Place("a", 8.5, 50.25, "", new Own(Double.NaN, 12.5, 7)));
    assertThat(hints)
        .containsExactly("2 features without a point left out, first table 'Mäste', row 4: file");
    // Without a column of ids, rows have numbers; --id names another column.
    byte[] plain = file("4326", ", label TEXT", "(3, x'%s', 'b')".formatted(POINT));
    assertThat(read(plain).places()).containsExactly(new Place("3", 8.5, 50.25));
    ListFormat label = ListFormat.of(Coordinates.DEGREES).withId(Optional.of("LABEL"));
    assertThat(read(plain, label).places()).containsExactly(new Place("b", 8.5, 50.25));
    assertThatThrownBy(() -> read(plain, label.withId(Optional.of("no"))))
        .hasMessage("no column 'no' in the table 'Mäste': file");
  }

  @Test
  void convertsProjectedPointsToDegrees() throws Exception {
    byte[] file = file("7", "", "(1, x'%s')".formatted(PROJECTED));
    Place place = read(file).places().getFirst();
    assertThat(read(file).coordinates()).isEqualTo(Coordinates.DEGREES);
    assertThat(Math.hypot(place.first() - 8.5, place.second() - 50.2495)).isLessThan(1e-4);
    ListFormat planar = ListFormat.of(Coordinates.PLANAR);
    assertThat(read(file, planar).places()).containsExactly(new Place("1", 464349.7, 5566489.2));
    byte[] plane = file("-1", "", "(1, x'%s')".formatted(PROJECTED));
    assertThat(read(plane).coordinates()).isEqualTo(Coordinates.PLANAR);
    ListFormat utm33 =
        ListFormat.of(Coordinates.DEGREES).withCrs(Optional.of(ProjectedCrs.of("EPSG:25833")));
    assertThatThrownBy(() -> read(file, utm33))
        .hasMessage("the table 'Mäste' has EPSG:25832, not --crs EPSG:25833: file");
    byte[] degrees = file("4326", "", "(1, x'%s')".formatted(POINT));
    assertThatThrownBy(() -> read(degrees, utm33)).hasMessageContaining("degrees, where --crs");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "8 | the table 'Mäste': 'ESRI:102100' is no known coordinate reference system",
        "9 | the table 'Mäste': 'EPSG:999999' is no known coordinate reference system",
        "10 | no reference system 10, which the table 'Mäste' has: file"
      })
  void otherSystemsAreRefused(String system, String message) throws Exception {
    byte[] file = file(system, "", "(1, x'%s')".formatted(POINT));
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "DROP TABLE gpkg_contents ; a database of SQLite without the table gpkg_contents, not"
            + " GeoPackage: file",
        "DROP TABLE gpkg_geometry_columns ; a database of SQLite without the table"
            + " gpkg_geometry_columns, not GeoPackage: file",
        "DELETE FROM gpkg_contents ; a GeoPackage without a table of points: file",
        "DROP TABLE Mäste ; 'Mäste' is no table: file",
        "UPDATE gpkg_geometry_columns SET column_name = 'g\"' ; no column 'g\"' in the table"
            + " 'Mäste': file",
        "UPDATE Mäste SET geom = x'4750' ; a geometry that ends after 2 bytes: file, table 'Mäste',"
            + " row 1",
        "UPDATE Mäste SET geom = 'text' ; a geometry without the header of GeoPackage: file, table"
            + " 'Mäste', row 1",
        "UPDATE Mäste SET geom = x'4750000100000000010400000000FFFFFF' ; a geometry of 4294967040"
            + " points in 0 bytes: file, table 'Mäste', row 1",
        "UPDATE Mäste SET geom = CAST(geom || x'00' AS BLOB) ; 1 bytes after a geometry: file,"
            + " table 'Mäste', row 1",
        "UPDATE Mäste SET geom = NULL ; no sensors: file"
      })
  void mistakesAreNamed(String change, String message) throws Exception {
    byte[] file = file("4326", "", "(1, x'%s')".formatted(POINT), change);
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessage(message);
  }

  /** A view may run for ever, so that none is read. */
  @Test
  void viewsAreNotRead() throws Exception {
    byte[] file =
        file(
            "4326",
            "",
            "",
            "DROP TABLE \"Mäste\"",
            "CREATE VIEW \"Mäste\" AS WITH RECURSIVE r(fid) AS (SELECT 1 UNION ALL SELECT fid + 1"
                + " FROM r) SELECT fid, NULL AS geom FROM r");
    assertThatThrownBy(() -> read(file)).hasMessage("'Mäste' is no table: file");
  }

  @Test
  void ofSeveralTablesTheFormatNamesOne() throws Exception {
    byte[] file =
        file(
            "4326",
            "",
            "(1, x'%s')".formatted(POINT),
            "CREATE TABLE b (geom)",
            "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('b', 'features')",
            "INSERT INTO gpkg_geometry_columns VALUES ('b', 'geom', 'MULTIPOINT', 4326, 0, 0)");
    assertThatThrownBy(() -> read(file))
        .hasMessage("points in the tables 'Mäste', 'b'; select one with --layer: file");
    ListFormat format = ListFormat.of(Coordinates.DEGREES);
    assertThat(read(file, format.withLayer(Optional.of("mäste"))).places())
        .containsExactly(new Place("1", 8.5, 50.25));
    assertThatThrownBy(() -> read(file, format.withLayer(Optional.of("B"))))
        .hasMessage("no sensors: file");
    assertThatThrownBy(() -> read(file, format.withLayer(Optional.of("c"))))
        .hasMessage("no table of points 'c', but 'Mäste', 'b': file");
    // A plan has one table of points, so that the name is that of another file.
    assertThat(read(PlanGeoPackage.of(NETWORK), format.withLayer(Optional.of("Mäste"))).places())
        .hasSize(2);
  }

  /** Truncated and damaged files are refused with a line, with any message of SQLite. */
  @Test
  void damagedFilesAreNamed() throws Exception {
    byte[] file = PlanGeoPackage.of(NETWORK);
    for (int length = 16; length < file.length; length += 997) {
      byte[] cut = Arrays.copyOf(file, length);
      assertThatThrownBy(() -> read(cut)).isInstanceOf(MalformedSensorsException.class);
    }
    SplittableRandom random = new SplittableRandom(4);
    int read = 0;
    for (int i = 0; i < 300; i++) {
      byte[] damaged = file.clone();
      for (int n = 0; n < 20; n++) {
        damaged[random.nextInt(16, damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        read += read(damaged).places().size() > 0 ? 1 : 0;
      } catch (MalformedSensorsException e) {
        assertThat(e).hasMessageContaining("file");
      }
    }
    assertThat(read).isLessThan(300);
    byte[] text = "not a database".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() ->
            new PlaceReader(ListFormat.of(Coordinates.DEGREES), hints::add).read("plan.gpkg", text))
        .hasMessage("not GeoPackage: no database of SQLite: plan.gpkg");
  }

  @Test
  void plansAreGeoPackageThatIsReadAgain() throws Exception {
    byte[] file = PlanGeoPackage.of(NETWORK);
    assertThat(file).isEqualTo(PlanGeoPackage.of(NETWORK));
    assertThat(read(file).places())
        .containsExactly(
            new Place("<ä>", 8, 50, "sensor", Own.NONE),
            new Place("relay-1", 8.01, 50, "site", MAST));
    assertThat(hints).isEmpty();
    // Offset 60 and 68 of the header: the version and "GPKG" (clause 1.1.1.1.1).
    assertThat(ByteBuffer.wrap(file).getInt(60)).isEqualTo(10300);
    assertThat(new String(file, 68, 4, StandardCharsets.US_ASCII)).isEqualTo("GPKG");
    try (Sqlite database = Sqlite.read(file)) {
      assertThat(rows(database, "PRAGMA integrity_check")).containsExactly("ok");
      assertThat(rows(database, "PRAGMA foreign_key_check")).isEmpty();
      assertThat(rows(database, "SELECT srs_id FROM gpkg_spatial_ref_sys ORDER BY srs_id"))
          .containsExactly("-1", "0", "4326");
      assertThat(rows(database, "SELECT geometry_type_name FROM gpkg_geometry_columns"))
          .containsExactly("POINT", "LINESTRING");
      assertThat(rows(database, "SELECT \"from\" || ' ' || \"to\" || ' ' || length FROM links"))
          .containsExactly("<ä> relay-1 715.0");
      assertThat(rows(database, "SELECT hex(geom) FROM links").getFirst())
          .startsWith("47500001E61000000102000000020000000000000000002040");
      assertThat(rows(database, "SELECT name FROM pragma_table_info('nodes')"))
          .containsExactly("fid", "geom", "id", "kind", "component", "site", "range", "cost");
    }
  }

  private static List<String> rows(Sqlite database, String sql) throws SqliteException {
    List<String> rows = new ArrayList<>();
    try (Sqlite.Statement statement = database.prepare(sql)) {
      while (statement.step()) {
        rows.add(statement.text(0));
      }
    }
    return rows;
  }

  @Test
  void readsMultipointsAndDimensions() {
    ByteBuffer blob = ByteBuffer.allocate(200).order(ByteOrder.BIG_ENDIAN);
    blob.put(new byte[] {'G', 'P', 0, 5}).putInt(0).put(new byte[48]); // x, y and z of an envelope
    blob.put((byte) 0).putInt(3004).putInt(2);
    blob.put((byte) 0).putInt(3001).putDouble(1).putDouble(2).putDouble(3).putDouble(4);
    blob.order(ByteOrder.LITTLE_ENDIAN);
    blob.put((byte) 1).putInt(2001).putDouble(5).putDouble(6).putDouble(7);
    GeometryBlob.Points geometry = GeometryBlob.parse(Arrays.copyOf(blob.array(), blob.position()));
    assertThat(geometry.points())
        .containsExactly(new GeometryBlob.Point(1, 2), new GeometryBlob.Point(5, 6));
    assertThat(GeometryBlob.parse(HexFormat.of().parseHex(LINE)).otherType())
        .contains("LineString");
    assertThat(GeometryBlob.point(4326, new GeometryBlob.Point(8.5, 50.25)))
        .isEqualTo(HexFormat.of().parseHex(POINT));
  }
}
