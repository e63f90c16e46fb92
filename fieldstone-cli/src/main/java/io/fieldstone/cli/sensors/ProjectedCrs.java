package io.fieldstone.cli.sensors;

import io.fieldstone.chart.drawing.DecimalText;
import java.util.Locale;
import org.locationtech.proj4j.CRSFactory;
import org.locationtech.proj4j.CoordinateReferenceSystem;
import org.locationtech.proj4j.CoordinateTransform;
import org.locationtech.proj4j.CoordinateTransformFactory;
import org.locationtech.proj4j.Proj4jException;
import org.locationtech.proj4j.ProjCoordinate;

/**
 * A coordinate reference system, by its code in the EPSG register or by parameters of PROJ. x is
 * the easting or the longitude, y the northing or the latitude, in any order of axes of the
 * register. For one thread at a time.
 */
public final class ProjectedCrs {

  private static final String EPSG = "EPSG:";
  private static final String PARAMETERS = "+";
  private static final String WGS_84 = "+proj=longlat +datum=WGS84 +no_defs";

  private final String name;
  private final CoordinateTransform toDegrees;
  private final CoordinateTransform fromDegrees;

  private ProjectedCrs(
      String name, CoordinateReferenceSystem crs, CoordinateReferenceSystem wgs84) {
    this.name = name;
    CoordinateTransformFactory transforms = new CoordinateTransformFactory();
    this.toDegrees = transforms.createTransform(crs, wgs84);
    this.fromDegrees = transforms.createTransform(wgs84, crs);
  }

  /**
   * Returns a system by its name.
   *
   * @param name {@code EPSG:} and a code, a code alone, or parameters that begin with {@code +}
   * @throws IllegalArgumentException if the system is unknown or not supported; the message names
   *     it
   */
  public static ProjectedCrs of(String name) {
    String given = name.strip();
    try {
      CRSFactory systems = new CRSFactory();
      CoordinateReferenceSystem crs =
          given.startsWith(PARAMETERS)
              ? systems.createFromParameters(given, given)
              : systems.createFromName(qualified(given));
      return new ProjectedCrs(given, crs, systems.createFromParameters("WGS 84", WGS_84));
    } catch (Proj4jException | IllegalArgumentException | IllegalStateException e) {
      throw new IllegalArgumentException(
          "'%s' is no known coordinate reference system, such as EPSG:25832: %s"
              .formatted(Excerpt.of(given), e.getMessage()),
          e);
    }
  }

  private static String qualified(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    String code = upper.startsWith(EPSG) ? upper.substring(EPSG.length()) : upper;
    if (!code.matches("[0-9]{1,6}")) {
      throw new IllegalArgumentException("not a code of the EPSG register");
    }
    return EPSG + code;
  }

  /**
   * Converts x and y to the longitude and latitude in degrees of WGS 84.
   *
   * @return longitude, latitude
   * @throws IllegalArgumentException if the system has no such point
   */
  double[] toDegrees(double x, double y) {
    return transform(toDegrees, x, y);
  }

  /**
   * Converts longitude and latitude to x and y.
   *
   * @throws IllegalArgumentException if the system has no such point
   */
  public double[] fromDegrees(double longitude, double latitude) {
    return transform(fromDegrees, longitude, latitude);
  }

  private double[] transform(CoordinateTransform transform, double first, double second) {
    ProjCoordinate result = new ProjCoordinate();
    try {
      transform.transform(new ProjCoordinate(first, second), result);
    } catch (Proj4jException | IllegalStateException e) {
      throw new IllegalArgumentException(problem(first, second), e);
    }
    if (!Double.isFinite(result.x) || !Double.isFinite(result.y)) {
      throw new IllegalArgumentException(problem(first, second));
    }
    return new double[] {result.x, result.y};
  }

  private String problem(double first, double second) {
    return "%s, %s is no point of %s"
        .formatted(DecimalText.of(first), DecimalText.of(second), name);
  }

  /** Returns the name as given. */
  @Override
  public String toString() {
    return name;
  }
}
