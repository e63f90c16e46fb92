package io.fieldstone.cli.terrain;

import io.fieldstone.relays.terrain.HgtFile;
import io.fieldstone.relays.terrain.MalformedTerrainException;
import io.fieldstone.relays.terrain.TileSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds the tiles of a digital elevation model. */
public final class DemFiles {

  /** The depth of folders that are searched. */
  private static final int DEPTH = 4;

  private DemFiles() {}

  /**
   * Returns the tiles of a file or of all files in a folder, in the order of their names. Files
   * with other endings than those of SRTM and GeoTIFF are left out of folders.
   *
   * @throws MalformedTerrainException if there is no tile, or one is malformed; the message names
   *     the file
   */
  public static List<TileSource> of(Path path) throws IOException, MalformedTerrainException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    List<TileSource> sources = new ArrayList<>();
    if (!Files.isDirectory(path)) {
      sources.add(source(path));
      return sources;
    }
    try (Stream<Path> tree = Files.walk(path, DEPTH)) {
      for (Path file :
          tree.filter(each -> isTile(each) && Files.isRegularFile(each)).sorted().toList()) {
        sources.add(source(file));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (sources.isEmpty()) {
      throw new MalformedTerrainException("no .hgt or .tif in the folder", path.toString());
    }
    return sources;
  }

  private static boolean isTile(Path file) {
    return HgtFile.isName(file) || GeoTiff.isName(file);
  }

  private static TileSource source(Path file) throws IOException, MalformedTerrainException {
    if (GeoTiff.isName(file)) {
      return GeoTiff.source(file);
    }
    if (HgtFile.isName(file)) {
      return HgtFile.source(file);
    }
    throw new MalformedTerrainException(
        "heights are .hgt, .hgt.gz, .hgt.zip, .tif or .tiff, or a folder of them", file.toString());
  }
}
