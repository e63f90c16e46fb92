package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.rlnc.wire.ShardRecords;
import io.fieldstone.stream.file.OpenFile;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records are found wherever they lie, and a header is taken from where it is good. */
@Timeout(120) // A reader that hangs on bad input must fail; all tests are short.
class ResynchronisationTest {

  private static final int GENERATIONS = 5;
  private static final long RECORD_ID = 7;
  private static final byte[] CONTENT = ShardFiles.content(GENERATIONS * 8 * 40);

  private static Engine engine;

  @TempDir private static Path directory;

  private static ShardFiles files;

  /** Three shards of 4 blocks a generation each: any two are just enough. */
  private static List<Path> plain;

  private static List<Path> withVectors;

  @BeforeAll
  static void encode() throws Exception {
    engine = Engine.open("auto");
    files = new ShardFiles(engine, directory);
    plain = files.encode(CONTENT, new Code.Systematic(), 3, 0.5);
    withVectors = List.of(files.recode(plain, 4, 1), files.recode(plain, 4, 2));
    assertThat(files.inspect(withVectors).ranks().isComplete()).isTrue();
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  private static List<Path> shards(boolean vectors) {
    return vectors ? withVectors : plain;
  }

  private static byte[] spliced(byte[] bytes, int at, int cut, byte... inserted) {
    byte[] result = Arrays.copyOf(bytes, bytes.length - cut + inserted.length);
    System.arraycopy(inserted, 0, result, at, inserted.length);
    int rest = bytes.length - at - cut;
    System.arraycopy(bytes, at + cut, result, at + inserted.length, rest);
    return result;
  }

  /** Where the records of a shard end. */
  private static int end(ShardHeader header, byte[] shard) {
    return header.hashesAt() == 0 ? shard.length : (int) header.hashesAt();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeletedByteCostsTheRecordItWasIn(boolean vectors) throws Exception {
    List<Path> shards = shards(vectors);
    byte[] whole = Files.readAllBytes(shards.getFirst());
    ShardHeader header = ShardInspector.header(shards.getFirst());
    long records = GENERATIONS * 4;
    for (int at = 0; at < whole.length; at += at < header.byteSize() ? 1 : 17) {
      Path damaged = files.write(shards.getFirst(), spliced(whole, at, 1));
      InspectionResult found = files.inspect(List.of(damaged, shards.get(1)));
      ShardReport.Shard summary = found.report().shards().getFirst();
      assertThat(summary.path()).isEqualTo(damaged);
      boolean isInRecords = at >= header.byteSize() && at < end(header, whole);
      assertThat(summary.isHeaderDamaged()).isEqualTo(at < header.byteSize());
      assertThat(summary.areHashesDamaged()).isEqualTo(at >= end(header, whole));
      boolean isAtHashes = at >= end(header, whole) && at < end(header, whole) + 8;
      if (isAtHashes) {
        // They no longer look like hashes.
        assertThat(summary.damaged()).isLessThanOrEqualTo(1);
        continue;
      }
      assertThat(summary.damaged()).isEqualTo(isInRecords ? 1 : 0);
      assertThat(summary.records()).isEqualTo(records);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void insertedBytesCostAtMostTheRecordTheyAreIn(boolean vectors) throws Exception {
    List<Path> shards = shards(vectors);
    byte[] whole = Files.readAllBytes(shards.getFirst());
    ShardHeader header = ShardInspector.header(shards.getFirst());
    Random random = new Random(1);
    for (int at = header.byteSize(); at <= end(header, whole); at += 23) {
      byte[] noise = new byte[1 + random.nextInt(30)];
      random.nextBytes(noise);
      Path damaged = files.write(shards.getFirst(), spliced(whole, at, 0, noise));
      ShardReport.Shard summary =
          files.inspect(List.of(damaged, shards.get(1))).report().shards().getFirst();
      long lost = (at - header.byteSize()) % header.recordBytes() == 0 ? 0 : 1;
      assertThat(summary.records() - summary.damaged()).isEqualTo(GENERATIONS * 4 - lost);
      assertThat(summary.damaged()).isEqualTo(1);
    }
  }

  /** Decoding needs more of the damaged shard than the records before the damage. */
  @Test
  void decodesFromRecordsAfterADeletedByte() throws Exception {
    byte[] whole = Files.readAllBytes(plain.getFirst());
    int recordBytes = ShardInspector.header(plain.getFirst()).recordBytes();
    // In the third shard the first generation is missing, which the damaged one has at its end.
    Path damaged = files.write(plain.getFirst(), spliced(whole, whole.length / 2, 1));
    byte[] third = Files.readAllBytes(plain.get(2));
    int end = end(ShardInspector.header(plain.get(2)), third);
    Path cut = files.write(plain.get(2), spliced(third, end - 4 * recordBytes, 4 * recordBytes));
    DecodingResult result = files.decode(List.of(damaged, plain.get(1), cut));
    assertThat(result.file()).hasBinaryContent(CONTENT);
    assertThat(result.report().damaged()).isEqualTo(1);
  }

  private enum HeaderDamage {
    FLIPPED {
      @Override
      byte[] apply(byte[] shard, int header) {
        shard[57] ^= 4;
        return shard;
      }
    },
    ZEROED {
      @Override
      byte[] apply(byte[] shard, int header) {
        Arrays.fill(shard, 0, header, (byte) 0);
        return shard;
      }
    },
    CUT_OFF {
      @Override
      byte[] apply(byte[] shard, int header) {
        return Arrays.copyOfRange(shard, header, shard.length);
      }
    },
    CUT_INTO_A_RECORD {
      @Override
      byte[] apply(byte[] shard, int header) {
        return Arrays.copyOfRange(shard, header + 30, shard.length);
      }
    };

    abstract byte[] apply(byte[] shard, int header);
  }

  @Test
  void oneGoodHeaderIsEnoughForAll() throws Exception {
    for (HeaderDamage damage : HeaderDamage.values()) {
      for (boolean vectors : new boolean[] {false, true}) {
        List<Path> given = new ArrayList<>(List.of(plain.get(2)));
        for (Path shard : shards(vectors)) {
          byte[] bytes = Files.readAllBytes(shard);
          given.addFirst(
              files.write(shard, damage.apply(bytes, ShardInspector.header(shard).byteSize())));
        }
        DecodingResult result = files.decode(given);
        assertThat(result.file()).hasBinaryContent(CONTENT);
        assertThat(result.report().leftOut()).isEmpty();
        assertThat(result.report().shards())
            .extracting(ShardReport.Shard::path)
            .containsExactlyElementsOf(given);
        assertThat(result.report().shards())
            .filteredOn(ShardReport.Shard::isHeaderDamaged)
            .hasSize(given.size() - 1)
            .allSatisfy(one -> assertThat(one.header().vectors()).isEqualTo(vectors));
      }
    }
  }

  @Test
  void withoutAGoodHeaderEveryFileIsNamed() throws Exception {
    byte[] bytes = Files.readAllBytes(plain.getFirst());
    bytes[20] ^= 1;
    Path one = files.write(plain.getFirst(), bytes);
    Path other = files.write(plain.get(1), new byte[1000]);
    assertThatExceptionOfType(MalformedShardException.class)
        .isThrownBy(() -> files.decode(List.of(one, other)))
        .withMessageContaining(one.toString())
        .withMessageContaining("CRC-32C of the header")
        .satisfies(e ->
            assertThat(e.getSuppressed())
                .singleElement()
                .isInstanceOfSatisfying(
                    MalformedShardException.class,
                    second -> assertThat(second.path()).isEqualTo(other)));
  }

  @Test
  void omittedShardsAreInTheFailure() throws Exception {
    Path foreign = files.write(plain.get(2), ShardFiles.content(5000));
    assertThatExceptionOfType(ShortRankException.class)
        .isThrownBy(() -> files.decode(List.of(plain.getFirst(), foreign)))
        .satisfies(e -> {
          assertThat(e.report().leftOut())
              .singleElement()
              .satisfies(one -> {
                assertThat(one.path()).isEqualTo(foreign);
                assertThat(one.reason()).contains("does not start with \"FSTSHARD\"");
              });
          assertThat(e.report().shards()).hasSize(1);
        });
  }

  private static Path shuffled(Path shard, long seed) throws Exception {
    byte[] bytes = Files.readAllBytes(shard);
    ShardHeader header = ShardInspector.header(shard);
    List<Integer> order = new ArrayList<>();
    int end = end(header, bytes);
    for (int at = header.byteSize(); at < end; at += header.recordBytes()) {
      order.add(at);
    }
    Collections.shuffle(order, new Random(seed));
    ByteBuffer result = ByteBuffer.allocate(bytes.length).put(bytes, 0, header.byteSize());
    order.forEach(at -> result.put(bytes, at, header.recordBytes()));
    result.put(bytes, end, bytes.length - end);
    return files.write(shard, result.array());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void recordsInAnyOrderAreAllUsed(boolean vectors) throws Exception {
    List<Path> shards = shards(vectors);
    List<Path> given = List.of(shuffled(shards.getFirst(), 1), shuffled(shards.get(1), 2));
    assertThat(files.decoded(given)).isEqualTo(CONTENT);
    InspectionResult found = files.inspect(given);
    assertThat(found.ranks().isComplete()).isTrue();
    assertThat(found.report().damaged()).isZero();
    assertThat(files.recoded(given, 8, 1).ranks().isComplete()).isTrue();
    assertThat(files.decoded(List.of(files.recode(given, 12, 1)))).isEqualTo(CONTENT);
  }

  @Test
  void shardsOneAfterAnotherInAFileAreOneShard() throws Exception {
    ByteBuffer both = ByteBuffer.allocate(2 * (int) Files.size(plain.getFirst()));
    both.put(Files.readAllBytes(plain.get(2))).put(Files.readAllBytes(plain.getFirst()));
    Path file = files.write(plain.getFirst(), both.array());
    assertThat(files.decoded(List.of(file))).isEqualTo(CONTENT);
    assertThat(files.inspect(List.of(file)).ranks().isComplete()).isTrue();
  }

  /** A good record of a late generation before all others does not hide them. */
  @Test
  void aRecordFarAheadHidesNoOtherRecords() throws Exception {
    byte[] bytes = Files.readAllBytes(plain.getFirst());
    ShardHeader header = ShardInspector.header(plain.getFirst());
    byte[] last = Arrays.copyOfRange(bytes, bytes.length - header.recordBytes(), bytes.length);
    Path file = files.write(plain.getFirst(), spliced(bytes, header.byteSize(), 0, last));
    assertThat(files.decoded(List.of(file, plain.get(1)))).isEqualTo(CONTENT);
  }

  /** A decoder that gives up at the first batch has not seen yet that it is there. */
  @Test
  void theFirstGenerationMayBeAtTheEnd() throws Exception {
    byte[] content = ShardFiles.content(20_000 * 8 * 40);
    List<Path> turned = new ArrayList<>();
    for (Path shard : files.encode(content, new Code.Systematic(), 2, 0)) {
      byte[] bytes = Files.readAllBytes(shard);
      ShardHeader header = ShardInspector.header(shard);
      int cut = 4 * header.recordBytes();
      byte[] first = Arrays.copyOfRange(bytes, header.byteSize(), header.byteSize() + cut);
      byte[] rest = spliced(bytes, header.byteSize(), cut);
      turned.add(files.write(shard, spliced(rest, rest.length, 0, first)));
    }
    assertThat(files.decoded(turned)).isEqualTo(content);
  }

  /** Each generation is heard once and in order, though the first try was given up. */
  @Test
  void progressRestartsAfterTheShardsAreReordered() throws Exception {
    List<Long> heard = new ArrayList<>();
    GenerationListener listener =
        new GenerationListener() {
          @Override
          public void start() {
            heard.clear();
          }

          @Override
          public void generation(long generation, int blocks, long codedBlocks, int rank) {
            heard.add(generation);
          }
        };
    new ShardInspector(engine).inspect(List.of(shuffled(plain.getFirst(), 4)), listener);
    assertThat(heard).isSorted().doesNotHaveDuplicates().hasSize(GENERATIONS);
  }

  private static CodedObject object(int blockSize, long length) {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 2, blockSize);
    return new CodedObject(
        "name", new ObjectManifest(shape, length, Optional.empty(), new Sha256(0, 0, 0, 0)));
  }

  /** Headers of records as close as can be: CRCs over each of them would be quadratic. */
  @Test
  void falseRecordsCostTimeLinearInTheirBytes() throws Exception {
    int blockSize = 100_000;
    CodedObject object = object(blockSize, 10 * blockSize);
    byte[] record = record(object);
    ByteBuffer file = ByteBuffer.allocate(64 * 60_000);
    while (file.hasRemaining()) {
      file.put(record, 0, 64);
    }
    Path path = files.write(plain.getFirst(), file.array());
    try (OpenFile open = OpenFile.read(path)) {
      RecordScanner scanner =
          new RecordScanner(
              open,
              new ShardRecords(object, RECORD_ID),
              blockSize,
              new int[] {0, 2},
              0,
              open.size(),
              open.size(),
              MemorySegment.ofArray(new byte[1 << 20]));
      assertThat(scanner.next()).isFalse();
      assertThat(scanner.wasted()).isBetween(1L, 5 * open.size());
    }
  }

  /** A record of an object, without a payload or a checksum. */
  private static byte[] record(CodedObject object) {
    byte[] record = new byte[new ShardHeader(object, RECORD_ID, false, 0).recordBytes()];
    ByteBuffer.wrap(record)
        .putInt(0, 0x46534201)
        .put(4, (byte) 1)
        .put(5, (byte) 1)
        .put(6, (byte) 1)
        .putLong(8, RECORD_ID)
        .putInt(44, object.blocksOf(0))
        .putInt(48, object.shape().blockSize());
    return record;
  }

  @Test
  void aFileOfMagicsHasNoRecord() throws Exception {
    ByteBuffer file = ByteBuffer.allocate(4 << 20);
    file.put(new ShardHeader(object(1, 100), RECORD_ID, false, 0).toBytes());
    while (file.remaining() >= 4) {
      file.putInt(0x46534201);
    }
    InspectionResult found = files.inspect(List.of(files.write(plain.getFirst(), file.array())));
    assertThat(found.ranks().codedBlocks()).isZero();
    assertThat(found.report().damaged()).isPositive();
  }

  @Test
  void recordsBehindAHoleAreFound() throws Exception {
    byte[] bytes = Files.readAllBytes(plain.getFirst());
    ShardHeader header = ShardInspector.header(plain.getFirst());
    int first = header.byteSize() + header.recordBytes();
    Path sparse = files.write(plain.getFirst(), Arrays.copyOf(bytes, first));
    try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
      file.seek((300L << 20) + 3);
      file.write(bytes, first, bytes.length - first);
    }
    DecodingResult result = files.decode(List.of(sparse, plain.get(1)));
    assertThat(result.file()).hasBinaryContent(CONTENT);
  }

  /** A shard may be that large, but most of it is a hole. */
  @Test
  void aLongHoleIsNotReadToItsEnd() throws Exception {
    byte[] content = ShardFiles.content(20_000 * 8 * 40);
    List<Path> shards = files.encode(content, new Code.Systematic(), 2, 0);
    long records = 20_000 * 4;
    Path sparse = files.write(shards.getFirst(), Files.readAllBytes(shards.getFirst()));
    long size = 1L << 40;
    try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
      file.setLength(size);
    }
    Path hole = hole(sparse, size);
    DecodingResult result = files.decode(List.of(sparse, hole, shards.get(1)));
    assertThat(result.file()).hasBinaryContent(content);
    ShardReport.Shard summary = result.report().shards().getFirst();
    assertThat(summary.records() - summary.damaged()).isEqualTo(records);
    assertThat(summary.damaged()).isBetween(size / 104 - records - 2, size / 104 - records + 2);
    assertThat(result.report().leftOut())
        .extracting(ShardReport.LeftOut::path)
        .containsExactly(hole);
  }

  /** Creates a sparse file without data, with the name of {@code like}. */
  private static Path hole(Path like, long size) throws Exception {
    Path path = files.write(like, new byte[0]);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(size);
    }
    return path;
  }

  /** Larger than any shard of its object can be: the records that it has are good nevertheless. */
  @Test
  void aHoleHidesNoRecordsBeforeIt() throws Exception {
    Path huge = files.write(plain.getFirst(), Files.readAllBytes(plain.getFirst()));
    try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
      file.setLength(4L << 40);
    }
    DecodingResult result = files.decode(List.of(huge, plain.get(1)));
    assertThat(result.file()).hasBinaryContent(CONTENT);
    assertThat(result.report().shards())
        .noneMatch(ShardReport.Shard::isHeaderDamaged)
        .first()
        .satisfies(one -> assertThat(one.damaged()).isGreaterThan(1L << 35));
  }
}
