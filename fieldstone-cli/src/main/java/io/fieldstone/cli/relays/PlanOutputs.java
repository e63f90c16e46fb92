package io.fieldstone.cli.relays;

import io.fieldstone.chart.Fonts;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.OutputText;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.sensors.PlanGeoPackage;
import io.fieldstone.cli.sensors.PlanKml;
import io.fieldstone.cli.sensors.ProjectedCrs;
import io.fieldstone.cli.sqlite.SqliteException;
import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Hills;
import io.fieldstone.map.HtmlMap;
import io.fieldstone.map.Network;
import io.fieldstone.map.PlanCsv;
import io.fieldstone.map.PlanGeoJson;
import io.fieldstone.map.RelayMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code relays} that write a plan and its map. */
final class PlanOutputs {

  private static final String GEOJSON = ".geojson";
  private static final String CSV = ".csv";
  private static final String HTML = ".html";
  private static final String KML = ".kml";
  private static final String KMZ = ".kmz";
  private static final String GEOPACKAGE = ".gpkg";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "Write the plan to FILE (.geojson, .csv, .kml, .kmz or .gpkg); - writes GeoJSON to"
              + " standard output.")
  private @Nullable Path output;

  @Option(
      names = "--map",
      paramLabel = "FILE",
      description =
          "Draw a map of the plan to FILE, as SVG, PNG, or HTML with search and zoom, by its"
              + " extension.")
  private @Nullable Path map;

  @Option(
      names = "--tiles",
      paramLabel = "URL",
      description =
          "Tiles behind an HTML map of degrees, such as"
              + " https://tile.openstreetmap.org/{z}/{x}/{y}.png. Without it the page requests"
              + " nothing.")
  private @Nullable String tiles;

  /** Returns the file of the plan; null if there is none, or it is standard output. */
  @Nullable Path planFile() {
    return isOnStandardOutput() ? null : output;
  }

  /** Returns the file of the map. */
  @Nullable Path map() {
    return map;
  }

  /** Returns whether anything is written. */
  boolean isAny() {
    return output != null || map != null;
  }

  /** Returns whether the plan is on standard output. */
  boolean isOnStandardOutput() {
    return output != null && InputFiles.isStandardOutput(output);
  }

  /** Returns whether links are shown, which a CSV plan does not have. */
  boolean haveLinks() {
    return (output != null && !InputFiles.hasEnding(output, CSV)) || map != null;
  }

  /** Checks the names of files. */
  void check(Session session) {
    session.requireOneOnStandardOutput("-o", isOnStandardOutput());
    if (output != null && !isOnStandardOutput()) {
      InputFiles.requireEnding(session.command(), "-o", output, GEOJSON, CSV, KML, KMZ, GEOPACKAGE);
    }
    if (map != null) {
      InputFiles.requireEnding(
          session.command(), "--map", map, InputFiles.SVG, InputFiles.PNG, HTML);
    }
    if (tiles != null && (map == null || !InputFiles.hasEnding(map, HTML))) {
      throw session.usage("--tiles is for --map FILE.html");
    }
    parsedTiles(session);
  }

  private Optional<HtmlMap.Tiles> parsedTiles(Session session) {
    return session.parsed("--tiles", tiles, HtmlMap.Tiles::parse);
  }

  /**
   * Writes the plan and its map.
   *
   * @param crs the system of x and y in the list of sensors
   * @param hills the terrain behind the map
   */
  void write(Session session, Network network, Optional<ProjectedCrs> crs, Optional<Hills> hills)
      throws IOException, Failure {
    if (output != null) {
      List<byte[]> parts = formatted(session, output, network, crs);
      if (isOnStandardOutput()) {
        for (byte[] part : parts) {
          session.streams().out().print(new String(part, StandardCharsets.UTF_8));
        }
      } else {
        OutputText.write(output, parts);
      }
    }
    if (map != null && InputFiles.hasEnding(map, InputFiles.PNG)) {
      OutputText.write(map, png(session, map, network, hills));
    } else if (map != null && InputFiles.hasEnding(map, HTML)) {
      if (tiles != null && network.coordinates() == Coordinates.PLANAR) {
        throw session.usage("--tiles needs sensors in degrees, or --crs");
      }
      OutputText.write(map, HtmlMap.of(network, parsedTiles(session), hills));
    } else if (map != null) {
      OutputText.write(map, RelayMap.svg(network, hills));
    }
  }

  private static List<byte[]> formatted(
      Session session, Path file, Network network, Optional<ProjectedCrs> crs) throws Failure {
    if (InputFiles.hasEnding(file, GEOPACKAGE)) {
      try {
        return List.of(PlanGeoPackage.of(network));
      } catch (SqliteException e) {
        throw new Failure(String.valueOf(e.getMessage()), file, e);
      }
    }
    if (InputFiles.hasEnding(file, KML) || InputFiles.hasEnding(file, KMZ)) {
      if (network.coordinates() == Coordinates.PLANAR) {
        throw session.usage("-o %s: KML has degrees, the sensors have x, y".formatted(file));
      }
      return List.of(
          InputFiles.hasEnding(file, KML) ? PlanKml.of(network) : PlanKml.archive(network));
    }
    return InputFiles.hasEnding(file, CSV)
        ? crs.map(plane -> PlanCsv.of(network, plane::fromDegrees))
            .orElseGet(() -> PlanCsv.of(network, session.threads()))
        : PlanGeoJson.of(network, session.threads());
  }

  private static byte[] png(Session session, Path file, Network network, Optional<Hills> hills)
      throws Failure {
    Optional<byte[]> png = RelayMap.png(network, hills);
    if (png.isEmpty()) {
      throw new Failure(
          "PNG needs the java.desktop module, which this Java runtime lacks; use .svg", file);
    }
    if (!Fonts.arePresent()) {
      session.warn("no fonts on this machine, so the map has no text: " + file);
    }
    return png.get();
  }
}
