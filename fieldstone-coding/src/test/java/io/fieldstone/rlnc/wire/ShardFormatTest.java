package io.fieldstone.rlnc.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The manifests, shard headers and hashes of docs/format.md: golden vectors, and what a parser must
 * refuse.
 */
class ShardFormatTest {

  private static final HexFormat HEX = HexFormat.of();
  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 2, 16);
  private static final int LENGTH = 100;
  private static final int PADDED = 7 * 16;

  /** The bytes 0 … 99, padded to seven blocks of 16. */
  private static byte[] content() {
    byte[] content = new byte[PADDED];
    for (int at = 0; at < LENGTH; at++) {
      content[at] = (byte) at;
    }
    return content;
  }

  private static HashesSection hashes() {
    HashesSection.Builder hashes = new HashesSection.Builder();
    for (int at = 0; at < PADDED; at += 32) {
      byte[] source = Arrays.copyOfRange(content(), at, Math.min(at + 32, PADDED));
      hashes.add(new HashTree().generation(MemorySegment.ofArray(source), 16));
    }
    return hashes.build();
  }

  private static ObjectManifest manifest() {
    return new ObjectManifest(SHAPE, LENGTH, Optional.empty(), hashes().root());
  }

  private static ObjectManifest encrypted() {
    return new ObjectManifest(
        SHAPE,
        LENGTH,
        Optional.of(new ObjectManifest.Encryption(new Sha256(5, 6, 7, 8), 9)),
        hashes().root());
  }

  private static ShardHeader header() {
    long recordId = ShardHeader.recordId(SHAPE, 42, hashes().getFirst());
    return new ShardHeader(
        new CodedObject("grüße.txt", manifest()), recordId, false, 128 + 7 * (64 + 16));
  }

  @Test
  void aManifestIsTheseBytes() {
    assertThat(HEX.formatHex(manifest().toBytes())).isEqualTo(GOLDEN_MANIFEST);
    assertThat(manifest().id()).hasToString(GOLDEN_ID);
  }

  @Test
  void aHeaderAndItsHashesAreTheseBytes() {
    assertThat(HEX.formatHex(header().toBytes())).isEqualTo(GOLDEN_HEADER);
    assertThat(HEX.formatHex(hashes().toBytes())).isEqualTo(GOLDEN_HASHES);
    assertThat(header().byteSize()).isEqualTo(ShardHeader.byteSize("grüße.txt", false, 0));
  }

  @Test
  void manifestsComeBack() throws Exception {
    for (ObjectManifest manifest : List.of(manifest(), encrypted())) {
      ObjectManifest parsed = ObjectManifest.parse(manifest.toBytes());
      assertThat(parsed).isEqualTo(manifest);
      assertThat(parsed.id()).isEqualTo(manifest.id());
      assertThat(manifest.toBytes().length).isLessThanOrEqualTo(ObjectManifest.MAX_BYTES);
    }
  }

  /** Each flipped bit gives another id or an error, and no two give the same id. */
  @Test
  void everyBitOfAManifestIsPartOfTheIdentity() {
    for (ObjectManifest manifest : List.of(manifest(), encrypted())) {
      byte[] bytes = manifest.toBytes();
      Set<Sha256> ids = new HashSet<>(Set.of(manifest.id()));
      int parsed = 0;
      for (int bit = 0; bit < 8 * bytes.length; bit++) {
        byte[] changed = bytes.clone();
        changed[bit / 8] ^= (byte) (1 << bit % 8);
        try {
          ObjectManifest other = ObjectManifest.parse(changed);
          assertThat(other.toBytes()).isEqualTo(changed);
          assertThat(ids.add(other.id())).as("bit %d", bit).isTrue();
          parsed++;
        } catch (MalformedDataException e) {
          assertThat(e).message().isNotBlank();
        }
      }
      assertThat(parsed).isGreaterThan(8 * Sha256.BYTES);
    }
  }

  @Test
  void everyOtherLengthOfAManifestIsRefused() {
    for (ObjectManifest manifest : List.of(manifest(), encrypted())) {
      byte[] bytes = manifest.toBytes();
      for (int length = 0; length < 200; length++) {
        byte[] other = Arrays.copyOf(bytes, length);
        if (length != bytes.length) {
          assertThatExceptionOfType(MalformedDataException.class)
              .isThrownBy(() -> ObjectManifest.parse(other));
        }
      }
    }
  }

  @Test
  void hostileManifestsAreRefused() {
    assertManifestRefused(b -> b.put(7, (byte) 3), "not a manifest of version 2");
    assertManifestRefused(b -> b.put(8, (byte) 0), "unknown field 0");
    assertManifestRefused(b -> b.put(9, (byte) 9), "unknown code 9");
    assertManifestRefused(b -> b.put(10, (byte) 2), "unknown layout 2");
    assertManifestRefused(b -> b.put(11, (byte) 2), "unknown cipher 2");
    assertManifestRefused(b -> b.putInt(12, 0), "generation size 0");
    assertManifestRefused(b -> b.putInt(16, 1 << 25), "block size 33554432");
    assertManifestRefused(b -> b.putLong(28, -1), "length -1");
    assertManifestRefused(b -> b.putLong(28, Long.MAX_VALUE), "the maximum is 16777216");
  }

  private static void assertManifestRefused(Consumer<ByteBuffer> forge, String problem) {
    ByteBuffer bytes = ByteBuffer.wrap(manifest().toBytes());
    forge.accept(bytes);
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> ObjectManifest.parse(bytes.array()))
        .withMessageContaining(problem);
  }

  /** The tree of n leaves by a second definition: join pairs of equal height, then the rest. */
  @Test
  void treesSplitAtTheLargestPowerOfTwo() {
    List<Sha256> leaves = new ArrayList<>();
    for (int count = 1; count <= 40; count++) {
      leaves.add(new Sha256(count, 0, 0, 0));
      assertThat(new HashTree().generation(leaves)).isEqualTo(root((byte) 1, leaves));
      assertThat(new HashTree().object(leaves)).isEqualTo(root((byte) 2, leaves));
    }
    assertThat(new HashTree().object(List.of()))
        .hasToString("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  }

  @Test
  void adjacentGenerationsHaveTheHashesOfEachAlone() {
    byte[] bytes = new byte[100 * 24];
    new SplittableRandom(6).nextBytes(bytes);
    MemorySegment source = MemorySegment.ofArray(bytes);
    for (int n = 1; n <= 40; n++) {
      List<Sha256> expected = new ArrayList<>();
      for (int at = 0; at < bytes.length; at += 24 * n) {
        List<Sha256> leaves = new ArrayList<>();
        for (int leaf = at; leaf < Math.min(bytes.length, at + 24 * n); leaf += 24) {
          ByteBuffer message = ByteBuffer.allocate(25).position(1).put(bytes, leaf, 24).flip();
          leaves.add(Sha256.hash(message));
        }
        assertThat(new HashTree().leaves(source.asSlice(at, 24L * leaves.size()), 24))
            .isEqualTo(leaves);
        expected.add(root((byte) 1, leaves));
      }
      assertThat(new HashTree().generations(source, n, 24)).as("n = %d", n).isEqualTo(expected);
    }
  }

  /** A tree of more hashes than are joined in memory at once. */
  @Test
  void largeTreesAreJoinedInParts() {
    List<Sha256> leaves = new ArrayList<>();
    for (int i = 0; i < 10_001; i++) {
      leaves.add(new Sha256(i, 0, 0, 1));
    }
    assertThat(new HashTree().object(leaves)).isEqualTo(root((byte) 2, leaves));
  }

  private static Sha256 root(byte prefix, List<Sha256> leaves) {
    List<Sha256> peaks = new ArrayList<>();
    List<Integer> heights = new ArrayList<>();
    for (Sha256 leaf : leaves) {
      Sha256 node = leaf;
      int height = 0;
      while (!heights.isEmpty() && heights.getLast() == height) {
        node = join(prefix, peaks.removeLast(), node);
        heights.removeLast();
        height++;
      }
      peaks.add(node);
      heights.add(height);
    }
    Sha256 root = peaks.removeLast();
    while (!peaks.isEmpty()) {
      root = join(prefix, peaks.removeLast(), root);
    }
    return root;
  }

  private static Sha256 join(byte prefix, Sha256 left, Sha256 right) {
    ByteBuffer bytes = ByteBuffer.allocate(1 + 2 * Sha256.BYTES).put(prefix);
    left.writeTo(bytes);
    right.writeTo(bytes);
    return Sha256.hash(bytes.flip());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a/b", "../a", "/a", "a\0b", "\ud800"})
  void namesThatAreNoFileNamesAreRefused(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> new CodedObject(name, manifest()));
  }

  @Test
  void namesHaveAtMost255Bytes() {
    String longest = "ü".repeat(127) + "x";
    assertThat(Names.utf8(longest)).hasSize(255);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CodedObject(longest + "y", manifest()));
  }

  @Test
  void generationsAndBlocksOfAnObject() {
    CodedObject object = new CodedObject("x", manifest());
    assertThat(object.sourceBlocks()).isEqualTo(7);
    assertThat(object.generations()).isEqualTo(4);
    assertThat(object.blocksOf(2)).isEqualTo(2);
    assertThat(object.blocksOf(3)).isEqualTo(1);
    assertThat(object.bytesOf(2)).isEqualTo(32);
    assertThat(object.bytesOf(3)).isEqualTo(4);
  }

  @Test
  void headersComeBack() throws Exception {
    for (ObjectManifest manifest : List.of(manifest(), encrypted())) {
      for (String name : List.of("x", "ü".repeat(127) + "x", "a\\b\t\n\r\u001b[1m\u007f\u0085")) {
        for (boolean vectors : new boolean[] {false, true}) {
          CodedObject object = new CodedObject(name, manifest);
          ShardHeader header = new ShardHeader(object, -1, vectors, 4096);
          byte[] bytes = header.toBytes();
          assertThat(ShardHeader.parse(MemorySegment.ofArray(bytes))).isEqualTo(header);
          assertThat(bytes).hasSize(header.byteSize());
          assertThat(bytes.length % ShardHeader.ALIGNMENT).isZero();
          assertThat(bytes.length)
              .isEqualTo(ShardHeader.byteSize(name, manifest.encryption().isPresent(), 0));
        }
      }
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ShardHeader(new CodedObject("x", manifest()), 1, false, 64))
        .withMessageContaining("hashes at 64");
  }

  @Test
  void everyFlippedBitAndLengthOfAHeaderIsFound() {
    byte[] header = header().toBytes();
    for (int bit = 0; bit < header.length * 8; bit++) {
      byte[] damaged = header.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatExceptionOfType(MalformedDataException.class)
          .isThrownBy(() -> ShardHeader.parse(MemorySegment.ofArray(damaged)));
    }
    for (int length = 0; length < header.length; length++) {
      MemorySegment shorter = MemorySegment.ofArray(Arrays.copyOf(header, length));
      assertThatExceptionOfType(MalformedDataException.class)
          .isThrownBy(() -> ShardHeader.parse(shorter));
    }
  }

  @Test
  void hostileHeadersAreRefused() {
    assertHeaderRefused(b -> b.putShort(8, (short) 3), "format version 3 is not 2");
    assertHeaderRefused(b -> b.putShort(12, (short) 2), "unknown flags");
    assertHeaderRefused(b -> b.putShort(14, (short) 129), "a manifest of 129 bytes");
    assertHeaderRefused(b -> b.putLong(24, 64), "hashes at offset 64");
    assertHeaderRefused(b -> b.putLong(24, -1), "hashes at offset -1");
    assertHeaderRefused(b -> b.putShort(32, (short) 0), "file name of 0 bytes");
    assertHeaderRefused(b -> b.putShort(34, (short) -1), "header length 128 is not 4096");
    assertHeaderRefused(b -> b.putInt(36, 1), "a reserved byte");
    assertHeaderRefused(b -> b.put(50, (byte) 2), "unknown layout 2 (at byte 50)");
    assertHeaderRefused(b -> b.put(108, (byte) '/'), "U+002F");
    assertHeaderRefused(b -> b.put(108, (byte) 0xFF), "not UTF-8");
    assertHeaderRefused(b -> b.put(120, (byte) 1), "a reserved byte");
  }

  private static void assertHeaderRefused(Consumer<ByteBuffer> forge, String problem) {
    ByteBuffer bytes = ByteBuffer.wrap(header().toBytes());
    forge.accept(bytes);
    repair(bytes);
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> ShardHeader.parse(MemorySegment.ofArray(bytes.array())))
        .withMessageContaining(problem);
  }

  private static void repair(ByteBuffer header) {
    CRC32C crc = new CRC32C();
    crc.update(header.slice(0, header.capacity() - 4));
    header.putInt(header.capacity() - 4, (int) crc.getValue());
  }

  /** A header with these sections. */
  private static MemorySegment withSections(String hex) {
    byte[] sections = HEX.parseHex(hex);
    int length = (119 + sections.length + 4 + 63) & -64;
    ByteBuffer bytes = ByteBuffer.allocate(length).put(header().toBytes(), 0, 119).put(sections);
    bytes.putShort(10, (short) length).putShort(34, (short) sections.length);
    repair(bytes);
    return MemorySegment.ofArray(bytes.array());
  }

  @Test
  void unknownSectionsAreSkippedUnlessTheyMustBeUnderstood() throws Exception {
    for (String sections : List.of("00010000", "000100026869", "00000001aa7fff0000")) {
      ShardHeader header = ShardHeader.parse(withSections(sections));
      assertThat(header.descriptor()).isEqualTo(header().descriptor());
      assertThat(MemorySegment.ofArray(header.toBytes()).mismatch(withSections(sections)))
          .isEqualTo(-1);
    }
    assertSectionsRefused("80010000", "section 0x8001 needs a later version");
    assertSectionsRefused("0001000000010000", "section 1 follows section 1");
    assertSectionsRefused("0001000000000000", "section 0 follows section 1");
    assertSectionsRefused("00010002aa", "a section of 2 bytes, but 1 remain");
    assertSectionsRefused("000100", "a section without a length");
  }

  @Test
  void aPublisherRecordIsFoundAmongOtherSections() throws Exception {
    ShardHeader header = ShardHeader.parse(withSections("00000001aa00010002686900070000"));
    assertThat(header.publisherRecord()).contains(new byte[] {0x68, 0x69});
    assertThat(header.publisherRecordAt()).hasValue(119 + 5 + 4);
    ShardHeader known = header.of(header.recordId(), false);
    assertThat(known.publisherRecord()).contains(new byte[] {0x68, 0x69});
    assertThat(known.publisherRecordAt()).hasValue(119 + 4);
    assertThat(known).isEqualTo(known.withPublisherRecord(new byte[] {0x68, 0x69}));
    assertThat(ShardHeader.parse(MemorySegment.ofArray(known.toBytes()))).isEqualTo(known);
    ShardHeader unsigned = ShardHeader.parse(withSections("00000001aa"));
    assertThat(unsigned.publisherRecord()).isEmpty();
    assertThat(unsigned.publisherRecordAt()).isEmpty();
    assertThat(unsigned.of(1, false)).isEqualTo(header().of(1, false));
  }

  @Test
  void aPublisherRecordNeedsRoom() {
    ShardHeader header = header();
    ShardHeader plain = header.of(1, false);
    int longest = ShardHeader.MAX_BYTES - 119 - 4 - 4; // after the prefix, and before the CRC
    assertThat(plain.withPublisherRecord(new byte[longest]).toBytes())
        .hasSize(ShardHeader.MAX_BYTES);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plain.withPublisherRecord(new byte[longest + 1]))
        .withMessage("no room for a publisher record of 3970 bytes in a header");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plain.withPublisherRecord(new byte[1 << 16]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> header.withPublisherRecord(new byte[1000]))
        .withMessageContaining("hashes at 688, inside a header of");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> header.withHashesAt(64))
        .withMessageContaining("hashes at 64");
  }

  private static void assertSectionsRefused(String sections, String problem) {
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> ShardHeader.parse(withSections(sections)))
        .withMessageContaining(problem);
  }

  @Test
  void hashesAreTakenOnlyWithTheRootOfTheManifest() {
    HashesSection hashes = hashes();
    byte[] section = hashes.toBytes();
    assertThat(HashesSection.parse(MemorySegment.ofArray(section), manifest())).contains(hashes);
    for (int bit = 0; bit < 8 * section.length; bit++) {
      byte[] damaged = section.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      MemorySegment bytes = MemorySegment.ofArray(damaged);
      assertThat(HashesSection.parse(bytes, manifest())).isEmpty();
      assertThat(HashesSection.resemblesSection(bytes, 4)).isTrue();
    }
    assertThat(
            HashesSection.parse(
                MemorySegment.ofArray(Arrays.copyOf(section, section.length - 32)), manifest()))
        .isEmpty();
  }

  // Computed independently of the implementation, by the script in docs/format.md.
  private static final String GOLDEN_MANIFEST =
      "4653544f424a0002010201000000000200000010000000000000000000000000"
          + "00000064768fa371e793ec67b0c625a50dd99e8066e2d7eaa1f3ccf0f90fe582"
          + "79b38295";
  private static final String GOLDEN_ID =
      "0e4d6226a9f7888f5661e64d33fd784b2d04e8aacaabd4d9506aebd76bd4ce82";
  private static final String GOLDEN_HEADER =
      "465354534841524400020080000000442cabe8bc3efe203600000000000002b0"
          + "000b0000000000004653544f424a000201020100000000020000001000000000"
          + "000000000000000000000064768fa371e793ec67b0c625a50dd99e8066e2d7ea"
          + "a1f3ccf0f90fe58279b382956772c3bcc39f652e74787400000000000b76a542";
  private static final String GOLDEN_HASHES =
      "46535448415348530000000400000000fbd9423bcf1e51ec54b19e2dd5cc01bb"
          + "38e330801b38a7d6f5c59774d59d2d9248e5124ccfcb89db06c7627c88b04717"
          + "1b9603d2b1fbc2b801208fe917e5595c295ce84989aa5d62f36eb1d4b1d242d4"
          + "26c65dbbcf2d81ed016c6c80bef7ff84f79d0b40beec1ddf27fc815f8c13a172"
          + "6d9275c924dad97a5ad3945eaea97c0b";
}
