package io.fieldstone.cli.terrain;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.relays.terrain.HgtFile;
import io.fieldstone.relays.terrain.MalformedTerrainException;
import io.fieldstone.relays.terrain.Tile;
import io.fieldstone.testing.Replay;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Files of heights: a tile on the earth, or an error that names the file. */
public class DemFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    byte[] content = Arrays.copyOfRange(data, 1, data.length);
    try {
      Tile tile =
          switch (data[0] & 3) {
            case 0 -> HgtFile.parse(Path.of("N50E007.hgt.gz"), content);
            case 1 -> HgtFile.parse(Path.of("N50E007.hgt.zip"), content);
            default -> GeoTiff.parse("file.tif", content);
          };
      assertThat(tile.heights()).hasSize(tile.rows() * tile.columns());
      assertThat(tile.north()).isBetween(-90.0, 180.0);
    } catch (MalformedTerrainException e) {
      assertThat(e.getMessage()).containsAnyOf(": N50E007.hgt", ": file.tif");
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(DemFuzzTest.class, DemFuzzTest::fuzzerTestOneInput);
  }
}
