package io.fieldstone.relays.terrain;

import io.fieldstone.engine.terrain.HeightGrid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Heights of a part of the earth: a grid in geographic coordinates (WGS 84), of one or more tiles.
 * Thread-safe.
 */
public final class Elevation {

  /** The maximum number of points, which take 4 bytes each. */
  public static final int MAX_POINTS = 1 << 29;

  /** Tiles may share their edges: two rows or columns at 3 seconds. */
  private static final double MAX_OVERLAP = 2.5 / 1200;

  /** A point of the grid this near to one of a tile, in cells, has its height. */
  private static final double SAME_POINT = 1e-3;

  private static final double HALF_CELL = 0.5 + 1e-6;

  private final HeightGrid grid;
  private final double north;
  private final double west;
  private final double rowStep;
  private final double columnStep;
  private final List<String> gaps;

  /**
   * Makes an elevation of a grid whose rows run from north to south.
   *
   * @param north the latitude of row 0 in degrees
   * @param west the longitude of column 0 in degrees
   * @param rowStep the degrees between rows
   * @param columnStep the degrees between columns
   */
  public Elevation(HeightGrid grid, double north, double west, double rowStep, double columnStep) {
    this(grid, north, west, rowStep, columnStep, List.of());
  }

  private Elevation(
      HeightGrid grid,
      double north,
      double west,
      double rowStep,
      double columnStep,
      List<String> gaps) {
    this.grid = grid;
    this.north = north;
    this.west = west;
    this.rowStep = rowStep;
    this.columnStep = columnStep;
    this.gaps = gaps;
  }

  /**
   * Reads the tiles that a box needs. The grid has the finest steps of these tiles; heights of
   * coarser ones are interpolated.
   *
   * @param sources all tiles
   * @param box the area of interest; the grid is its part with tiles
   * @throws MalformedTerrainException if a tile is malformed, two tiles overlap by more than their
   *     edges, none is in the box, or the grid takes more than {@link #MAX_POINTS}; the message
   *     names the files
   */
  public static Elevation of(List<TileSource> sources, GeoBox box)
      throws IOException, MalformedTerrainException {
    List<TileSource> near = new ArrayList<>();
    for (TileSource source : sources) {
      GeoBox bounds = source.bounds().near(box);
      GeoBox common = bounds.meet(box);
      if (common.west() <= common.east() && common.south() <= common.north()) {
        near.add(source);
      }
    }
    if (near.isEmpty()) {
      throw new MalformedTerrainException(
          "no heights in latitudes %.3f … %.3f, longitudes %.3f … %.3f"
              .formatted(box.south(), box.north(), box.west(), box.east()),
          sources.isEmpty() ? "no tiles" : sources.getFirst().name());
    }
    requireApart(near, box);
    List<Tile> tiles = new ArrayList<>();
    for (TileSource source : near) {
      tiles.add(source.reader().read());
    }
    return join(tiles, box);
  }

  private static void requireApart(List<TileSource> sources, GeoBox box)
      throws MalformedTerrainException {
    for (int i = 0; i < sources.size(); i++) {
      for (int j = 0; j < i; j++) {
        GeoBox one = sources.get(i).bounds().near(box);
        GeoBox other = sources.get(j).bounds().near(box);
        if (one.meet(other).exceeds(MAX_OVERLAP)) {
          throw new MalformedTerrainException(
              "overlaps " + sources.get(j).name(), sources.get(i).name());
        }
      }
    }
  }

  private static Elevation join(List<Tile> tiles, GeoBox box) throws MalformedTerrainException {
    double rowStep = tiles.stream().mapToDouble(Tile::rowStep).min().orElseThrow();
    double columnStep = tiles.stream().mapToDouble(Tile::columnStep).min().orElseThrow();
    GeoBox first = TileSource.of(tiles.getFirst()).bounds().near(box);
    GeoBox all = first;
    for (Tile tile : tiles) {
      all = all.join(TileSource.of(tile).bounds().near(box));
    }
    GeoBox part = all.meet(box);
    // The points of the first tile are points of the grid.
    long top = (long) Math.floor((first.north() - part.north()) / rowStep);
    long left = (long) Math.floor((part.west() - first.west()) / columnStep);
    long rows = (long) Math.ceil((first.north() - part.south()) / rowStep) - top + 1;
    long columns = (long) Math.ceil((part.east() - first.west()) / columnStep) - left + 1;
    rows = Math.max(2, rows);
    columns = Math.max(2, columns);
    if (rows > HeightGrid.MAX_SIDE
        || columns > HeightGrid.MAX_SIDE
        || rows * columns > MAX_POINTS) {
      throw new MalformedTerrainException(
          String.format(
              Locale.ROOT,
              "the area takes %,d×%,d heights, more than %,d in all or %,d on a side (--within"
                  + " takes less)",
              rows,
              columns,
              MAX_POINTS,
              HeightGrid.MAX_SIDE),
          tiles.getFirst().name());
    }
    double north = first.north() - top * rowStep;
    double west = first.west() + left * columnStep;
    float[] heights = new float[(int) (rows * columns)];
    Arrays.fill(heights, Float.POSITIVE_INFINITY);
    List<String> gaps = new ArrayList<>();
    for (Tile tile : tiles) {
      new Mosaic(heights, (int) rows, (int) columns, north, west, rowStep, columnStep)
          .add(tile, TileSource.of(tile).bounds().near(box), gaps);
    }
    addMissing(heights, (int) columns, north, west, rowStep, columnStep, gaps);
    for (int i = 0; i < heights.length; i++) {
      if (!(Math.abs(heights[i]) < HeightGrid.VOID)) {
        heights[i] = HeightGrid.VOID;
      }
    }
    return new Elevation(
        new HeightGrid((int) rows, (int) columns, heights),
        north,
        west,
        rowStep,
        columnStep,
        List.copyOf(gaps));
  }

  /** Names the squares of a degree that have points without a tile. */
  private static void addMissing(
      float[] heights,
      int columns,
      double north,
      double west,
      double rowStep,
      double columnStep,
      List<String> gaps) {
    Set<String> names = new TreeSet<>();
    int lastLatitude = Integer.MAX_VALUE;
    int lastLongitude = 0;
    for (int i = 0; i < heights.length - columns; i++) {
      if (heights[i] == Float.POSITIVE_INFINITY && i % columns < columns - 1) {
        // The middle of a cell is in one square.
        int latitude = (int) Math.floor(north - (Math.floorDiv(i, columns) + 0.5) * rowStep);
        int longitude = (int) Math.floor(west + (i % columns + 0.5) * columnStep);
        if (latitude != lastLatitude || longitude != lastLongitude) {
          lastLatitude = latitude;
          lastLongitude = longitude;
          int turned = Math.floorMod(longitude + 180, 360) - 180;
          names.add(
              String.format(
                  Locale.ROOT,
                  "%s%02d%s%03d",
                  latitude < 0 ? "S" : "N",
                  Math.abs(latitude),
                  turned < 0 ? "W" : "E",
                  Math.abs(turned)));
        }
      }
    }
    if (!names.isEmpty()) {
      List<String> some = names.stream().limit(8).toList();
      gaps.add(
          "no tile covers all of %s%s"
              .formatted(String.join(", ", some), names.size() > some.size() ? ", …" : ""));
    }
  }

  /** A grid under construction. */
  @SuppressWarnings("ArrayRecordComponent") // Of this class alone.
  private record Mosaic(
      float[] heights,
      int rows,
      int columns,
      double north,
      double west,
      double rowStep,
      double columnStep) {

    /** Copies the heights of a tile to points without any. */
    void add(Tile tile, GeoBox bounds, List<String> gaps) {
      int[] columnsOfTile = new int[columns];
      float[] shares = new float[columns];
      for (int column = 0; column < columns; column++) {
        double place = (west + column * columnStep - bounds.west()) / tile.columnStep();
        columnsOfTile[column] = whole(place, tile.columns());
        shares[column] = share(place, columnsOfTile[column]);
      }
      long voids = 0;
      String firstVoid = "";
      for (int row = 0; row < rows; row++) {
        double place = (tile.north() - (north - row * rowStep)) / tile.rowStep();
        int rowOfTile = whole(place, tile.rows());
        if (rowOfTile < 0) {
          continue;
        }
        float share = share(place, rowOfTile);
        for (int column = 0; column < columns; column++) {
          int at = row * columns + column;
          if (columnsOfTile[column] >= 0 && heights[at] == Float.POSITIVE_INFINITY) {
            heights[at] = height(tile, rowOfTile, share, columnsOfTile[column], shares[column]);
            if (Float.isNaN(heights[at])) {
              firstVoid =
                  voids == 0
                      ? String.format(
                          Locale.ROOT,
                          "%.5f, %.5f",
                          north - row * rowStep,
                          west + column * columnStep)
                      : firstVoid;
              voids++;
            }
          }
        }
      }
      if (voids > 0) {
        gaps.add(
            String.format(
                Locale.ROOT,
                "%,d %s no height, the first at latitude and longitude %s: %s",
                voids,
                voids == 1 ? "point has" : "points have",
                firstVoid,
                tile.name()));
      }
    }

    /** Returns the row or column at or before a place, or −1 if it is outside. */
    private static int whole(double place, int count) {
      if (!(place >= -HALF_CELL && place <= count - 1 + HALF_CELL)) {
        return -1;
      }
      double nearest = Math.rint(place);
      double at = Math.abs(place - nearest) < SAME_POINT ? nearest : Math.floor(place);
      return (int) Math.clamp(at, 0, count - 1);
    }

    private static float share(double place, int whole) {
      double share = place - whole;
      return share < SAME_POINT || share > 1 - SAME_POINT ? 0 : (float) share;
    }

    private static float height(Tile tile, int row, float down, int column, float right) {
      int at = row * tile.columns() + column;
      float[] heights = tile.heights();
      int next = right > 0 && column + 1 < tile.columns() ? 1 : 0;
      float upper = mixed(heights[at], heights[at + next], right);
      if (down == 0 || row + 1 == tile.rows()) {
        return upper;
      }
      int below = at + tile.columns();
      return mixed(upper, mixed(heights[below], heights[below + next], right), down);
    }

    private static float mixed(float one, float other, float share) {
      return share == 0 ? one : one + share * (other - one);
    }
  }

  /** Returns the grid. */
  public HeightGrid grid() {
    return grid;
  }

  /** Returns a line for each file with points without data, and one for missing tiles. */
  public List<String> gaps() {
    return gaps;
  }

  /** Returns the row of a latitude, which may lie outside the grid. */
  public double row(double latitude) {
    return (north - latitude) / rowStep;
  }

  /** Returns the column of a longitude, which may lie outside the grid. */
  public double column(double longitude) {
    double middle = west + columnStep * (grid.columns() - 1) / 2;
    double turned =
        longitude - GeoBox.FULL_CIRCLE * Math.rint((longitude - middle) / GeoBox.FULL_CIRCLE);
    return (turned - west) / columnStep;
  }

  /** Returns the latitude of a row. */
  public double latitude(double row) {
    return north - row * rowStep;
  }

  /** Returns the longitude of a column. */
  public double longitude(double column) {
    return west + column * columnStep;
  }

  /** Returns the degrees between rows. */
  public double rowStep() {
    return rowStep;
  }

  /** Returns the degrees between columns. */
  public double columnStep() {
    return columnStep;
  }

  /** Returns whether a place is in the grid, with data around it. */
  public boolean covers(double latitude, double longitude) {
    return isInside(latitude, longitude) && height(latitude, longitude) < HeightGrid.VOID / 2;
  }

  /** Returns whether a place is in the grid. */
  public boolean isInside(double latitude, double longitude) {
    double row = row(latitude);
    double column = column(longitude);
    return row >= 0 && row <= grid.rows() - 1 && column >= 0 && column <= grid.columns() - 1;
  }

  /** Returns the height at a place in metres; outside the grid, that of its edge. */
  public double height(double latitude, double longitude) {
    return grid.at((float) row(latitude), (float) column(longitude));
  }
}
