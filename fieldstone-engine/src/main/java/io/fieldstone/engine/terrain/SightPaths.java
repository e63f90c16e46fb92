package io.fieldstone.engine.terrain;

import java.util.Arrays;

/**
 * Paths between places above a {@link HeightGrid}, each with its length and its bend. A path is the
 * same in both directions. Not thread-safe while paths are added.
 *
 * <p>Share t of a path, 0 … 1, is at row (1 − t)·row₀ + t·row₁ + t(1 − t)·bend, and likewise for
 * columns and, without a bend, for heights. The bend lets a straight line of the grid follow a
 * great circle. Samples are at t = i/n for i = 1 … n − 1, where n is the larger number of rows and
 * columns between the ends, rounded up: one for each point of the grid.
 *
 * <p>At a distance of d₁ from one end and d₂ from the other of a path of length d, terrain is
 * raised by the curvature of the earth, d₁d₂/2kρ, and must keep a distance of c√(λd₁d₂/d) from the
 * line: the fraction c of the radius of the first Fresnel zone. Source: ITU-R P.526.
 */
public final class SightPaths {

  /** The number of floats of a path; see {@link #fields}. */
  public static final int FIELDS = 9;

  private static final int ROW = 0;
  private static final int COLUMN = 1;
  private static final int HEIGHT = 2;

  /** The distance between the fields of the two ends. */
  private static final int END = 3;

  private static final int ROW_BEND = 6;
  private static final int COLUMN_BEND = 7;
  private static final int LENGTH = 8;

  private static final int INITIAL_PATHS = 64;

  private final float curvature;
  private final float zone;
  private float[] fields = new float[INITIAL_PATHS * FIELDS];
  private int count;

  /**
   * Makes an empty list.
   *
   * @param curvature 1/2kρ per metre, where ρ is the radius of the earth and k that of refraction;
   *     0 for a plane
   * @param zone c²λ in metres, where c is the fraction of the first Fresnel zone that must be clear
   *     and λ the wavelength; 0 for optical sight
   * @throws IllegalArgumentException if a value is negative or not finite
   */
  public SightPaths(double curvature, double zone) {
    this.curvature = (float) curvature;
    this.zone = (float) zone;
    if (!(this.curvature >= 0 && this.curvature < Float.POSITIVE_INFINITY)
        || !(this.zone >= 0 && this.zone < Float.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "curvature %s and zone %s are not both finite and at least 0".formatted(curvature, zone));
    }
  }

  /**
   * Adds a path. Its ends are ordered, so that both directions are the same path.
   *
   * @param from one end: row, column, height in metres
   * @param to the other end
   * @param rowBend four times the distance in rows of the middle of the path from the middle of the
   *     straight line
   * @param columnBend the same in columns
   * @param length the length in metres
   */
  public void add(float[] from, float[] to, float rowBend, float columnBend, float length) {
    if ((count + 1) * FIELDS > fields.length) {
      fields = Arrays.copyOf(fields, 2 * fields.length);
    }
    boolean isOrdered = Arrays.compare(from, to) <= 0;
    int at = count * FIELDS;
    System.arraycopy(isOrdered ? from : to, 0, fields, at, END);
    System.arraycopy(isOrdered ? to : from, 0, fields, at + END, END);
    fields[at + ROW_BEND] = rowBend;
    fields[at + COLUMN_BEND] = columnBend;
    fields[at + LENGTH] = length;
    count++;
  }

  /** Removes all paths. */
  public void clear() {
    count = 0;
  }

  /** Returns the number of paths. */
  public int count() {
    return count;
  }

  /** Returns 1/2kρ per metre. */
  public float curvature() {
    return curvature;
  }

  /** Returns c²λ in metres. */
  public float zone() {
    return zone;
  }

  /**
   * Returns the fields of all paths, {@link #FIELDS} of each: row, column and height of one end and
   * of the other, the bends of rows and of columns, and the length. The internal array, which must
   * not be changed.
   */
  public float[] fields() {
    return fields;
  }

  /** Returns n, the number of parts of a path between its samples; at least 1. */
  public int steps(int path) {
    int at = path * FIELDS;
    float rows = Math.abs(fields[at + END + ROW] - fields[at + ROW]);
    float columns = Math.abs(fields[at + END + COLUMN] - fields[at + COLUMN]);
    return Math.max(1, (int) Math.ceil(Math.max(rows, columns)));
  }

  /** Returns the number of samples of all paths, to which the time of a survey is proportional. */
  public long samples() {
    long samples = 0;
    for (int path = 0; path < count; path++) {
      samples += steps(path) - 1;
    }
    return samples;
  }

  /**
   * Returns the least height of a path above what it must clear, in metres: its ends see each other
   * if this is at least 0. A path without samples has an infinite margin. This is the definition;
   * all arithmetic is in single precision, without fused operations.
   */
  public float margin(HeightGrid grid, int path) {
    int steps = steps(path);
    float share = 1f / steps;
    float least = Float.POSITIVE_INFINITY;
    for (int i = 1; i < steps; i++) {
      least = Math.min(least, margin(grid, path, i * share));
    }
    return least;
  }

  /** Returns the height of share t of a path above what it must clear, in metres. */
  public float margin(HeightGrid grid, int path, float t) {
    int at = path * FIELDS;
    float u = 1 - t;
    float both = t * u;
    float length = fields[at + LENGTH];
    float line = fields[at + HEIGHT] * u + fields[at + END + HEIGHT] * t;
    float bulge = length * length * both * curvature;
    float radius = (float) Math.sqrt(length * both * zone);
    return line - height(grid, path, t) - bulge - radius;
  }

  /** Returns the height of the terrain at share t of a path. */
  public float height(HeightGrid grid, int path, float t) {
    int at = path * FIELDS;
    float u = 1 - t;
    float both = t * u;
    return grid.at(
        fields[at + ROW] * u + fields[at + END + ROW] * t + fields[at + ROW_BEND] * both,
        fields[at + COLUMN] * u + fields[at + END + COLUMN] * t + fields[at + COLUMN_BEND] * both);
  }

  /**
   * Checks that the ends of all paths are in a grid.
   *
   * @throws IllegalArgumentException if one is not, or a field is not finite; the message names it
   */
  public void requireInside(HeightGrid grid) {
    for (int path = 0; path < count; path++) {
      int at = path * FIELDS;
      for (int end = at; end < at + 2 * END; end += END) {
        float row = fields[end + ROW];
        float column = fields[end + COLUMN];
        if (!(row >= 0
            && row <= grid.rows() - 1f
            && column >= 0
            && column <= grid.columns() - 1f)) {
          throw new IllegalArgumentException(
              "path %d ends in row %s, column %s, outside %d×%d points"
                  .formatted(path, row, column, grid.rows(), grid.columns()));
        }
      }
      for (int field = at; field < at + FIELDS; field++) {
        if (!Float.isFinite(fields[field])) {
          throw new IllegalArgumentException(
              "field %d of path %d is %s".formatted(field - at, path, fields[field]));
        }
      }
    }
  }
}
