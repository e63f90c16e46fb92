package io.fieldstone.relays.terrain;

import io.fieldstone.engine.terrain.HeightGrid;
import io.fieldstone.engine.terrain.SightPaths;

/**
 * The terrain along a link, at equal distances from one end to the other, in metres. The arrays are
 * not copied, and not to be changed.
 *
 * @param length the length of the link
 * @param margin the least height of the line above what it must clear; infinite for neighbours
 * @param ground the heights of the ground, raised by the curvature of the earth
 * @param line the heights of the line between the antennas
 * @param zone the distance that the ground must keep from the line
 */
@SuppressWarnings("ArrayRecordComponent") // Documented as not copied.
public record Profile(double length, float margin, float[] ground, float[] line, float[] zone) {

  private static final int MAX_POINTS = 400;

  /** Returns the profile of a path. */
  static Profile of(HeightGrid grid, SightPaths paths, int path, boolean isTurned) {
    int points = Math.min(MAX_POINTS, paths.steps(path)) + 1;
    float[] fields = paths.fields();
    int at = path * SightPaths.FIELDS;
    float length = fields[at + SightPaths.FIELDS - 1];
    float[] ground = new float[points];
    float[] line = new float[points];
    float[] zone = new float[points];
    for (int i = 0; i < points; i++) {
      float share = (float) i / (points - 1);
      float t = isTurned ? 1 - share : share;
      float both = t * (1 - t);
      ground[i] = paths.height(grid, path, t) + length * length * both * paths.curvature();
      line[i] = fields[at + 2] * (1 - t) + fields[at + 5] * t;
      zone[i] = (float) Math.sqrt(Math.max(0, length * both * paths.zone()));
    }
    return new Profile(length, paths.margin(grid, path), ground, line, zone);
  }
}
