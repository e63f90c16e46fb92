package io.fieldstone.rlnc.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import org.junit.jupiter.api.Test;

/** Manifests: what is read is written as it was. */
public class ObjectManifestFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      ObjectManifest manifest = ObjectManifest.parse(data);
      assertThat(manifest.toBytes()).isEqualTo(data);
      int generations = manifest.generations();
      assertThat((long) generations).isBetween(0L, ObjectManifest.MAX_GENERATIONS);
      if (generations > 0) {
        assertThat(manifest.shapeOf(generations - 1).blocks()).isPositive();
        assertThat(manifest.bytesOf(generations - 1)).isPositive();
      }
    } catch (MalformedDataException e) {
      assertThat(e.offset()).isBetween(0L, (long) ObjectManifest.MAX_BYTES);
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(ObjectManifestFuzzTest.class, ObjectManifestFuzzTest::fuzzerTestOneInput);
  }
}
