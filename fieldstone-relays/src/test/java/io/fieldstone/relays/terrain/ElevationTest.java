package io.fieldstone.relays.terrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tiles of a plane that slopes to the north and east are joined to that plane. */
class ElevationTest {

  private static final double STEP = 1.0 / 12;

  private static Tile tile(String name, double north, double west, double step, int side) {
    float[] heights = new float[side * side];
    for (int i = 0; i < heights.length; i++) {
      heights[i] = height(north - i / side * step, west + i % side * step);
    }
    return new Tile(name, north, west, step, step, side, side, heights);
  }

  private static float height(double latitude, double longitude) {
    return (float) (10 * latitude + 100 * (longitude < 0 ? longitude + 360 : longitude));
  }

  private static Elevation join(GeoBox box, Tile... tiles)
      throws IOException, MalformedTerrainException {
    return Elevation.of(Arrays.stream(tiles).map(TileSource::of).toList(), box);
  }

  @Test
  void tilesThatShareEdgesAreOneGrid() throws Exception {
    Elevation elevation =
        join(
            new GeoBox(7.4, 50.3, 8.6, 50.7),
            tile("a", 51, 7, STEP, 13),
            tile("b", 51, 8, STEP, 13),
            tile("far", 51, 20, STEP, 13));
    assertThat(elevation.gaps()).isEmpty();
    for (double longitude = 7.4; longitude < 8.6; longitude += 0.01) {
      assertThat(elevation.height(50.4, longitude))
          .isCloseTo(height(50.4, longitude), within(0.02));
    }
    assertThat(elevation.isInside(50.4, 8.7)).isFalse();
    assertThat(elevation.isInside(50.4, 7.5 - 360)).isTrue();
  }

  /** Copernicus leaves out shared edges, and has fewer columns in the north. */
  @Test
  void coarserTilesAreInterpolated() throws Exception {
    Elevation elevation =
        join(
            new GeoBox(7, 49.5, 8, 50.5),
            tile("fine", 50, 7, 1.0 / 36, 37),
            tile("coarse", 51, 7, STEP, 13));
    assertThat(elevation.gaps()).isEmpty();
    assertThat(elevation.rowStep()).isEqualTo(1.0 / 36);
    for (double latitude = 49.5; latitude < 50.5; latitude += 0.013) {
      assertThat(elevation.height(latitude, 7.77)).isCloseTo(height(latitude, 7.77), within(0.02));
    }
  }

  @Test
  void theAntimeridianIsNoEdge() throws Exception {
    Elevation elevation =
        join(
            new GeoBox(179.5, 0.2, 180.5, 0.8),
            tile("west", 1, 179, STEP, 13),
            tile("east", 1, -180, STEP, 13));
    assertThat(elevation.height(0.5, -179.7)).isCloseTo(height(0.5, 180.3), within(0.02));
    assertThat(elevation.height(0.5, 179.7)).isCloseTo(height(0.5, 179.7), within(0.02));
  }

  @Test
  void overlapsAndAbsencesAreNamed() {
    GeoBox box = new GeoBox(7, 50, 8, 51);
    assertThatThrownBy(
            () -> join(box, tile("a.hgt", 51, 7, STEP, 13), tile("b.hgt", 51, 7.5, STEP, 13)))
        .isInstanceOf(MalformedTerrainException.class)
        .hasMessage("overlaps a.hgt: b.hgt");
    assertThatThrownBy(() -> join(box, tile("a.hgt", 41, 7, STEP, 13)))
        .hasMessage("no heights in latitudes 50.000 … 51.000, longitudes 7.000 … 8.000: a.hgt");
    assertThatThrownBy(() ->
            join(
                new GeoBox(7, 50, 8, 51),
                tile("a.hgt", 51, 7, 1e-5, 2),
                tile("b.hgt", 50.5, 7.5, STEP, 3)))
        .hasMessageContaining("more than 536,870,912 in all");
  }

  @Test
  void voidsAndMissingTilesAreReported() throws Exception {
    Tile tile = tile("a.hgt", 51, 7, STEP, 13);
    tile.heights()[5 * 13 + 2] = Float.NaN;
    Elevation elevation = join(new GeoBox(7, 50, 9, 52), tile, tile("c.hgt", 52, 8, STEP, 13));
    assertThat(elevation.gaps())
        .isEqualTo(
            List.of(
                "1 point has no height, the first at latitude and longitude 50.58333, 7.16667:"
                    + " a.hgt",
                "no tile covers all of N50E008, N51E007"));
    assertThat(elevation.covers(51 - 5 * STEP, 7 + 2 * STEP)).isFalse();
    assertThat(elevation.covers(51 - 5 * STEP, 7 + 4 * STEP)).isTrue();
    assertThat(elevation.covers(50.2, 8.5)).isFalse();
  }
}
