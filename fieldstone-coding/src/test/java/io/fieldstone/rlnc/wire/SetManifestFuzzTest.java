package io.fieldstone.rlnc.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Manifests of sets and their pages: what is read is written as it was, and no path leads out of
 * its folder.
 */
public class SetManifestFuzzTest {

  private static final Path FOLDER = Path.of("/folder");

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      SetManifest manifest = SetManifest.parse(data);
      assertThat(manifest.toBytes()).isEqualTo(data);
      SetLayout layout = manifest.layout();
      int pieces = 0;
      for (SetFile file : manifest.files()) {
        Path path = FOLDER.resolve(file.path());
        assertThat(path.normalize()).isEqualTo(path);
        assertThat(path.startsWith(FOLDER) && !path.equals(FOLDER)).isTrue();
        pieces += (int) file.blocks(manifest.shape().blockSize());
      }
      assertThat(pieces).isEqualTo(layout.pieces());
      for (int piece = 0; piece < pieces; piece++) {
        int block = layout.blockOf(piece);
        assertThat(piece).isBetween(layout.firstPiece(block), layout.firstPiece(block + 1) - 1);
        assertThat(manifest.isPiece(piece, manifest.mark(piece))).isTrue();
      }
      int all = manifest.sourceBlocks() + manifest.shape().parityBlocks();
      if (all > 0) {
        assertThat(manifest.hash(all - 1)).isNotNull();
      }
    } catch (MalformedDataException e) {
      assertThat(e.offset()).isBetween(0L, (long) data.length);
    }
    byte[] page = Arrays.copyOf(data, ManifestPage.BYTES);
    ManifestPage.parse(page).ifPresent(one -> assertThat(one.toBytes()).isEqualTo(page));
    assertThat(ManifestPage.parse(data).isPresent() && data.length != page.length).isFalse();
  }

  @Test
  void replays() throws Exception {
    Replay.run(SetManifestFuzzTest.class, SetManifestFuzzTest::fuzzerTestOneInput);
  }
}
