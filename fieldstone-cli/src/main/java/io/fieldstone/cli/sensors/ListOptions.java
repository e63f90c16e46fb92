package io.fieldstone.cli.sensors;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextInput;
import io.fieldstone.cli.sqlite.Sqlite;
import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how lists of places are read. */
public final class ListOptions {

  @Option(
      names = "--columns",
      paramLabel = "X,Y",
      description =
          "Names of the two CSV columns with the coordinates: degrees if the names are lat and lon,"
              + " x and y otherwise.")
  private @Nullable String columns;

  @Option(
      names = "--id",
      paramLabel = "NAME",
      description =
          "Name of the column of CSV or GeoPackage, or of the GeoJSON property, with the ids.")
  private Optional<String> id = Optional.empty();

  @Option(
      names = "--layer",
      paramLabel = "TABLE",
      description = "Table of points of GeoPackage files that have several.")
  private Optional<String> layer = Optional.empty();

  @Option(
      names = "--crs",
      paramLabel = "CRS",
      description =
          "Coordinate reference system of x and y, such as EPSG:25832, or parameters of PROJ. R is"
              + " in metres then; GeoJSON plans have degrees, CSV plans x and y.")
  private @Nullable String crs;

  @Option(
      names = "--within",
      paramLabel = "BOX",
      description =
          "Leave out places outside WEST,SOUTH,EAST,NORTH, in the coordinates of the file.")
  private @Nullable String within;

  @Option(
      names = "--planar",
      description =
          "Read coordinates of GeoJSON and GeoPackage as planar, in the unit of R, instead of"
              + " degrees.")
  private boolean isPlanar;

  /** Returns whether coordinates are of a plane. */
  public boolean isPlanar() {
    return isPlanar;
  }

  /**
   * Reads a list.
   *
   * @param unused the quantities that are not read, with the circumstances
   */
  public PlaceList read(Session session, Path file, Map<Quantity, String> unused)
      throws IOException, Failure, MalformedSensorsException {
    byte[] bytes = TextInput.bytes(session, file);
    if (Sqlite.isDatabase(bytes) && !InputFiles.isStandardStream(file)) {
      Path log = file.resolveSibling(file.getFileName() + "-wal");
      if (Files.exists(log) && Files.size(log) > 0) {
        session.warn("another program has changes that are not in it yet: " + file);
      }
    }
    return new PlaceReader(format(session).without(unused), session::warn)
        .read(TextInput.name(file), bytes);
  }

  /** Returns the format of lists; a mistake in it is a usage error. */
  public ListFormat format(Session session) {
    if (isPlanar && crs != null) {
      throw session.usage("--crs excludes --planar");
    }
    return ListFormat.of(isPlanar ? Coordinates.PLANAR : Coordinates.DEGREES)
        .withColumns(columns(session))
        .withId(id)
        .withLayer(layer)
        .withCrs(session.parsed("--crs", crs, ProjectedCrs::of))
        .within(session.parsed("--within", within, Box::parse));
  }

  private Optional<Columns> columns(Session session) {
    if (columns == null) {
      return Optional.empty();
    }
    String[] names = columns.split(",", -1);
    if (names.length != 2
        || names[0].isBlank()
        || names[1].isBlank()
        || names[0].equals(names[1])) {
      throw session.usage("--columns '%s' does not name two columns".formatted(columns));
    }
    return Optional.of(new Columns(names[0], names[1]));
  }
}
