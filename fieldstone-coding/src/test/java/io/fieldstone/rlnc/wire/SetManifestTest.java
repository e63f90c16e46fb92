package io.fieldstone.rlnc.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of docs/format.md, "Sets": golden vectors, and what a parser must refuse. */
class SetManifestTest {

  private static final HexFormat HEX = HexFormat.of();
  private static final SetShape SHAPE = new SetShape(16, 3, 2, 3, 2);
  private static final List<SetFile> FILES =
      List.of(
          new SetFile("a.txt", 100, 1_500_000_000_000_000_000L, 0640),
          new SetFile("b/ü", 20, 1_600_000_000_000_000_001L, 0444),
          new SetFile("c", 5, 1_700_000_000_000_000_000L, 0777));
  private static final int BLOCKS = 15;
  private static final int[] SUMS = {10, 11, 12, 13, 14, 15, 16, 17, -1, 19};
  private static final byte[] MARKS = new byte[32];

  private static SetManifest manifest() {
    byte[] hashes = new byte[BLOCKS * 32];
    for (int block = 0; block < BLOCKS; block++) {
      hashes[block * 32] = (byte) block;
    }
    return new SetManifest(SHAPE, FILES, hashes, SUMS, MARKS);
  }

  @Test
  void aManifestBeginsWithTheseBytes() {
    byte[] bytes = manifest().toBytes();
    assertThat(HEX.formatHex(bytes))
        .startsWith(
            "465354534554000301050002000000030000001000000002000000030000000300000009"
                + "00000000000000000000006414d1120d7b16000001a00005612e747874"
                + "000000000000001416345785d8a0000101240004622fc3bc"
                + "000000000000000517979cfe362a000001ff000163");
    assertThat(HEX.formatHex(bytes)).endsWith("00000011ffffffff00000013" + "00".repeat(32));
    assertThat((long) bytes.length).isEqualTo(SetManifest.byteSize(SHAPE, FILES));
  }

  @Test
  void manifestsComeBack() throws Exception {
    SetManifest parsed = SetManifest.parse(manifest().toBytes());
    assertThat(parsed.files()).isEqualTo(FILES);
    assertThat(parsed.shape()).isEqualTo(SHAPE);
    assertThat(parsed.sourceBlocks()).isEqualTo(9);
    assertThat(parsed.length()).isEqualTo(125);
    assertThat(parsed.hash(14).word0()).isEqualTo(14L << 56);
    assertThat(parsed.sum(1)).isEqualTo(11);
    assertThat(parsed.sum(8)).isEqualTo(-1);
    assertThat(parsed.id()).isEqualTo(manifest().id());
    SetManifest empty =
        new SetManifest(
            new SetShape(4096, 0, 1, 0, 1),
            List.of(new SetFile("none", 0)),
            new byte[0],
            new int[0],
            new byte[0]);
    assertThat(SetManifest.parse(empty.toBytes()).sourceBlocks()).isZero();
  }

  @Test
  void hostileManifestsAreRefused() {
    assertRefused(b -> b.put(7, (byte) 2), "not a manifest of a set of version 3");
    assertRefused(b -> b.put(8, (byte) 2), "unknown field 2");
    assertRefused(b -> b.put(9, (byte) 2), "unknown code 2");
    assertRefused(b -> b.putShort(10, (short) 0), "volumes 0 is not in 1…2");
    assertRefused(b -> b.putInt(12, 256), "source blocks 256 is not in 0…255");
    assertRefused(b -> b.putInt(12, 4), "9 source blocks are not 3 generations of 4");
    assertRefused(b -> b.putInt(12, 0), "generations 3 is not in 0…0");
    assertRefused(b -> b.putInt(16, 1 << 21), "block size 2097152 is not in 1…1048576");
    assertRefused(b -> b.putInt(20, 254), "parity blocks 254 is not in 1…253");
    assertRefused(b -> b.putInt(20, 3), "480 bytes of hashes for 18 blocks");
    assertRefused(b -> b.putInt(24, 1 << 20), "generations 1048576 is not in 1…209715");
    assertRefused(b -> b.putInt(28, -1), "4294967295 files do not fit in 662 bytes");
    assertRefused(b -> b.putInt(28, 20), "'' is not a file name");
    assertRefused(b -> b.putInt(32, 10), "10 source blocks, not 9");
    assertRefused(b -> b.putInt(36, 1), "number 1 of an update");
    assertRefused(b -> b.putLong(40, -1), "length -1 is less than 0");
    assertRefused(b -> b.putLong(40, Long.MAX_VALUE), "more than 1048576 blocks of 16 bytes");
    assertRefused(b -> b.putShort(56, (short) 01000), "mode 1000 is not in 0…777");
    assertRefused(b -> b.putShort(58, (short) -1), "the manifest ends inside a file's name");
    assertRefused(b -> b.put(60, (byte) 'c'), "'b/ü' is not in ascending order");
    assertRefused(b -> b.put(60, (byte) '/'), "'' is not a file name");
    assertRefused(b -> b.put(61, (byte) 0), "the file name has U+0000 at position 1");
    assertRefused(b -> b.put(87, (byte) 'x'), "a path is not in its only encoding");
  }

  private static void assertRefused(Consumer<ByteBuffer> forge, String problem) {
    ByteBuffer bytes = ByteBuffer.wrap(manifest().toBytes());
    forge.accept(bytes);
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> SetManifest.parse(bytes.array()))
        .withMessageContaining(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/a", "a/", "a//b", "..", "a/../b", "./a", "a\0b"})
  void pathsThatLeadElsewhereAreRefused(String path) {
    assertThatIllegalArgumentException().isThrownBy(() -> new SetFile(path, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\\b", "a\nb/c\r", "\t", "\u001B[31m", "\u007F\u0085", " ", "..."})
  void namesThatFilesMayHaveComeBack(String path) throws Exception {
    List<SetFile> files = List.of(new SetFile(path, 0));
    SetManifest manifest =
        new SetManifest(
            new SetShape(4096, 0, 1, 0, 1), files, new byte[0], new int[0], new byte[0]);
    assertThat(SetManifest.parse(manifest.toBytes()).files()).isEqualTo(files);
  }

  @Test
  void longPathsAreRefused() {
    String name = "n".repeat(255) + "/";
    assertThat(new SetFile(name.repeat(15) + "n".repeat(255), 1).length()).isEqualTo(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SetFile(name.repeat(16) + "nn", 1))
        .withMessage("path of 4098 bytes, more than 4096");
  }

  @Test
  void pagesComeBackAndEveryFlippedBitIsFound() {
    byte[] manifest = new byte[ManifestPage.PART_BYTES + 10];
    manifest[ManifestPage.PART_BYTES + 3] = 77;
    Sha256 id = new Sha256(1, 2, 3, 4);
    for (int number = 0; number < 2; number++) {
      byte[] bytes = ManifestPage.of(id, manifest, number, 5).toBytes();
      ManifestPage page = ManifestPage.parse(bytes).orElseThrow();
      assertThat(page.toBytes()).isEqualTo(bytes);
      assertThat(page.set()).isEqualTo(id);
      assertThat(page.number()).isEqualTo(number);
      assertThat(page.pages()).isEqualTo(2);
      assertThat(page.volume()).isEqualTo(5);
      assertThat(page.part().limit()).isEqualTo(number == 0 ? ManifestPage.PART_BYTES : 10);
      for (int bit = 0; bit < 8 * bytes.length; bit++) {
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        assertThat(ManifestPage.parse(bytes)).as("bit %d", bit).isEmpty();
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
      }
    }
    assertThat(ManifestPage.parse(new byte[10])).isEmpty();
  }

  /** Pages with a right CRC that say impossible things. */
  @Test
  void hostilePagesAreRefused() {
    Sha256 id = new Sha256(1, 2, 3, 4);
    ByteBuffer part = ByteBuffer.wrap(new byte[10]);
    assertThat(ManifestPage.parse(new ManifestPage(id, 0, 1, 10, 0, part).toBytes())).isPresent();
    for (ManifestPage wrong :
        List.of(
            new ManifestPage(id, 1, 1, 10, 0, part),
            new ManifestPage(id, -1, 1, 10, 0, part),
            new ManifestPage(id, 0, 2, 10, 0, part),
            new ManifestPage(id, 0, 0, 0, 0, part),
            new ManifestPage(id, 0, 1, -10, 0, part),
            new ManifestPage(id, 0, 1 << 20, Integer.MAX_VALUE, 0, part),
            new ManifestPage(id, 0, 1, 10, -1, part))) {
      assertThat(ManifestPage.parse(wrong.toBytes())).as("%s", wrong).isEmpty();
    }
    byte[] more = new byte[11];
    more[10] = 1;
    assertThat(
            ManifestPage.parse(new ManifestPage(id, 0, 1, 10, 0, ByteBuffer.wrap(more)).toBytes()))
        .isEmpty();
  }
}
