package io.fieldstone.cli.terrain;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.relays.SensorField;
import io.fieldstone.relays.terrain.Elevation;
import io.fieldstone.relays.terrain.MalformedTerrainException;
import io.fieldstone.relays.terrain.RadioLink;
import io.fieldstone.relays.terrain.TerrainPlanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of plans over terrain. */
public final class TerrainOptions {

  private static final double MEGAHERTZ = 1e6;
  private static final double GIGAHERTZ = 1e9;
  private static final Pattern FREQUENCY =
      Pattern.compile("([0-9]+\\.?[0-9]*|\\.[0-9]+) *(mhz|ghz)?");
  private static final double USUAL_HEIGHT = 10;
  private static final double USUAL_MEGAHERTZ = 868;

  @Option(
      names = "--dem",
      paramLabel = "DEM",
      description =
          "Plan over terrain: link only what is in range and in sight. DEM is a file or a folder of"
              + " heights: SRTM (.hgt, .hgt.gz, .hgt.zip) or GeoTIFF in degrees (.tif).")
  private @Nullable Path dem;

  @Option(
      names = "--height",
      paramLabel = "H[,H]",
      description =
          "With --dem: height of antennas above the ground in metres, or that of sensors and that"
              + " of relays; 10 is the default.")
  private @Nullable String height;

  @Option(
      names = "--frequency",
      paramLabel = "F",
      description = "With --dem: frequency in MHz, or with a unit: 868MHz (the default), 2.4GHz.")
  private @Nullable String frequency;

  @Option(
      names = "--clearance",
      paramLabel = "FRACTION",
      converter = Converters.Fraction.class,
      description =
          "With --dem: fraction of the first Fresnel zone that must be clear; 60%% is the default,"
              + " 0 is optical sight.")
  private @Nullable Double clearance;

  @Option(
      names = "--profiles",
      paramLabel = "FILE.svg",
      description = "With --dem: draw the terrain along the links to FILE.svg.")
  private @Nullable Path profiles;

  /** Returns the heights, if a plan over terrain is asked for. */
  public Optional<Path> dem() {
    return Optional.ofNullable(dem);
  }

  /** Returns the file of profiles. */
  public @Nullable Path profiles() {
    return profiles;
  }

  /** Checks that no option of this kind is given without heights. */
  public void check(CommandSpec spec) {
    if (dem == null
        && (height != null || frequency != null || clearance != null || profiles != null)) {
      throw Converters.usage(spec, "--height, --frequency, --clearance and --profiles need --dem");
    }
    if (dem != null) {
      radio(spec, 1);
    }
  }

  /** Returns what links two stations. */
  public RadioLink radio(CommandSpec spec, double range) {
    double[] heights = heights(spec);
    try {
      return new RadioLink(
          range,
          heights[0],
          heights[1],
          hertz(spec),
          clearance == null ? RadioLink.USUAL_CLEARANCE : clearance);
    } catch (IllegalArgumentException e) {
      throw Converters.usage(spec, "--" + e.getMessage());
    }
  }

  private double[] heights(CommandSpec spec) {
    if (height == null) {
      return new double[] {USUAL_HEIGHT, USUAL_HEIGHT};
    }
    String[] parts = height.split(",", -1);
    try {
      double sensors = Double.parseDouble(parts[0]);
      if (parts.length <= 2) {
        return new double[] {sensors, parts.length == 2 ? Double.parseDouble(parts[1]) : sensors};
      }
    } catch (NumberFormatException _) {
      // reported below
    }
    throw Converters.usage(
        spec, "--height '%s' is no height in metres, nor two such as 2,10".formatted(height));
  }

  private double hertz(CommandSpec spec) {
    if (frequency == null) {
      return USUAL_MEGAHERTZ * MEGAHERTZ;
    }
    Matcher matcher = FREQUENCY.matcher(frequency.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw Converters.usage(
          spec, "--frequency '%s' is no frequency such as 868MHz or 2.4GHz".formatted(frequency));
    }
    return Double.parseDouble(matcher.group(1))
        * ("ghz".equals(matcher.group(2)) ? GIGAHERTZ : MEGAHERTZ);
  }

  /**
   * Reads the heights around sensors.
   *
   * @param hints receives a line for voids and missing tiles
   */
  public Elevation elevation(SensorField sensors, double range, Consumer<String> hints)
      throws IOException, MalformedTerrainException {
    Path path = dem().orElseThrow();
    Elevation elevation = Elevation.of(DemFiles.of(path), TerrainPlanner.area(sensors, range));
    for (String gap : elevation.gaps()) {
      hints.accept(gap + " (no link crosses it)");
    }
    return elevation;
  }
}
