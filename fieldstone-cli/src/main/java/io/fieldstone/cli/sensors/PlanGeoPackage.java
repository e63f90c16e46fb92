package io.fieldstone.cli.sensors;

import io.fieldstone.cli.sqlite.Sqlite;
import io.fieldstone.cli.sqlite.SqliteException;
import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Network;
import io.fieldstone.map.Place;
import io.fieldstone.map.Quantity;
import io.fieldstone.relays.RelayPlan;
import java.util.List;

/**
 * Formats plans as GeoPackage 1.3 (OGC 12-128r17): a table {@code nodes} of points, and one {@code
 * links} of lines. The reference system is WGS 84; of x and y of a plane it is undefined. The same
 * plan has the same bytes with the same version of SQLite.
 */
public final class PlanGeoPackage {

  private static final int WGS_84 = 4326;
  private static final int UNDEFINED_PLANE = -1;
  private static final double FULL_CIRCLE = 360;

  /** "GPKG", and the version 1.3.0. */
  private static final List<String> PRAGMAS =
      List.of("PRAGMA application_id = 1196444487", "PRAGMA user_version = 10300");

  /** The tables that each GeoPackage has (clauses 1.1.2, 1.1.3 and 2.1.5), and the links. */
  private static final List<String> SCHEMA =
      List.of(
          "CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY,"
              + " organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL,"
              + " definition TEXT NOT NULL, description TEXT)",
          "INSERT INTO gpkg_spatial_ref_sys VALUES ('Undefined Cartesian', -1, 'NONE', -1,"
              + " 'undefined', 'undefined Cartesian coordinate reference system'), ('Undefined"
              + " geographic', 0, 'NONE', 0, 'undefined', 'undefined geographic coordinate"
              + " reference system'), ('WGS 84', 4326, 'EPSG', 4326, 'GEOGCS[\"WGS"
              + " 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS"
              + " 84\",6378137,298.257223563,AUTHORITY[\"EPSG\",\"7030\"]],"
              + "AUTHORITY[\"EPSG\",\"6326\"]],PRIMEM[\"Greenwich\",0,AUTHORITY[\"EPSG\",\"8901\"]],"
              + "UNIT[\"degree\",0.0174532925199433,AUTHORITY[\"EPSG\",\"9122\"]],AUTHORITY[\"EPSG\",\"4326\"]]',"
              + " 'longitude and latitude in degrees')",
          "CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT"
              + " NULL, identifier TEXT UNIQUE, description TEXT DEFAULT '', last_change DATETIME"
              + " NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')), min_x DOUBLE, min_y"
              + " DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER, CONSTRAINT fk_gc_r_srs_id"
              + " FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id))",
          "CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT"
              + " NULL, geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT"
              + " NULL, m TINYINT NOT NULL, CONSTRAINT pk_geom_cols PRIMARY KEY (table_name,"
              + " column_name), CONSTRAINT uk_gc_table_name UNIQUE (table_name), CONSTRAINT"
              + " fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),"
              + " CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys"
              + " (srs_id))",
          "CREATE TABLE links (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom LINESTRING,"
              + " \"from\" TEXT NOT NULL, \"to\" TEXT NOT NULL, length REAL NOT NULL)");

  /** The beginning of the table of nodes; columns of quantities follow. */
  private static final String NODES =
      "CREATE TABLE nodes (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom POINT, id TEXT NOT"
          + " NULL, kind TEXT NOT NULL, component INTEGER, site TEXT";

  private static final int COLUMNS_BEFORE_QUANTITIES = 5;

  private final Sqlite database;
  private final Network network;
  private final int system;

  /** The quantities that nodes have of their own. */
  private final List<Quantity> quantities;

  private PlanGeoPackage(Sqlite database, Network network) {
    this.database = database;
    this.network = network;
    this.quantities = network.quantities();
    this.system = network.coordinates() == Coordinates.DEGREES ? WGS_84 : UNDEFINED_PLANE;
  }

  /**
   * Returns the bytes of the file.
   *
   * @throws SqliteException if this system has no SQLite
   */
  public static byte[] of(Network network) throws SqliteException {
    try (Sqlite database = Sqlite.create()) {
      for (String pragma : PRAGMAS) {
        database.run(pragma);
      }
      database.run("BEGIN");
      for (String statement : SCHEMA) {
        database.run(statement);
      }
      PlanGeoPackage plan = new PlanGeoPackage(database, network);
      plan.addContents("nodes", "sensors and relays", "POINT");
      plan.addContents("links", "links of a spanning tree", "LINESTRING");
      plan.addNodes();
      plan.addLinks();
      database.run("COMMIT");
      return database.toBytes();
    }
  }

  private void addContents(String table, String description, String type) throws SqliteException {
    double west = Double.POSITIVE_INFINITY;
    double south = Double.POSITIVE_INFINITY;
    double east = Double.NEGATIVE_INFINITY;
    double north = Double.NEGATIVE_INFINITY;
    for (Network.Node node : network.nodes()) {
      west = Math.min(west, node.place().first());
      east = Math.max(east, node.place().first());
      south = Math.min(south, node.place().second());
      north = Math.max(north, node.place().second());
    }
    try (Sqlite.Statement row =
        database.prepare(
            "INSERT INTO gpkg_contents VALUES (?, 'features', ?, ?, '1970-01-01T00:00:00.000Z',"
                + " ?, ?, ?, ?, ?)")) {
      row.bind(1, table);
      row.bind(2, table);
      row.bind(3, description);
      row.bind(4, west);
      row.bind(5, south);
      row.bind(6, east);
      row.bind(7, north);
      row.bind(8, (long) system);
      add(row);
    }
    try (Sqlite.Statement row =
        database.prepare("INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', ?, ?, 0, 0)")) {
      row.bind(1, table);
      row.bind(2, type);
      row.bind(3, (long) system);
      add(row);
    }
  }

  private void addNodes() throws SqliteException {
    StringBuilder columns = new StringBuilder();
    quantities.forEach(each -> columns.append(", \"").append(each.title()).append("\" REAL"));
    database.run(NODES + columns + ")");
    try (Sqlite.Statement row =
        database.prepare(
            "INSERT INTO nodes VALUES (NULL, ?, ?, ?, ?, ?"
                + ", ?".repeat(quantities.size())
                + ")")) {
      for (Network.Node node : network.nodes()) {
        Place place = node.place();
        row.bind(
            1, GeometryBlob.point(system, new GeometryBlob.Point(place.first(), place.second())));
        row.bind(2, place.id());
        row.bind(3, node.kind());
        row.bind(4, node instanceof Network.Sensor sensor ? sensor.group() + 1 : Double.NaN);
        if (node instanceof Network.Station relay && relay.site().isPresent()) {
          row.bind(5, relay.site().get());
        } else {
          row.bind(5, Double.NaN);
        }
        for (int i = 0; i < quantities.size(); i++) {
          row.bind(COLUMNS_BEFORE_QUANTITIES + 1 + i, place.own().get(quantities.get(i)));
        }
        add(row);
      }
    }
  }

  private void addLinks() throws SqliteException {
    try (Sqlite.Statement row = database.prepare("INSERT INTO links VALUES (NULL, ?, ?, ?, ?)")) {
      for (RelayPlan.Link link : network.links()) {
        Place from = network.nodes().get(link.from()).place();
        Place to = network.nodes().get(link.to()).place();
        // The short way across the antimeridian.
        double turns = system == WGS_84 ? Math.rint((to.first() - from.first()) / FULL_CIRCLE) : 0;
        row.bind(
            1,
            GeometryBlob.line(
                system,
                new GeometryBlob.Point(from.first(), from.second()),
                new GeometryBlob.Point(to.first() - FULL_CIRCLE * turns, to.second())));
        row.bind(2, from.id());
        row.bind(3, to.id());
        row.bind(4, link.length());
        add(row);
      }
    }
  }

  private static void add(Sqlite.Statement row) throws SqliteException {
    if (row.step()) {
      throw new IllegalStateException("a row in answer to a statement without results");
    }
    row.reset();
  }
}
