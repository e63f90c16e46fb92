package io.fieldstone.cli.sensors;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import org.junit.jupiter.api.Test;

/** Geometries of GeoPackage: their points fit into the blob, and are read again as written. */
public class GeometryBlobFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    GeometryBlob.Points geometry;
    try {
      geometry = GeometryBlob.parse(data);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("geometry");
      return;
    }
    assertThat(geometry.points().size()).isLessThanOrEqualTo(data.length / 16);
    for (GeometryBlob.Point point : geometry.points()) {
      assertThat(GeometryBlob.parse(GeometryBlob.point(0, point)).points()).containsExactly(point);
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(GeometryBlobFuzzTest.class, GeometryBlobFuzzTest::fuzzerTestOneInput);
  }
}
