package io.fieldstone.relays.terrain;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * Reads tiles of the Shuttle Radar Topography Mission: squares of 1201 or 3601 rows of 16-bit
 * heights in metres, big-endian, from north to south. The name has the south-western corner, as in
 * {@code N50E007.hgt}; {@code .hgt.gz} and {@code .hgt.zip} are unpacked. Source: NASA, SRTM Topo.
 */
public final class HgtFile {

  private static final Pattern CORNER =
      Pattern.compile(
          "([NS])(\\d{2})([EW])(\\d{3}).*\\.hgt(\\.gz|\\.zip)?", Pattern.CASE_INSENSITIVE);

  /** The rows of a tile, at 3 seconds and at 1 second. */
  private static final int[] SIDES = {1201, 3601};

  private static final int MAX_BYTES = 2 * 3601 * 3601;
  private static final short VOID = Short.MIN_VALUE;
  private static final int MAX_LATITUDE = 90;
  private static final int MAX_LONGITUDE = 180;

  private HgtFile() {}

  /** Returns whether a file has the ending of such a tile, packed or not. */
  public static boolean isName(Path file) {
    String name = lower(file);
    return name.endsWith(".hgt") || name.endsWith(".hgt.gz") || name.endsWith(".hgt.zip");
  }

  /**
   * Returns a file, which is read later.
   *
   * @throws MalformedTerrainException if the name has no corner
   */
  public static TileSource source(Path file) throws MalformedTerrainException {
    int[] corner = corner(file);
    return new TileSource(
        file.toString(),
        new GeoBox(corner[1], corner[0], corner[1] + 1, corner[0] + 1),
        () -> read(file));
  }

  /**
   * Reads a file.
   *
   * @throws MalformedTerrainException if its name, length or packing is wrong
   */
  public static Tile read(Path file) throws IOException, MalformedTerrainException {
    return parse(file, Files.readAllBytes(file));
  }

  /**
   * Reads a tile from the bytes of a file.
   *
   * @param file the name of the file, which has the corner and the packing
   * @throws MalformedTerrainException if its name, length or packing is wrong
   */
  public static Tile parse(Path file, byte[] content) throws MalformedTerrainException {
    int[] corner = corner(file);
    byte[] bytes = unpacked(file, content);
    for (int side : SIDES) {
      if (bytes.length == 2 * side * side) {
        float[] heights = new float[side * side];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        for (int i = 0; i < heights.length; i++) {
          short height = buffer.getShort(2 * i);
          heights[i] = height == VOID ? Float.NaN : height;
        }
        double step = 1.0 / (side - 1);
        return new Tile(file.toString(), corner[0] + 1, corner[1], step, step, side, side, heights);
      }
    }
    throw new MalformedTerrainException(
        "%s%d bytes are no heights of 1201×1201 (2,884,802 bytes) or 3601×3601 (25,934,402)"
            .formatted(
                bytes.length > MAX_BYTES ? "more than " : "", Math.min(bytes.length, MAX_BYTES)),
        file.toString());
  }

  /** Returns latitude and longitude of the south-western corner. */
  private static int[] corner(Path file) throws MalformedTerrainException {
    Path name = file.getFileName();
    Matcher found = CORNER.matcher(name == null ? "" : name.toString());
    if (!found.matches()) {
      throw new MalformedTerrainException(
          "the name has no corner such as N50E007.hgt", file.toString());
    }
    int latitude = Integer.parseInt(found.group(2));
    int longitude = Integer.parseInt(found.group(4));
    int south = found.group(1).equalsIgnoreCase("S") ? -latitude : latitude;
    int west = found.group(3).equalsIgnoreCase("W") ? -longitude : longitude;
    if (south < -MAX_LATITUDE
        || south >= MAX_LATITUDE
        || west < -MAX_LONGITUDE
        || west >= MAX_LONGITUDE) {
      throw new MalformedTerrainException(
          "the corner in the name is not on the earth", file.toString());
    }
    return new int[] {south, west};
  }

  private static byte[] unpacked(Path file, byte[] content) throws MalformedTerrainException {
    String name = lower(file);
    try {
      if (name.endsWith(".gz")) {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(content))) {
          return in.readNBytes(MAX_BYTES + 1);
        }
      }
      if (name.endsWith(".zip")) {
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(content))) {
          for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            if (entry.getName().toLowerCase(Locale.ROOT).endsWith(".hgt")) {
              return zip.readNBytes(MAX_BYTES + 1);
            }
          }
        }
        throw new ZipException("no .hgt in the archive");
      }
      return content;
    } catch (IOException | IllegalArgumentException e) {
      throw new MalformedTerrainException("damaged archive: " + e.getMessage(), file.toString());
    }
  }

  private static String lower(Path file) {
    Path name = file.getFileName();
    return name == null ? "" : name.toString().toLowerCase(Locale.ROOT);
  }
}
