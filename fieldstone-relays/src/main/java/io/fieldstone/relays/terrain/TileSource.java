package io.fieldstone.relays.terrain;

import java.io.IOException;

/**
 * A file of heights that is read when it is needed.
 *
 * @param name the name of the file
 * @param bounds the points of its heights
 * @param reader reads it
 */
public record TileSource(String name, GeoBox bounds, Reader reader) {

  /** Reads a tile. */
  @FunctionalInterface
  public interface Reader {

    /**
     * Reads the tile.
     *
     * @throws MalformedTerrainException if the file is malformed; the message names it
     */
    Tile read() throws IOException, MalformedTerrainException;
  }

  /** Returns a tile that has been read. */
  public static TileSource of(Tile tile) {
    return new TileSource(
        tile.name(), new GeoBox(tile.west(), tile.south(), tile.east(), tile.north()), () -> tile);
  }
}
