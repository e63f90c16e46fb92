package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.ProgressListener;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of 2 generations of 8 blocks of 40 bytes, and one of 3 blocks, the last of 20 bytes. */
class PartialDecodingTest {

  private static final int K = 40;
  private static final int GENERATION = 8 * K;
  private static final byte[] CONTENT = ShardFiles.content(2 * GENERATION + 100);

  private static Engine engine;

  @TempDir private Path directory;

  @BeforeAll
  static void open() {
    engine = Engine.open("cpu");
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  private ShardFiles files() {
    return new ShardFiles(engine, directory);
  }

  private DecodingResult decode(List<Path> shards) throws Exception {
    return decode(new FileDecoder(engine), shards);
  }

  private DecodingResult decode(FileDecoder decoder, List<Path> shards) throws Exception {
    Path target = Files.createTempDirectory(directory, "decoded").resolve("file");
    List<Long> progress = new ArrayList<>();
    DecodingResult result =
        decoder.withPartialOutput().decode(shards, target, (done, _) -> progress.add(done));
    assertThat(progress).contains(result.length());
    return result;
  }

  /** Returns the content with zeros for the missing bytes. */
  private static byte[] without(byte[] content, MissingBlocks missing) {
    byte[] rest = content.clone();
    for (MissingBlocks.Range range : missing.ranges()) {
      Arrays.fill(rest, (int) range.from(), (int) range.to(), (byte) 0);
    }
    return rest;
  }

  private static MissingBlocks.Range range(int from, int to) {
    return new MissingBlocks.Range(from, to);
  }

  /** Shards 0 and 1 of 4 have source blocks 0, 1, 4 and 5 of 8, and two coded ones. */
  @Test
  void blocksThatArrivedUncodedAreRestored() throws Exception {
    List<Path> shards = files().encode(CONTENT, new Code.Systematic(), 4, 0.5);
    DecodingResult result = decode(shards.subList(0, 2));
    MissingBlocks missing = result.missing();
    assertThat(missing.ranges())
        .containsExactly(range(80, 160), range(240, 320), range(400, 480), range(560, 640));
    assertThat(missing.blocks()).isEqualTo(8);
    assertThat(missing.bytes()).isEqualTo(8 * K);
    assertThat(missing.isEmpty()).isFalse();
    assertThat(missing.deliverable(result.length())).isEqualTo(80);
    // The last generation is complete, and has its hash.
    assertThat(missing.unverified()).isEqualTo(8);
    assertThat(result.file()).hasBinaryContent(without(CONTENT, missing));
    assertThat(result.report().shards()).hasSize(2);
  }

  /** Three of four shards hold frames 0 … 6 of a pipeline code, the last of them twice. */
  @Test
  void thePipelineCodeDeliversInOrder() throws Exception {
    List<Path> shards = files().encode(CONTENT, new Code.Pipeline(0.5), 4, 0.5);
    DecodingResult result = decode(shards.subList(0, 3));
    assertThat(result.missing().ranges()).containsExactly(range(280, 320), range(600, 640));
    assertThat(result.missing().deliverable(result.length())).isEqualTo(7 * K);
    assertThat(result.file()).hasBinaryContent(without(CONTENT, result.missing()));
  }

  @Test
  void aDenseGenerationIsSolvedAsAWhole() throws Exception {
    List<Path> shards = files().encode(CONTENT, new Code.Dense(), 4, 0.5);
    DecodingResult result = decode(shards.subList(0, 2));
    assertThat(result.missing().ranges()).containsExactly(range(0, 2 * GENERATION));
    assertThat(result.missing().blocks()).isEqualTo(16);
    assertThat(result.file()).hasBinaryContent(without(CONTENT, result.missing()));
  }

  /** A header that claims all generations, and no record. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void claimsOfAHeaderCostNoTime() throws Exception {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 1, 1);
    int length = (int) ObjectManifest.MAX_GENERATIONS;
    ObjectManifest claim =
        new ObjectManifest(shape, length, Optional.empty(), new Sha256(0, 0, 0, 0));
    Path shard = directory.resolve("claim");
    Files.write(shard, new ShardHeader(new CodedObject("name", claim), 7, false, 0).toBytes());
    DecodingResult result = decode(List.of(shard));
    assertThat(result.missing())
        .isEqualTo(new MissingBlocks(length, length, 0, List.of(range(0, length))));
    assertThat(result.file()).hasSize(length);
  }

  /** The middle one of three generations, and the last. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void generationsWithoutRecordsAreMissing(int generation) throws Exception {
    ShardFiles files = files();
    List<Path> shards = new ArrayList<>();
    for (Path shard : files.encode(CONTENT, new Code.Systematic(), 2, 0)) {
      byte[] bytes = Files.readAllBytes(shard);
      ShardHeader header = ShardInspector.header(shard);
      int from = header.byteSize() + 4 * generation * header.recordBytes();
      int to = Math.min((int) header.hashesAt(), from + 4 * header.recordBytes());
      byte[] rest = Arrays.copyOf(bytes, bytes.length - (to - from));
      System.arraycopy(bytes, to, rest, from, bytes.length - to);
      shards.add(files.write(shard, rest));
    }
    DecodingResult result = decode(shards);
    int from = generation * GENERATION;
    int to = Math.min(CONTENT.length, from + GENERATION);
    assertThat(result.missing().ranges()).containsExactly(range(from, to));
    assertThat(result.missing().blocks()).isEqualTo((to - from + K - 1) / K);
    assertThat(result.file()).hasBinaryContent(without(CONTENT, result.missing()));
  }

  /** One shard holds fewer blocks than the file has, and none of the last block. */
  @Test
  void theRangeOfTheLastBlockEndsWithTheFile() throws Exception {
    List<Path> shards = files().encode(CONTENT, new Code.Systematic(), 4, 0);
    DecodingResult result = decode(shards.subList(0, 1));
    assertThat(result.missing().ranges().getLast()).isEqualTo(range(680, CONTENT.length));
    assertThat(result.missing().blocks()).isEqualTo(6 + 6 + 2);
    assertThat(result.file()).hasBinaryContent(without(CONTENT, result.missing()));
  }

  @Test
  void sufficientShardsMissNothing() throws Exception {
    List<Path> shards = files().encode(CONTENT, new Code.Pipeline(0.5), 4, 0.5);
    DecodingResult result = decode(shards);
    assertThat(result.missing()).isEqualTo(MissingBlocks.NONE);
    assertThat(result.missing().isEmpty()).isTrue();
    assertThat(result.missing().deliverable(result.length())).isEqualTo(CONTENT.length);
    assertThat(result.file()).hasBinaryContent(CONTENT);
  }

  /** A wrong block in every set of n leaves no generation of the right hash. */
  @Test
  void aGenerationWithAWrongHashIsMissing() throws Exception {
    ShardFiles files = files();
    List<Path> shards = new ArrayList<>(files.encode(CONTENT, new Code.Systematic(), 4, 0));
    shards.set(3, files.polluted(shards.get(3), 0));
    DecodingResult result = decode(shards);
    assertThat(result.missing()).isEqualTo(new MissingBlocks(8, 320, 0, List.of(range(0, 320))));
    assertThat(result.file()).hasBinaryContent(without(CONTENT, result.missing()));
    assertThatExceptionOfType(DigestMismatchException.class).isThrownBy(() -> files.decode(shards));
  }

  /** An encrypted generation is authenticated as a whole. */
  @Test
  void encryptedGenerationsAreRestoredAsAWhole() throws Exception {
    MasterKey key = MasterKey.of(new byte[32]);
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 8, K);
    Path source = Files.write(directory.resolve("data"), CONTENT);
    List<Path> shards =
        new FileEncoder(engine, new EncodingParameters(shape, 4, 0.5, 7))
            .encrypting(key)
            .encode(source, directory.resolve("shards"), ProgressListener.NONE)
            .shards();
    DecodingResult result = decode(new FileDecoder(engine).decrypting(key), shards.subList(0, 2));
    int plain = GENERATION - 16;
    assertThat(result.length()).isEqualTo(CONTENT.length);
    assertThat(result.missing().ranges()).containsExactly(range(0, 2 * plain));
    assertThat(result.missing().unverified()).isZero();
    assertThat(result.file()).hasBinaryContent(without(CONTENT, result.missing()));
  }

  @Test
  void aStreamGetsTheSameBytes() throws Exception {
    List<Path> shards = files().encode(CONTENT, new Code.Systematic(), 4, 0.5).subList(0, 2);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    MissingBlocks missing =
        new FileDecoder(engine)
            .withPartialOutput()
            .decode(shards, stream, "stream", ProgressListener.NONE)
            .missing();
    assertThat(stream.toByteArray()).isEqualTo(without(CONTENT, missing));
  }

  /** Records of a shard in the reverse order are found, as by a complete decoding. */
  @Test
  void aShardOutOfOrderIsReadInRuns() throws Exception {
    ShardFiles files = files();
    List<Path> shards = files.encode(CONTENT, new Code.Systematic(), 4, 0.5);
    byte[] bytes = Files.readAllBytes(shards.getFirst());
    int header = ShardInspector.header(shards.getFirst()).byteSize();
    int record = ShardInspector.header(shards.getFirst()).recordBytes();
    byte[] first = Arrays.copyOfRange(bytes, header, header + record);
    System.arraycopy(bytes, header + 5 * record, bytes, header, record);
    System.arraycopy(first, 0, bytes, header + 5 * record, record);
    List<Path> disordered = List.of(files.write(shards.getFirst(), bytes), shards.get(1));
    DecodingResult result = decode(disordered);
    assertThat(result.missing()).isEqualTo(decode(shards.subList(0, 2)).missing());
    assertThat(result.file()).hasBinaryContent(without(CONTENT, result.missing()));
  }

  @Test
  void interruptionLeavesNoFile() throws Exception {
    List<Path> shards = files().encode(CONTENT, new Code.Systematic(), 4, 0.5).subList(0, 2);
    Path target = directory.resolve("interrupted");
    FileDecoder decoder = new FileDecoder(engine).withPartialOutput();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(
            () -> decoder.decode(shards, target, (_, _) -> Thread.currentThread().interrupt()));
    assertThat(Thread.interrupted()).isFalse();
    assertThat(target).doesNotExist();
  }
}
