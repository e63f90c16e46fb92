package io.fieldstone.cli.terrain;

import io.fieldstone.relays.terrain.GeoBox;
import io.fieldstone.relays.terrain.MalformedTerrainException;
import io.fieldstone.relays.terrain.Tile;
import io.fieldstone.relays.terrain.TileSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import mil.nga.tiff.FieldTagType;
import mil.nga.tiff.FileDirectory;
import mil.nga.tiff.FileDirectoryEntry;
import mil.nga.tiff.Rasters;
import mil.nga.tiff.TiffReader;
import mil.nga.tiff.util.TiffException;

/**
 * Reads heights of a GeoTIFF with one band in degrees of WGS 84, such as a tile of Copernicus
 * GLO-30. Sources: OGC 19-008r4; the tag GDAL_NODATA of GDAL.
 */
public final class GeoTiff {

  private static final int MODEL_TYPE = 1024;
  private static final int RASTER_TYPE = 1025;
  private static final int GEOGRAPHIC_TYPE = 2048;
  private static final int PROJECTED_TYPE = 3072;
  private static final int GEOGRAPHIC = 2;
  private static final int PIXEL_IS_POINT = 2;
  private static final int KEY_INTS = 4;

  /** WGS 84 (two and three dimensions), and systems within two metres of it: ETRS89, NAD83. */
  private static final Set<Integer> WGS_84 = Set.of(4326, 4979, 4258, 4269);

  private static final int MAX_SIDE = 1 << 16;

  /** No compression of TIFF has more heights for a byte. */
  private static final long MAX_RATIO = 2000;

  private static final int MAX_POINTS = 1 << 28;

  /** The lowest and the highest height that is no error of the file. */
  private static final float MAX_HEIGHT = 20_000;

  private GeoTiff() {}

  /** Returns whether a file has the ending of a TIFF. */
  static boolean isName(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".tif") || name.endsWith(".tiff");
  }

  /** Returns a file whose bounds are known, and whose heights are read later. */
  static TileSource source(Path file) throws IOException, MalformedTerrainException {
    Frame frame = Frame.of(directory(file.toString(), Files.readAllBytes(file)), file.toString());
    return new TileSource(
        file.toString(),
        new GeoBox(
            frame.west(),
            frame.north() - frame.rowStep() * (frame.rows() - 1),
            frame.west() + frame.columnStep() * (frame.columns() - 1),
            frame.north()),
        () -> parse(file.toString(), Files.readAllBytes(file)));
  }

  /**
   * Reads a tile.
   *
   * @param name the name of the file, for messages
   * @throws MalformedTerrainException if it is malformed or of another kind; the message says what
   */
  static Tile parse(String name, byte[] bytes) throws MalformedTerrainException {
    FileDirectory directory = directory(name, bytes);
    Frame frame = Frame.of(directory, name);
    double noData = noData(directory, name);
    if ((long) frame.rows() * frame.columns() > bytes.length * MAX_RATIO) {
      throw new MalformedTerrainException(
          "%d bytes are too few for %d×%d heights"
              .formatted(bytes.length, frame.rows(), frame.columns()),
          name);
    }
    TiffParts.requireWhole(directory, bytes, name);
    float[] heights = new float[frame.rows() * frame.columns()];
    try {
      Rasters rasters = directory.readRasters();
      for (int row = 0; row < frame.rows(); row++) {
        for (int column = 0; column < frame.columns(); column++) {
          float height = rasters.getPixelSample(0, column, row).floatValue();
          boolean isVoid = height == (float) noData || !(Math.abs(height) <= MAX_HEIGHT);
          heights[row * frame.columns() + column] = isVoid ? Float.NaN : height;
        }
      }
    } catch (RuntimeException e) {
      throw damaged(e, name);
    }
    try {
      return new Tile(
          name,
          frame.north(),
          frame.west(),
          frame.rowStep(),
          frame.columnStep(),
          frame.rows(),
          frame.columns(),
          heights);
    } catch (IllegalArgumentException e) {
      throw new MalformedTerrainException(String.valueOf(e.getMessage()), name);
    }
  }

  private static FileDirectory directory(String name, byte[] bytes)
      throws MalformedTerrainException {
    try {
      List<FileDirectory> directories =
          TiffReader.readTiff(TiffParts.firstOnly(bytes)).getFileDirectories();
      if (directories.isEmpty()) {
        throw new MalformedTerrainException("no image", name);
      }
      return directories.getFirst();
    } catch (RuntimeException e) {
      throw damaged(e, name);
    }
  }

  private static MalformedTerrainException damaged(RuntimeException e, String name) {
    String reason = e instanceof TiffException ? ": " + e.getMessage() : "";
    return new MalformedTerrainException("not a TIFF that can be read" + reason, name);
  }

  private static double noData(FileDirectory directory, String name)
      throws MalformedTerrainException {
    FileDirectoryEntry entry = directory.get(FieldTagType.GDAL_NODATA);
    if (entry == null) {
      return Double.NaN;
    }
    String text = String.valueOf(entry.getValues()).replaceAll("[\\[\\]\\x00\\s]", "");
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new MalformedTerrainException("GDAL_NODATA '" + text + "' is no number", name);
    }
  }

  /** The place of a raster. */
  private record Frame(
      double north, double west, double rowStep, double columnStep, int rows, int columns) {

    static Frame of(FileDirectory directory, String name) throws MalformedTerrainException {
      try {
        return read(directory, name);
      } catch (RuntimeException e) {
        throw damaged(e, name);
      }
    }

    private static Frame read(FileDirectory directory, String name)
        throws MalformedTerrainException {
      int columns = directory.getImageWidth().intValue();
      int rows = directory.getImageHeight().intValue();
      if (columns < 1
          || rows < 1
          || columns > MAX_SIDE
          || rows > MAX_SIDE
          || (long) rows * columns > MAX_POINTS) {
        throw new MalformedTerrainException(
            "%d×%d points, not 1…%d on a side and %d in all"
                .formatted(rows, columns, MAX_SIDE, MAX_POINTS),
            name);
      }
      if (directory.getSamplesPerPixel() != 1) {
        throw new MalformedTerrainException(
            directory.getSamplesPerPixel() + " bands, not one of heights", name);
      }
      Map<Integer, Integer> keys = keys(directory, name);
      requireDegrees(keys, name);
      List<Double> scale = directory.getModelPixelScale();
      List<Double> tie = directory.getModelTiepoint();
      if (scale == null || scale.size() < 2 || tie == null || tie.size() < 6) {
        throw new MalformedTerrainException(
            "no ModelPixelScale and ModelTiepoint: not a GeoTIFF, or one that is turned", name);
      }
      double shift = keys.getOrDefault(RASTER_TYPE, 1) == PIXEL_IS_POINT ? 0 : 0.5;
      double columnStep = scale.get(0);
      double rowStep = scale.get(1);
      double west = tie.get(3) + (shift - tie.get(0)) * columnStep;
      double north = tie.get(4) - (shift - tie.get(1)) * rowStep;
      double south = north - rowStep * (rows - 1);
      boolean isOnEarth =
          columnStep > 0
              && rowStep > 0
              && north <= 90 + rowStep
              && south >= -90 - rowStep
              && Math.abs(west) <= 360
              && columnStep * (columns - 1) <= 360;
      if (!isOnEarth) {
        throw new MalformedTerrainException(
            "latitudes %s … %s, longitudes from %s in steps of %s are not on the earth"
                .formatted(south, north, west, columnStep),
            name);
      }
      return new Frame(north, west, rowStep, columnStep, rows, columns);
    }

    private static Map<Integer, Integer> keys(FileDirectory directory, String name)
        throws MalformedTerrainException {
      FileDirectoryEntry entry = directory.get(FieldTagType.GeoKeyDirectory);
      if (entry == null || !(entry.getValues() instanceof List<?> values)) {
        throw new MalformedTerrainException("no GeoKeyDirectory: not a GeoTIFF", name);
      }
      Map<Integer, Integer> keys = new HashMap<>();
      for (int at = KEY_INTS; at + KEY_INTS <= values.size(); at += KEY_INTS) {
        if (values.get(at) instanceof Number key
            && values.get(at + 1) instanceof Number place
            && values.get(at + 3) instanceof Number value
            && place.intValue() == 0) {
          keys.put(key.intValue(), value.intValue());
        }
      }
      return keys;
    }

    private static void requireDegrees(Map<Integer, Integer> keys, String name)
        throws MalformedTerrainException {
      int model = keys.getOrDefault(MODEL_TYPE, 0);
      int geographic = keys.getOrDefault(GEOGRAPHIC_TYPE, 0);
      if (model != GEOGRAPHIC || !WGS_84.contains(geographic)) {
        String system =
            model == GEOGRAPHIC
                ? "EPSG:" + geographic
                : keys.containsKey(PROJECTED_TYPE)
                    ? "a projection, EPSG:" + keys.get(PROJECTED_TYPE)
                    : "another kind of coordinates";
        throw new MalformedTerrainException(
            "coordinates of %s, not degrees of WGS 84 (gdalwarp -t_srs EPSG:4326 converts them)"
                .formatted(system),
            name);
      }
    }
  }
}
