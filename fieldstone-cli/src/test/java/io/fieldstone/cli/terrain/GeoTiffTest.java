package io.fieldstone.cli.terrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.relays.terrain.MalformedTerrainException;
import io.fieldstone.relays.terrain.Tile;
import io.fieldstone.relays.terrain.TileSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeoTiffTest {

  @TempDir Path folder;

  @Test
  void readsHeightsAndPlaces() throws Exception {
    Tile tile = GeoTiff.parse("a.tif", GeoTiffs.of(3, 4, 4326, "-9999", 1));
    assertThat(tile.rows()).isEqualTo(3);
    assertThat(tile.columns()).isEqualTo(4);
    // The corner is that of a pixel, whose middle has the height.
    assertThat(tile.north()).isEqualTo(51 - 0.125);
    assertThat(tile.west()).isEqualTo(7 + 0.125);
    assertThat(tile.heights()[4]).isEqualTo(100.25f);
    assertThat(tile.heights()[5]).isNaN();
    Tile points = GeoTiff.parse("a.tif", GeoTiffs.of(3, 4, 4326, "-9999", 2));
    assertThat(points.north()).isEqualTo(51);
    assertThat(points.west()).isEqualTo(7);
  }

  @Test
  void otherCoordinatesAreNamed() throws Exception {
    byte[] utm = GeoTiffs.of(3, 4, 32632, "nan", 1);
    assertThatThrownBy(() -> GeoTiff.parse("utm.tif", utm))
        .isInstanceOf(MalformedTerrainException.class)
        .hasMessage(
            "coordinates of a projection, EPSG:32632, not degrees of WGS 84 (gdalwarp -t_srs"
                + " EPSG:4326 converts them): utm.tif");
    byte[] pulkovo = GeoTiffs.of(3, 4, 4284, "0", 1);
    assertThatThrownBy(() -> GeoTiff.parse("x.tif", pulkovo))
        .hasMessageStartingWith("coordinates of EPSG:4284, not degrees");
    assertThatThrownBy(() -> GeoTiff.parse("x.tif", GeoTiffs.of(3, 4, 4326, "none", 1)))
        .hasMessage("GDAL_NODATA 'none' is no number: x.tif");
  }

  @Test
  void anotherFileIsNamed() {
    assertThatThrownBy(() -> GeoTiff.parse("x.tif", "no".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(MalformedTerrainException.class)
        .hasMessageStartingWith("not a TIFF that can be read")
        .hasMessageEndingWith(": x.tif");
  }

  @Test
  void aFolderHasTilesOfBothKinds() throws Exception {
    assertThatThrownBy(() -> DemFiles.of(folder)).hasMessageStartingWith("no .hgt or .tif in the");
    Files.writeString(folder.resolve("readme.txt"), "x");
    Files.write(folder.resolve("a.tif"), GeoTiffs.of(3, 4, 4326, "0", 1));
    Files.write(Files.createDirectory(folder.resolve("more")).resolve("N50E008.hgt"), new byte[2]);
    List<TileSource> sources = DemFiles.of(folder);
    assertThat(sources)
        .extracting(source -> Path.of(source.name()).getFileName().toString())
        .containsExactly("a.tif", "N50E008.hgt");
    assertThat(sources.getFirst().bounds().west()).isEqualTo(7.125);
    assertThatThrownBy(() -> sources.getLast().reader().read())
        .isInstanceOf(MalformedTerrainException.class);
    assertThatThrownBy(() -> DemFiles.of(folder.resolve("absent"))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> DemFiles.of(folder.resolve("readme.txt")))
        .hasMessageStartingWith("heights are .hgt, .hgt.gz, .hgt.zip, .tif or .tiff");
  }
}
