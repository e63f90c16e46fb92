package io.fieldstone.cli.terrain;

import java.io.IOException;
import java.util.List;
import mil.nga.tiff.FieldTagType;
import mil.nga.tiff.FieldType;
import mil.nga.tiff.FileDirectory;
import mil.nga.tiff.FileDirectoryEntry;
import mil.nga.tiff.Rasters;
import mil.nga.tiff.TIFFImage;
import mil.nga.tiff.TiffWriter;
import mil.nga.tiff.util.TiffConstants;

/** Makes small files of heights. */
final class GeoTiffs {

  private static final double STEP = 0.25;

  private GeoTiffs() {}

  /**
   * Returns a file whose first corner is 51° N, 7° E, with heights 100.25 but for -9999 in the
   * second column of the second row.
   *
   * @param epsg the code of the coordinate reference system; projected if it is above 30000
   * @param raster 1 for areas, 2 for points
   */
  static byte[] of(int rows, int columns, int epsg, String noData, int raster) throws IOException {
    Rasters rasters = new Rasters(columns, rows, 1, FieldType.FLOAT);
    for (int i = 0; i < rows * columns; i++) {
      rasters.setFirstPixelSample(i % columns, i / columns, i == columns + 1 ? -9999f : 100.25f);
    }
    FileDirectory directory = new FileDirectory();
    directory.setImageWidth(columns);
    directory.setImageHeight(rows);
    directory.setBitsPerSample(32);
    directory.setCompression(TiffConstants.COMPRESSION_DEFLATE);
    directory.setPhotometricInterpretation(TiffConstants.PHOTOMETRIC_INTERPRETATION_BLACK_IS_ZERO);
    directory.setSamplesPerPixel(1);
    directory.setRowsPerStrip(rasters.calculateRowsPerStrip(1));
    directory.setPlanarConfiguration(1);
    directory.setSampleFormat(TiffConstants.SAMPLE_FORMAT_FLOAT);
    directory.setWriteRasters(rasters);
    add(directory, FieldTagType.ModelPixelScale, FieldType.DOUBLE, List.of(STEP, STEP, 0.0));
    add(
        directory,
        FieldTagType.ModelTiepoint,
        FieldType.DOUBLE,
        List.of(0.0, 0.0, 0.0, 7.0, 51.0, 0.0));
    boolean isProjected = epsg > 30_000;
    List<Integer> keys =
        List.of(
            1,
            1,
            0,
            3,
            1024,
            0,
            1,
            isProjected ? 1 : 2,
            1025,
            0,
            1,
            raster,
            isProjected ? 3072 : 2048,
            0,
            1,
            epsg);
    add(directory, FieldTagType.GeoKeyDirectory, FieldType.SHORT, keys);
    directory.addEntry(
        new FileDirectoryEntry(
            FieldTagType.GDAL_NODATA, FieldType.ASCII, noData.length() + 1, List.of(noData)));
    return TiffWriter.writeTiffToBytes(new TIFFImage(directory));
  }

  private static void add(
      FileDirectory directory, FieldTagType tag, FieldType type, List<?> values) {
    directory.addEntry(new FileDirectoryEntry(tag, type, values.size(), values));
  }
}
