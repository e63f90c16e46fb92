package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.ProgressListener;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoundTripTest {

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

  static Stream<Code> codes() {
    return Stream.of(
        new Code.Dense(),
        new Code.Systematic(),
        Code.Sparse.ofDensity(0.3),
        new Code.Pipeline(0.5));
  }

  static Stream<Arguments> codesAndLengths() {
    int n = 6;
    int k = 40;
    return codes()
        .flatMap(code ->
            IntStream.of(0, 1, k - 1, k, k + 1, n * k - 1, n * k, n * k + 1, 7 * n * k + 5)
                .mapToObj(length -> Arguments.of(code, length)));
  }

  /** A change after the stamp could else have the time of the change before it. */
  @Test
  void aNewFileIsReadAfterAStepOfTheClock() throws Exception {
    var parameters = new EncodingParameters(shape(new Code.Dense(), 4, 50), 2, 0.5, 1);
    Path file = Files.write(directory.resolve("new"), random(200, 1));
    Instant modified = Files.getLastModifiedTime(file).toInstant();
    AtomicReference<Instant> written = new AtomicReference<>(Instant.MAX);
    new FileEncoder(engine, parameters)
        .encode(file, directory, (_, _) -> written.compareAndSet(Instant.MAX, Instant.now()));
    assertThat(Duration.between(modified, written.get()))
        .isGreaterThanOrEqualTo(Duration.ofMillis(20));
  }

  @ParameterizedTest
  @MethodSource("codesAndLengths")
  void anyLengthComesBack(Code code, int length) throws Exception {
    for (Gf256 field : List.of(Gf256.DEFAULT, Gf256.RIJNDAEL)) {
      byte[] content = random(length, length);
      var parameters = new EncodingParameters(new GenerationShape(field, code, 6, 40), 4, 1.5, 7);
      EncodingResult encoded = encode(parameters, content);

      assertThat(encoded.shards()).hasSize(4).allMatch(Files::isRegularFile);
      assertThat(encoded.descriptor().length()).isEqualTo(length);
      assertThat(encoded.shardBytes()).isEqualTo(bytesOf(encoded.shards()));
      assertThat(decode(encoded.shards())).isEqualTo(content);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 32})
  void anyNumberOfShards(int shards) throws Exception {
    byte[] content = random(9000, shards);
    EncodingResult encoded =
        encode(new EncodingParameters(shape(new Code.Dense(), 10, 64), shards, 0.5, 1), content);

    assertThat(encoded.shards()).hasSize(shards);
    assertThat(decode(encoded.shards())).isEqualTo(content);
  }

  @ParameterizedTest
  @MethodSource("codes")
  void generationsOfOneBlock(Code code) throws Exception {
    byte[] content = random(1000, 1);
    EncodingResult encoded = encode(new EncodingParameters(shape(code, 1, 7), 3, 2, 1), content);

    assertThat(decode(encoded.shards())).isEqualTo(content);
  }

  /** More generations than a batch takes, so that slots are used again and a batch is partial. */
  @Test
  void manyBatches() throws Exception {
    for (Code code : List.of(new Code.Dense(), new Code.Systematic(), new Code.Pipeline(0.5))) {
      manyBatches(code);
    }
  }

  private void manyBatches(Code code) throws Exception {
    byte[] content = random(2 * 4 * 5000 + 3, 1);
    EncodingResult encoded = encode(new EncodingParameters(shape(code, 4, 2), 2, 1, 1), content);

    assertThat(encoded.descriptor().generations()).isEqualTo(5001);
    assertThat(decode(encoded.shards())).isEqualTo(content);
  }

  @ParameterizedTest
  @MethodSource("codes")
  void anyShardsOfFullRankAreEnough(Code code) throws Exception {
    byte[] content = random(20_000, 3);
    EncodingResult encoded =
        encode(new EncodingParameters(shape(code, 16, 100), 8, 2, 99), content);
    Random random = new Random(5);
    for (int round = 0; round < 10; round++) {
      List<Path> shards = new ArrayList<>(encoded.shards());
      Collections.shuffle(shards, random);
      // 4 of 8 shards hold 24 blocks of 16 source blocks: enough but for the sparse and late ones.
      List<Path> kept = shards.subList(0, 4);
      RankSummary ranks = inspect(kept).ranks();
      if (ranks.isComplete()) {
        assertThat(decode(kept)).isEqualTo(content);
      } else {
        assertThatExceptionOfType(ShortRankException.class)
            .isThrownBy(() -> decode(kept))
            .satisfies(e -> assertThat(e.ranks()).isEqualTo(ranks));
      }
    }
    assertThat(inspect(encoded.shards()).ranks().isComplete()).isTrue();
  }

  @Test
  void losingAThirdOfTheShardsLosesNoShortLastGeneration() throws Exception {
    byte[] content = random(3 * 64 + 1, 3);
    EncodingResult encoded =
        encode(new EncodingParameters(shape(new Code.Systematic(), 64, 64), 16, 0.5, 1), content);

    assertThat(decode(encoded.shards().subList(5, 16))).isEqualTo(content);
    assertThat(decode(encoded.shards().subList(0, 11))).isEqualTo(content);
  }

  @Test
  void shortRankNamesGenerationsAndMissingBlocksAndWritesNoFile() throws Exception {
    byte[] content = random(5 * 16 * 50 - 10, 3);
    EncodingResult encoded =
        encode(new EncodingParameters(shape(new Code.Systematic(), 16, 50), 4, 0.5, 1), content);

    Path target = directory.resolve("short");
    assertThatExceptionOfType(ShortRankException.class)
        .isThrownBy(() -> decode(encoded.shards().subList(0, 2), target))
        .withMessageContaining("5 of 5 generations")
        .withMessageContaining("0 (4 of 16)")
        .satisfies(e -> assertThat(e.ranks().missingBlocks()).isEqualTo(20));
    assertThat(target).doesNotExist();
    assertNoTemporaries();
  }

  @ParameterizedTest
  @MethodSource("codes")
  void recodedShardsDecode(Code code) throws Exception {
    byte[] content = random(5 * 8 * 60 + 61, 3);
    List<Path> encoded =
        encode(new EncodingParameters(shape(code, 8, 60), 4, 1, 1), content).shards();

    List<Path> once = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      RecodingResult recoded = recode(encoded, "once" + i, 4, i);
      assertThat(recoded.ranks().isComplete()).isTrue();
      assertThat(recoded.codedBlocks()).isEqualTo(6 * 4);
      assertThat(recoded.shardBytes()).isEqualTo(Files.size(recoded.shard()));
      once.add(recoded.shard());
    }
    assertThat(decode(once)).isEqualTo(content);

    List<Path> twice = List.of(recode(once, "twice", 9, 1).shard());
    assertThat(decode(twice)).isEqualTo(content);

    List<Path> mixed = List.of(encoded.get(2), once.get(0), twice.get(0), encoded.get(1));
    assertThat(decode(mixed)).isEqualTo(content);
  }

  @Test
  void aRecoderGivesNoMoreRankThanItHas() throws Exception {
    byte[] content = random(3 * 8 * 60, 3);
    List<Path> encoded =
        encode(new EncodingParameters(shape(new Code.Systematic(), 8, 60), 4, 0, 1), content)
            .shards();

    RecodingResult low = recode(encoded.subList(0, 1), "low", 30, 1);
    assertThat(low.ranks().minRank()).isEqualTo(2);
    assertThat(low.ranks().missingBlocks()).isEqualTo(18);
    assertThatExceptionOfType(ShortRankException.class)
        .isThrownBy(() -> decode(List.of(low.shard())));

    // The first n blocks that come are all of rank 2: the rest must be read.
    List<Path> mixed = new ArrayList<>(List.of(low.shard()));
    mixed.addAll(encoded.subList(1, 4));
    assertThat(decode(mixed)).isEqualTo(content);
    assertThat(recode(mixed, "full", 8, 1).ranks().isComplete()).isTrue();
  }

  @Test
  void theSameShardTwiceCountsOnce() throws Exception {
    byte[] content = random(3 * 8 * 60, 3);
    for (Code code : codes().toList()) {
      List<Path> encoded =
          encode(new EncodingParameters(shape(code, 8, 60), 2, 2, 1), content).shards();
      List<Path> doubled = List.of(encoded.get(0), encoded.get(0), encoded.get(1));
      assertThat(decode(doubled)).isEqualTo(content);
      assertThat(inspect(doubled).ranks().complete()).isEqualTo(3);
    }
  }

  @Test
  void recoderAndEncoderWithOneSeedAreIndependent() throws Exception {
    byte[] content = random(8 * 60, 3);
    List<Path> encoded =
        encode(new EncodingParameters(shape(new Code.Systematic(), 8, 60), 2, 1, 5), content)
            .shards();

    Path recoded = recode(encoded, "recoded", 8, 5).shard();
    RankSummary ranks = inspect(List.of(encoded.get(0), recoded)).ranks();
    assertThat(ranks.isComplete()).isTrue();
  }

  @Test
  void streamsAndFilesMakeTheSameShards() throws Exception {
    byte[] content = random(50_000, 3);
    var parameters = new EncodingParameters(shape(new Code.Dense(), 16, 256), 3, 0.5, 1);
    EncodingResult fromFile = encode(parameters, content);
    Path other = directory.resolve("other");
    EncodingResult fromStream =
        encoder(parameters)
            .encode(new ByteArrayInputStream(content), "data", other, ProgressListener.NONE);

    assertThat(fromStream.descriptor()).isEqualTo(fromFile.descriptor());
    for (int i = 0; i < 3; i++) {
      assertThat(fromStream.shards().get(i)).hasSameBinaryContentAs(fromFile.shards().get(i));
    }
  }

  @Test
  void progressEndsAtTheWhole() throws Exception {
    List<Long> heard = Collections.synchronizedList(new ArrayList<>());
    Path source = directory.resolve("data");
    Files.write(source, random(50_000, 3));
    var parameters = new EncodingParameters(shape(new Code.Dense(), 2, 4), 3, 0.5, 1);
    ProgressListener listener =
        (done, total) -> {
          assertThat(total).isEqualTo(50_000);
          heard.add(done);
        };
    EncodingResult encoded = encoder(parameters).encode(source, directory, listener);
    assertThat(heard).hasSizeGreaterThan(2).isSorted().last().isEqualTo(50_000L);
    assertThat(encoded.profile())
        .extracting("name")
        .containsExactly("read", "hash", "compute", "write");
    assertThat(encoded.profile()).extracting("bytes").first().isEqualTo(50_000L);
  }

  @Test
  void differentObjectsAndVersionsDoNotMix() throws Exception {
    var parameters = new EncodingParameters(shape(new Code.Dense(), 4, 16), 2, 0.5, 1);
    Path one = encode(parameters, random(100, 1)).shards().getFirst();
    Path kept = Files.copy(one, directory.resolve("kept.fst"));
    Path changed = encode(parameters, random(100, 2)).shards().getLast();
    assertThatExceptionOfType(MixedShardsException.class)
        .isThrownBy(() -> decode(List.of(kept, changed)))
        .withMessageContaining("two versions")
        .withMessageContaining(kept.toString())
        .withMessageContaining(changed.toString());

    var otherSeed = new EncodingParameters(shape(new Code.Dense(), 4, 16), 2, 0.5, 2);
    // The seed is not part of the identity.
    Path object = encode(otherSeed, random(100, 2)).shards().getFirst();
    assertThatExceptionOfType(MixedShardsException.class)
        .isThrownBy(() -> recode(List.of(kept, object), "mixed", 1, 1))
        .withMessageContaining("two versions");
    assertThat(directory.resolve("mixed")).doesNotExist();
  }

  @Test
  void aChangedSourceIsAnError() throws Exception {
    Path source = directory.resolve("growing");
    Files.write(source, random(100_000, 1));
    var parameters = new EncodingParameters(shape(new Code.Dense(), 2, 8), 2, 0, 1);
    ProgressListener grow = (_, _) -> append(source);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> encoder(parameters).encode(source, directory, grow))
        .withMessageContaining("changed while it was read");
    assertThat(directory).isDirectoryNotContaining("glob:**.fst");
    assertNoTemporaries();
  }

  @Test
  void failuresNameThePathAndNoFileRemains() throws Exception {
    byte[] content = random(1000, 1);
    var parameters = new EncodingParameters(shape(new Code.Dense(), 4, 16), 2, 0, 1);
    List<Path> shards = encode(parameters, content).shards();
    Path occupied = Files.createDirectories(directory.resolve("occupied/inside")).getParent();
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> decode(shards, occupied))
        .withMessageContaining("occupied");
    Path nowhere = directory.resolve("missing/file");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> decode(shards, nowhere))
        .withMessageContaining("missing");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> decode(List.of(directory.resolve("absent")), nowhere))
        .withMessageContaining("absent");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> encoder(parameters).encode(directory, directory, ProgressListener.NONE))
        .withMessageContaining("not a regular file");
    assertNoTemporaries();
  }

  /** Sparse files are larger than any file system; no data of them is read or written. */
  @Test
  void oversizedOutputIsRejectedBeforeItIsWritten() throws Exception {
    long length = 6L << 40;
    Path source = sparse("huge", new byte[0], length);
    var parameters = new EncodingParameters(shape(new Code.Dense(), 128, 4096), 2, 0.5, 1);
    Path target = directory.resolve("target");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> encoder(parameters).encode(source, target, ProgressListener.NONE))
        .withMessageMatching(".*target: 10051028779296 bytes are needed, \\d+ are free");
    assertThat(target).doesNotExist();

    ObjectManifest manifest =
        new ObjectManifest(
            parameters.shape(), length / 2, Optional.empty(), new Sha256(0, 0, 0, 0));
    ShardHeader header = new ShardHeader(new CodedObject("huge", manifest), 7, false, 0);
    Path shard = sparse("huge.fst", header.toBytes(), length);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> decode(List.of(shard), directory.resolve("file")))
        .withMessageContaining("3298534883328 bytes are needed");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> recode(List.of(shard), "shard", 100, 1))
        .withMessageContaining("bytes are needed");
    assertNoTemporaries();
  }

  private Path sparse(String name, byte[] start, long length) throws IOException {
    Path file = directory.resolve(name);
    Files.write(file, start);
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(length);
    }
    return file;
  }

  @Test
  void noFileRemainsAfterAnInterruptedJob() throws Exception {
    Path source = directory.resolve("data");
    Files.write(source, random(200_000, 1));
    var parameters = new EncodingParameters(shape(new Code.Dense(), 2, 8), 2, 0, 1);
    Thread caller = Thread.currentThread();
    ProgressListener interrupt = (_, _) -> caller.interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> encoder(parameters).encode(source, directory, interrupt));
    assertThat(directory).isDirectoryNotContaining("glob:**.fst");
    assertNoTemporaries();
  }

  @Test
  void parametersOutOfBoundsAreNamed() {
    GenerationShape shape = shape(new Code.Dense(), 4, 16);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EncodingParameters(shape, 0, 0, 1))
        .withMessageContaining("shards 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EncodingParameters(shape, 1, -0.1, 1))
        .withMessageContaining("redundancy -0.1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EncodingParameters(shape, 1, Double.NaN, 1))
        .withMessageContaining("redundancy NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EncodingParameters(shape(new Code.Dense(), 4096, 1 << 24), 1, 0, 1))
        .withMessageContaining("bytes of a coded generation");
  }

  @Test
  void redundancyIsRoundedUpButNotByBinaryFractions() {
    GenerationShape shape = shape(new Code.Dense(), 70, 16);
    assertThat(new EncodingParameters(shape, 1, 0.1, 1).codedBlocks(70)).isEqualTo(77);
    assertThat(new EncodingParameters(shape, 1, 0.11, 1).codedBlocks(70)).isEqualTo(78);
    assertThat(new EncodingParameters(shape, 1, 0, 1).codedBlocks(70)).isEqualTo(70);
    assertThat(new EncodingParameters(shape, 16, 0.5, 1).codedBlocks(3)).isEqualTo(16);
  }

  private static GenerationShape shape(Code code, int n, int k) {
    return new GenerationShape(Gf256.DEFAULT, code, n, k);
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private FileEncoder encoder(EncodingParameters parameters) {
    return new FileEncoder(engine, parameters);
  }

  private EncodingResult encode(EncodingParameters parameters, byte[] content) throws Exception {
    Path source = directory.resolve("data");
    Files.write(source, content);
    return encoder(parameters).encode(source, directory.resolve("shards"), ProgressListener.NONE);
  }

  private RecodingResult recode(List<Path> shards, String name, int blocks, long seed)
      throws Exception {
    return new ShardRecoder(engine)
        .recode(shards, directory.resolve(name), blocks, seed, ProgressListener.NONE);
  }

  private byte[] decode(List<Path> shards) throws Exception {
    return decode(shards, directory.resolve("decoded"));
  }

  private static byte[] decode(List<Path> shards, Path target) throws Exception {
    DecodingResult result = new FileDecoder(engine).decode(shards, target, ProgressListener.NONE);
    assertThat(result.report().damaged()).isZero();
    return Files.readAllBytes(result.file());
  }

  private static InspectionResult inspect(List<Path> shards) throws Exception {
    return new ShardInspector(engine).inspect(shards, GenerationListener.NONE);
  }

  private static long bytesOf(List<Path> files) throws IOException {
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  private static void append(Path file) {
    try {
      Files.write(file, new byte[1], StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertNoTemporaries() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files).noneMatch(file -> file.toString().endsWith(".tmp"));
    }
  }
}
