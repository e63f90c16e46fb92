package io.fieldstone.cli.sensors;

import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Quantity;
import java.util.Map;
import java.util.Optional;

/**
 * How to read lists of sensors and sites.
 *
 * @param geoJson the kind of coordinates in GeoJSON, which are degrees by RFC 7946
 * @param columns the CSV columns of the coordinates; if empty, the columns with the usual names
 * @param id the CSV column or the GeoJSON property of the id; if empty, {@code id}
 * @param layer the table of points in a GeoPackage that has several
 * @param crs the coordinate reference system of x and y, which are converted to degrees
 * @param within the box in the file's coordinates outside which places are left out
 * @param unused the quantities that are not read, with the circumstances in which they have no
 *     effect, such as "without --dem"
 */
public record ListFormat(
    Coordinates geoJson,
    Optional<Columns> columns,
    Optional<String> id,
    Optional<String> layer,
    Optional<ProjectedCrs> crs,
    Optional<Box> within,
    Map<Quantity, String> unused) {

  /** Copies the map. */
  public ListFormat {
    unused = Map.copyOf(unused);
  }

  /** Returns the format of lists with the usual names. */
  public static ListFormat of(Coordinates geoJson) {
    return new ListFormat(
        geoJson,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of());
  }

  /** Returns this format with named columns of coordinates. */
  public ListFormat withColumns(Optional<Columns> names) {
    return new ListFormat(geoJson, names, id, layer, crs, within, unused);
  }

  /** Returns this format with a named column or property of the id. */
  public ListFormat withId(Optional<String> name) {
    return new ListFormat(geoJson, columns, name, layer, crs, within, unused);
  }

  /** Returns this format with the name of a table of points. */
  public ListFormat withLayer(Optional<String> table) {
    return new ListFormat(geoJson, columns, id, table, crs, within, unused);
  }

  /** Returns this format with x and y in a coordinate reference system. */
  public ListFormat withCrs(Optional<ProjectedCrs> system) {
    return new ListFormat(geoJson, columns, id, layer, system, within, unused);
  }

  /** Returns this format without the places outside a box. */
  public ListFormat within(Optional<Box> box) {
    return new ListFormat(geoJson, columns, id, layer, crs, box, unused);
  }

  /** Returns this format without some quantities, each with the circumstances. */
  public ListFormat without(Map<Quantity, String> quantities) {
    return new ListFormat(geoJson, columns, id, layer, crs, within, quantities);
  }
}
