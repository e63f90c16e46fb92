package io.fieldstone.map;

import io.fieldstone.relays.Position;
import io.fieldstone.relays.Projection;
import io.fieldstone.relays.terrain.Elevation;

/**
 * The terrain below a map.
 *
 * @param elevation its heights
 * @param projection the plane of the map
 */
public record Hills(Elevation elevation, Projection projection) {

  /** Returns the height at a place of the plane; NaN where there is none. */
  double height(double x, double y) {
    Position place = projection.position(x, y);
    return elevation.covers(place.latitude(), place.longitude())
        ? elevation.height(place.latitude(), place.longitude())
        : Double.NaN;
  }
}
