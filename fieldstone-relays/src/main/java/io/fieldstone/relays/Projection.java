package io.fieldstone.relays;

/**
 * A projection of the earth's surface around a centre to a plane, in metres: x to the east, y to
 * the north. It is azimuthal equidistant, on a sphere of the earth's mean radius.
 *
 * <p>Distances from the centre are those on the sphere. At distance c from it, perpendicular
 * distances are too long by the fraction c² / 6ρ², where ρ is the radius: 0.004% at 100 km, 0.4% at
 * 1000 km. The flattening of the earth adds up to 0.3%.
 *
 * @param latitude the latitude of the centre in degrees
 * @param longitude the longitude of the centre in degrees
 */
public record Projection(double latitude, double longitude) {

  /** The mean radius of the earth (IUGG), in metres. */
  public static final double EARTH_RADIUS = 6_371_008.8;

  private static final int X = 0;
  private static final int Y = 1;
  private static final int Z = 2;

  /**
   * Returns a projection around the centre of some points; around the north pole if their centre is
   * undefined.
   */
  static Projection around(double[] latitudes, double[] longitudes) {
    double[] sum = new double[3];
    for (int i = 0; i < latitudes.length; i++) {
      double[] direction = direction(latitudes[i], longitudes[i]);
      sum[X] += direction[X];
      sum[Y] += direction[Y];
      sum[Z] += direction[Z];
    }
    return new Projection(
        Math.toDegrees(Math.atan2(sum[Z], Math.hypot(sum[X], sum[Y]))),
        Math.toDegrees(Math.atan2(sum[Y], sum[X])));
  }

  /** Returns the distance of a place from the centre in metres, along the sphere. */
  public double distance(double latitude, double longitude) {
    double[] place = place(latitude, longitude);
    return Math.hypot(place[X], place[Y]);
  }

  /** Returns the coordinates x and y of a place given in degrees. */
  public double[] place(double latitude, double longitude) {
    double[] local = local(direction(latitude, longitude));
    double sine = Math.hypot(local[Y], local[Z]);
    double scale = sine == 0 ? 1 : Math.atan2(sine, local[X]) / sine;
    return new double[] {EARTH_RADIUS * scale * local[Y], EARTH_RADIUS * scale * local[Z]};
  }

  /** Returns the latitude and longitude of a place given by coordinates. */
  public Position position(double x, double y) {
    double angle = Math.hypot(x, y) / EARTH_RADIUS;
    double scale = angle == 0 ? 1 : Math.sin(angle) / angle / EARTH_RADIUS;
    double up = Math.cos(angle);
    double east = scale * x;
    double north = scale * y;
    double phi = Math.toRadians(latitude);
    double lambda = Math.toRadians(longitude);
    double outward = up * Math.cos(phi) - north * Math.sin(phi);
    double z = up * Math.sin(phi) + north * Math.cos(phi);
    double ex = outward * Math.cos(lambda) - east * Math.sin(lambda);
    double ey = outward * Math.sin(lambda) + east * Math.cos(lambda);
    return new Position(
        Math.toDegrees(Math.atan2(z, Math.hypot(ex, ey))), Math.toDegrees(Math.atan2(ey, ex)));
  }

  /** Returns a direction in the frame of the centre: up, east, north. */
  private double[] local(double[] direction) {
    double phi = Math.toRadians(latitude);
    double lambda = Math.toRadians(longitude);
    double outward = direction[X] * Math.cos(lambda) + direction[Y] * Math.sin(lambda);
    return new double[] {
      outward * Math.cos(phi) + direction[Z] * Math.sin(phi),
      direction[Y] * Math.cos(lambda) - direction[X] * Math.sin(lambda),
      direction[Z] * Math.cos(phi) - outward * Math.sin(phi)
    };
  }

  private static double[] direction(double latitude, double longitude) {
    double phi = Math.toRadians(latitude);
    double lambda = Math.toRadians(longitude);
    return new double[] {
      Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)
    };
  }
}
