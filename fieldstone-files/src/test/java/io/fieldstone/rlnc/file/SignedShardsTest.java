package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.ProgressListener;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Publisher records in the headers of shards. */
class SignedShardsTest {

  private static final SigningKey KEY = SigningKey.generate();
  private static final SigningKey OTHER = SigningKey.generate();
  private static final byte[] CONTENT = ShardFiles.content(3000);

  private static Engine engine;

  @TempDir private Path directory;

  @BeforeAll
  static void open() {
    engine = Engine.open("auto");
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  private static FileEncoder encoder() {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 8, 40);
    return new FileEncoder(engine, new EncodingParameters(shape, 3, 1, 7));
  }

  private EncodingResult encode(FileEncoder encoder, byte[] content) throws Exception {
    Path folder = Files.createTempDirectory(directory, "shards");
    return encoder.encode(new ByteArrayInputStream(content), "data", folder, ProgressListener.NONE);
  }

  private List<Path> signed(SigningKey key) throws Exception {
    return encode(encoder().signing(key), CONTENT).shards();
  }

  private DecodingResult decode(FileDecoder decoder, List<Path> shards) throws Exception {
    Path target = Files.createTempDirectory(directory, "decoded").resolve("file");
    return decoder.decode(shards, target, ProgressListener.NONE);
  }

  private DecodingResult decode(List<Path> shards, SigningKey... publishers) throws Exception {
    List<PublisherKey> keys = List.of(publishers).stream().map(SigningKey::publisher).toList();
    return decode(new FileDecoder(engine).withPublishers(keys), shards);
  }

  /** Decodes with a required publisher, and expects that no file appears. */
  private void assertRefused(List<Path> shards, String message, SigningKey... publishers)
      throws Exception {
    List<PublisherKey> keys = List.of(publishers).stream().map(SigningKey::publisher).toList();
    Path folder = Files.createTempDirectory(directory, "refused");
    FileDecoder decoder = new FileDecoder(engine).withPublishers(keys);
    assertThatExceptionOfType(PublisherException.class)
        .isThrownBy(() -> decoder.decode(shards, folder.resolve("file"), ProgressListener.NONE))
        .withMessageContaining(message);
    assertThat(folder).isEmptyDirectory();
    assertThat(Files.readAllBytes(decode(shards).file())).isEqualTo(CONTENT);
  }

  /** Writes a copy of a shard with another header, whose checksum is correct. */
  private Path withHeader(Path shard, UnaryOperator<ShardHeader> change) throws IOException {
    byte[] bytes = Files.readAllBytes(shard);
    ShardHeader header = ShardInspector.header(shard);
    byte[] other = change.apply(header).toBytes();
    int rest = bytes.length - header.byteSize();
    ByteBuffer changed =
        ByteBuffer.allocate(other.length + rest).put(other).put(bytes, header.byteSize(), rest);
    Path folder = Files.createTempDirectory(directory, "changed");
    return Files.write(folder.resolve(shard.getFileName()), changed.array());
  }

  private Path withRecord(Path shard, byte[] record) throws IOException {
    return withHeader(
        shard, header -> header.of(header.recordId(), false).withPublisherRecord(record));
  }

  private static Sha256 id(Path shard) throws IOException {
    return ShardInspector.header(shard).descriptor().manifest().id();
  }

  private static PublisherRecord record(Path shard) throws Exception {
    return PublisherRecord.verified(ShardInspector.header(shard)).orElseThrow();
  }

  @Test
  void signedShardsDecodeWithTheKeyOfTheirPublisher() throws Exception {
    for (byte[] content : List.of(CONTENT, new byte[0], new byte[1])) {
      EncodingResult plain = encode(encoder(), content);
      EncodingResult encoded = encode(encoder().signing(KEY), content);
      assertThat(encoded.publisher()).contains(KEY.publisher());
      assertThat(encoded.descriptor()).isEqualTo(plain.descriptor());
      assertThat(encoded.shardBytes())
          .isEqualTo(encoded.shards().stream().mapToLong(shard -> shard.toFile().length()).sum());
      for (Path shard : encoded.shards()) {
        assertThat(record(shard))
            .isEqualTo(PublisherRecord.sign(KEY, "data", id(plain.shards().getFirst())));
      }
      DecodingResult decoded = decode(encoded.shards().subList(1, 3), KEY);
      assertThat(decoded.publisher()).contains(KEY.publisher());
      assertThat(Files.readAllBytes(decoded.file())).isEqualTo(content);
      assertThat(decode(encoded.shards()).publisher()).isEmpty();
      assertThat(plain.publisher()).isEmpty();
    }
  }

  @Test
  void aFileIsSignedAndEncrypted() throws Exception {
    MasterKey master = MasterKey.of(new byte[32]);
    for (FileEncoder encoder :
        List.of(
            encoder().signing(KEY).encrypting(master).withoutReplacing(),
            encoder().withoutReplacing().encrypting(master).signing(KEY))) {
      List<Path> shards = encode(encoder, CONTENT).shards();
      FileDecoder decoder =
          new FileDecoder(engine)
              .withPublishers(List.of(KEY.publisher()))
              .decrypting(master)
              .withoutReplacing();
      assertThat(Files.readAllBytes(decode(decoder, shards).file())).isEqualTo(CONTENT);
      assertThatExceptionOfType(PublisherException.class)
          .isThrownBy(() -> decode(decoder.withPublishers(List.of(OTHER.publisher())), shards));
    }
  }

  @Test
  void theLongestNameHasRoom() throws Exception {
    String name = "ü".repeat(127) + "x";
    Path shard = encode(encoder().signing(KEY), CONTENT).shards().getFirst();
    CodedObject object = new CodedObject(name, manifest(shard));
    byte[] record = PublisherRecord.sign(KEY, name, id(shard)).toBytes();
    assertThat(record).hasSize(PublisherRecord.byteSize(name));
    ShardHeader header = new ShardHeader(object, 1, true, 0).withPublisherRecord(record);
    assertThat(header.byteSize()).isEqualTo(ShardHeader.byteSize(name, false, record.length));
    assertThat(PublisherRecord.verified(header)).isPresent();
  }

  private static ObjectManifest manifest(Path shard) throws IOException {
    return ShardInspector.header(shard).descriptor().manifest();
  }

  @Test
  void aShardWithoutARecordIsRefused() throws Exception {
    List<Path> unsigned = encode(encoder(), CONTENT).shards();
    assertRefused(unsigned, "no publisher record: " + unsigned.getFirst(), KEY);
    List<Path> shards = signed(KEY);
    List<Path> mixed = List.of(shards.get(0), unsigned.get(1), shards.get(2));
    assertRefused(mixed, "no publisher record: " + unsigned.get(1), KEY);
  }

  @Test
  void aRecordOfAnotherKeyIsRefused() throws Exception {
    List<Path> shards = signed(OTHER);
    assertRefused(
        shards,
        "signed by %s, which is not a required publisher: %s"
            .formatted(OTHER.publisher(), shards.getFirst()),
        KEY);
  }

  @Test
  void aRecordOfAnotherObjectIsRefused() throws Exception {
    List<Path> shards = signed(KEY);
    Sha256 other = id(encode(encoder(), ShardFiles.content(2999)).shards().getFirst());
    Path changed =
        withRecord(shards.getFirst(), PublisherRecord.sign(KEY, "data", other).toBytes());
    assertRefused(
        List.of(shards.get(1), shards.get(2), changed),
        "the publisher record is of object %s, not %s (at byte 220): %s"
            .formatted(other, id(shards.getFirst()), changed),
        KEY);
  }

  @Test
  void aRecordOfAnotherNameIsRefused() throws Exception {
    List<Path> shards = signed(KEY);
    byte[] record = PublisherRecord.sign(KEY, "other", id(shards.getFirst())).toBytes();
    Path changed = withRecord(shards.getFirst(), record);
    assertRefused(
        List.of(changed, shards.get(1), shards.get(2)),
        "the publisher record is of 'other', not 'data' (at byte 254): " + changed,
        KEY);
    Path renamed =
        withHeader(
            shards.getFirst(),
            header ->
                new ShardHeader(
                        new CodedObject("other", header.descriptor().manifest()),
                        header.recordId(),
                        false,
                        0)
                    .withPublisherRecord(header.publisherRecord().orElseThrow()));
    assertRefused(
        List.of(renamed, shards.get(1)), "the publisher record is of 'data', not 'other'", KEY);
  }

  @Test
  void aChangedRecordIsRefused() throws Exception {
    List<Path> shards = signed(KEY);
    ShardHeader header = ShardInspector.header(shards.getFirst());
    byte[] record = header.publisherRecord().orElseThrow();
    for (int bit = 0; bit < 8 * record.length; bit++) {
      byte[] changed = record.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      ShardHeader other = header.of(1, false).withPublisherRecord(changed);
      assertThatExceptionOfType(MalformedDataException.class)
          .as("bit %d", bit)
          .isThrownBy(() -> PublisherRecord.verified(other));
    }
    record[60] ^= 1;
    Path changed = withRecord(shards.getFirst(), record);
    assertRefused(
        List.of(changed, shards.get(1), shards.get(2)),
        "the signature of the publisher record is wrong (at byte 156): " + changed,
        KEY);
    Path cut = withRecord(shards.getFirst(), new byte[] {1, 2});
    assertRefused(
        List.of(shards.get(1), cut),
        "a publisher record of 2 bytes, not 139…4242 (at byte 116): " + cut,
        KEY);
  }

  @Test
  void shardsOfTwoPublishersNeedBothKeys() throws Exception {
    List<Path> one = signed(KEY);
    List<Path> two = signed(OTHER);
    List<Path> mixed = List.of(one.get(0), two.get(1), one.get(2));
    assertRefused(mixed, "signed by %s, which".formatted(OTHER.publisher()), KEY);
    assertRefused(mixed, one.getFirst().toString(), OTHER);
    assertThat(decode(mixed, OTHER, KEY).publisher()).contains(KEY.publisher());
  }

  /** Its blocks are those of the object that the header of the other shard identifies. */
  @Test
  void aShardWithADamagedHeaderIsReadByTheHeaderOfASignedOne() throws Exception {
    List<Path> shards = signed(KEY);
    byte[] bytes = Files.readAllBytes(shards.getFirst());
    bytes[30] ^= 1;
    Files.write(shards.getFirst(), bytes);
    DecodingResult decoded = decode(shards.subList(0, 2), KEY);
    assertThat(Files.readAllBytes(decoded.file())).isEqualTo(CONTENT);
    assertThat(decoded.report().shards().getFirst().isHeaderDamaged()).isTrue();
  }

  @Test
  void theRecoderKeepsTheFirstValidRecord() throws Exception {
    List<Path> signed = signed(KEY);
    Path unsigned = encode(encoder(), CONTENT).shards().getFirst();
    Path changed = withRecord(unsigned, new byte[] {1, 2});
    for (List<Path> sources :
        List.of(
            signed,
            List.of(unsigned, signed.get(1)),
            List.of(changed, signed.get(1), signed(OTHER).get(0)))) {
      Path recoded = recode(sources);
      assertThat(record(recoded)).isEqualTo(record(signed.getFirst()));
      assertThat(ShardInspector.header(recoded).hashesAt()).isPositive();
      assertThat(Files.readAllBytes(decode(List.of(recoded), KEY).file())).isEqualTo(CONTENT);
    }
    assertThat(ShardInspector.header(recode(List.of(unsigned))).publisherRecord()).isEmpty();
  }

  /** Names are not part of the identity, but a record is of one name. */
  @Test
  void aRecodedShardHasTheNameOfItsRecord() throws Exception {
    Path unsigned =
        withHeader(
            encode(encoder(), CONTENT).shards().getFirst(),
            header ->
                new ShardHeader(
                    new CodedObject("other", header.descriptor().manifest()),
                    header.recordId(),
                    false,
                    0));
    List<Path> sources = List.of(unsigned, signed(KEY).get(1));
    assertThat(ShardInspector.header(recode(sources)).descriptor().name()).isEqualTo("data");
  }

  private Path recode(List<Path> shards) throws Exception {
    Path target = Files.createTempDirectory(directory, "recoded").resolve("shard.fst");
    RecodingResult result =
        new ShardRecoder(engine).recode(shards, target, 10, 1, ProgressListener.NONE);
    assertThat(result.shardBytes()).isEqualTo(Files.size(target));
    assertThat(result.descriptor()).isEqualTo(ShardInspector.header(target).descriptor());
    return target;
  }

  /** Computed by the script in docs/format.md. */
  @Test
  void theHeaderOfASignedShardIsTheseBytes() throws Exception {
    byte[] content = new byte[100];
    for (int at = 0; at < content.length; at++) {
      content[at] = (byte) at;
    }
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 2, 16);
    Path shard =
        new FileEncoder(engine, new EncodingParameters(shape, 1, 0, 42))
            .signing(SigningKey.parse(GOLDEN_KEY))
            .encode(
                new ByteArrayInputStream(content), "grüße.txt", directory, ProgressListener.NONE)
            .shards()
            .getFirst();
    byte[] header = Arrays.copyOf(Files.readAllBytes(shard), 320);
    assertThat(HexFormat.of().formatHex(header)).isEqualTo(GOLDEN_HEADER);
    assertThat(ShardInspector.header(shard).toBytes()).isEqualTo(header);
  }

  private static final String GOLDEN_KEY =
      """
      -----BEGIN FIELDSTONE SIGNING KEY-----
      AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8DoQe/884Qvh1w3RjnS8CZZ+TWMJulDV8d3IZkElUxuN5NYh4=
      -----END FIELDSTONE SIGNING KEY-----
      """;
  private static final String GOLDEN_HEADER =
      "465354534841524400020140000000442cabe8bc3efe20360000000000000370"
          + "000b0099000000004653544f424a000201020100000000020000001000000000"
          + "000000000000000000000064768fa371e793ec67b0c625a50dd99e8066e2d7ea"
          + "a1f3ccf0f90fe58279b382956772c3bcc39f652e747874000100954653545055"
          + "42000203a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc866412"
          + "5531b8fc4db14e9f291456842ab666f6cf41ecdd43ff6379a222d1bc1b6d7528"
          + "721a91a1e6f09dd3ed65ad0d4074f3e534312e2bba364ad32d825a7e7b3c7594"
          + "ef780f0e4d6226a9f7888f5661e64d33fd784b2d04e8aacaabd4d9506aebd76b"
          + "d4ce82000b6772c3bcc39f652e74787400000000000000000000000000000000"
          + "00000000000000000000000000000000000000000000000000000000d56c2185";
}
