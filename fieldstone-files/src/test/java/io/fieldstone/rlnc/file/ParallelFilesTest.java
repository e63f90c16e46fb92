package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.Timeline;
import io.fieldstone.stream.file.DamagedInput;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on files with one thread and with several: the same bytes, and the same failures. */
@ParameterizedClass
@ValueSource(ints = {1, 2, 7})
@Timeout(120)
class ParallelFilesTest {

  private static final int N = 16;
  private static final int K = 256;

  @Parameter private int threads;

  @TempDir private Path directory;

  private Engine engine = Engine.open("cpu:scalar");

  @BeforeEach
  void open() {
    engine.close();
    engine = Engine.open("cpu", new EngineOptions(threads));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static Code code(String name) {
    return switch (name) {
      case "systematic" -> new Code.Systematic();
      case "dense" -> new Code.Dense();
      case "sparse" -> Code.Sparse.ofDensity(0.3);
      default -> new Code.Pipeline(0.5);
    };
  }

  private static EncodingParameters parameters(Code code, int n, int k) {
    return new EncodingParameters(new GenerationShape(Gf256.DEFAULT, code, n, k), 5, 0.7, 42);
  }

  private static byte[] content(int length) {
    byte[] content = new byte[length];
    new Random(19).nextBytes(content);
    return content;
  }

  private Path source(int length) throws IOException {
    return Files.write(directory.resolve("data"), content(length));
  }

  private List<Path> encode(EncodingParameters parameters, Path source) throws Exception {
    return new FileEncoder(engine, parameters)
        .encode(source, directory.resolve("shards"), ProgressListener.NONE)
        .shards();
  }

  private DecodingResult decode(List<Path> shards) throws Exception {
    return new FileDecoder(engine)
        .decode(shards, directory.resolve("decoded"), ProgressListener.NONE);
  }

  /** The digests were computed with one thread for each stage, before there were others. */
  @ParameterizedTest
  @CsvSource({
    "systematic, e38b3d64b330cdab",
    "dense, 055cab4934c5c3fe",
    "sparse, ba4adaa0def49f46",
    "pipeline, 6bc25b8191f96346",
  })
  void shardsDoNotDependOnTheThreads(String name, String digest) throws Exception {
    Path source = source(300_007);
    FileEncoder encoder = new FileEncoder(engine, parameters(code(name), N, K));
    List<Path> shards =
        encoder.encode(source, directory.resolve("shards"), ProgressListener.NONE).shards();
    Path recoded = directory.resolve("recoded");
    new ShardRecoder(engine).recode(shards.subList(0, 3), recoded, 4, 7, ProgressListener.NONE);
    List<Path> all = new ArrayList<>(shards);
    all.add(recoded);
    assertThat(hash(all)).startsWith(digest);

    List<Path> streamed =
        encoder
            .encode(
                new Trickle(content(300_007)),
                "data",
                directory.resolve("streamed"),
                ProgressListener.NONE)
            .shards();
    assertThat(hash(streamed)).isEqualTo(hash(shards));
    assertThat(decode(shards).file()).hasBinaryContent(content(300_007));
  }

  private static String hash(List<Path> files) throws IOException {
    byte[] all = new byte[0];
    for (Path file : files) {
      byte[] more = Files.readAllBytes(file);
      all = ByteBuffer.allocate(all.length + more.length).put(all).put(more).array();
    }
    return Sha256.hash(ByteBuffer.wrap(all)).toString();
  }

  /** A slow pipe, which gives a few bytes at a time. */
  private static final class Trickle extends FilterInputStream {
    private static final int PIECE = 1013;

    Trickle(byte[] content) {
      super(new ByteArrayInputStream(content));
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return super.read(bytes, offset, Math.min(PIECE, length));
    }
  }

  @Test
  void progressAscendsToTheLengthOneCallAtATime() throws Exception {
    Path source = source(500_000);
    AtomicLong last = new AtomicLong();
    AtomicReference<String> wrong = new AtomicReference<>("");
    ProgressListener ascending =
        (done, total) -> {
          if (done <= last.getAndSet(done) || total != 500_000) {
            wrong.set(done + " of " + total);
          }
        };
    List<Path> shards =
        new FileEncoder(engine, parameters(new Code.Dense(), 4, 64))
            .encode(source, directory.resolve("shards"), ascending)
            .shards();
    assertThat(last.getAndSet(0)).isEqualTo(500_000);
    new FileDecoder(engine).decode(shards, directory.resolve("decoded"), ascending);
    assertThat(last).hasValue(500_000);
    assertThat(wrong).hasValue("");
  }

  @Test
  void aFileThatShrinksWhileItIsReadIsRefused() throws Exception {
    Path source = source(8_000_000);
    assertNoEncoding(
        source,
        5,
        "%s: had 8000000 bytes and has 5 now: it was changed while it was read".formatted(source));
  }

  /** All bytes have been read when it grows. */
  @Test
  void aFileThatGrowsBehindItsEndIsRefused() throws Exception {
    Path source = source(10);
    assertNoEncoding(
        source,
        11,
        "%s: had 10 bytes and has 11 now: it was changed while it was read".formatted(source));
  }

  /** Also by bytes that were read before; the length stays. */
  @Test
  void aFileThatIsOverwrittenWhileItIsReadIsRefused() throws Exception {
    Path source = source(500_000);
    ProgressListener overwriting =
        (_, _) -> {
          try {
            Files.setLastModifiedTime(source, FileTime.fromMillis(1_000_000));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            new FileEncoder(engine, parameters(new Code.Dense(), 4, 64))
                .encode(source, directory.resolve("shards"), overwriting))
        .withMessage(
            source
                + ": was written at 1970-01-01T00:16:40Z, while it was read; the result is not"
                + " kept");
    assertThat(directory.resolve("shards")).doesNotExist();
  }

  /** Files of the kernel state the size 0. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFileOfSizeZeroWithContentIsReadToItsEnd() throws Exception {
    Path kernel = Path.of("/proc/version");
    assertThat(Files.size(kernel)).isZero();
    List<Path> shards =
        new FileEncoder(engine, parameters(new Code.Dense(), 4, 64))
            .encode(kernel, directory.resolve("shards"), ProgressListener.NONE)
            .shards();
    Path decoded = directory.resolve("decoded");
    new FileDecoder(engine).decode(shards, decoded, ProgressListener.NONE);
    assertThat(decoded).hasBinaryContent(Files.readAllBytes(kernel));
  }

  /** Checks that a file whose length changes while it is read is refused, and nothing is left. */
  private void assertNoEncoding(Path source, long length, String message) throws Exception {
    assertLeavesNoThread(() ->
        assertThatExceptionOfType(IOException.class)
            .isThrownBy(() ->
                new FileEncoder(engine, parameters(new Code.Dense(), 4, 64))
                    .encode(
                        source, directory.resolve("shards"), (_, _) -> setLength(source, length)))
            .withMessage(message));
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.filter(Files::isRegularFile)).containsExactly(source);
    }
  }

  private static void setLength(Path file, long length) {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A shard that is cut off while it is read has fewer blocks, and the others have too few. */
  @Test
  void aShardThatShrinksWhileItIsReadIsShortOfRank() throws Exception {
    List<Path> shards =
        encode(parameters(new Code.Systematic(), 4, 64), source(4_000_000)).subList(0, 3);
    assertThatExceptionOfType(ShortRankException.class)
        .isThrownBy(() ->
            new FileDecoder(engine)
                .decode(
                    shards,
                    directory.resolve("decoded"),
                    (_, _) -> setLength(shards.getFirst(), 3000)));
    assertThat(directory.resolve("decoded")).doesNotExist();
  }

  @Test
  void anInterruptionInAnyStageLeavesNoFileAndNoThread() throws Exception {
    assertLeavesNoThread(this::assertInterruptionsLeaveNoFile);
  }

  private void assertInterruptionsLeaveNoFile() throws Exception {
    Path source = source(4_000_000);
    EncodingParameters parameters = parameters(new Code.Systematic(), 4, 64);
    List<Path> shards = encode(parameters, source);
    Thread caller = Thread.currentThread();
    InputStream interrupting =
        new FilterInputStream(new ByteArrayInputStream(content(4_000_000))) {
          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            caller.interrupt();
            return super.read(bytes, offset, length);
          }
        };
    Path other = Files.createDirectory(directory.resolve("other"));
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() ->
            new FileEncoder(engine, parameters)
                .encode(interrupting, "data", other, ProgressListener.NONE));
    ProgressListener interrupt = (_, _) -> caller.interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> new FileEncoder(engine, parameters).encode(source, other, interrupt));
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(
            () -> new FileDecoder(engine).decode(shards, other.resolve("decoded"), interrupt));
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(
            () -> new ShardRecoder(engine).recode(shards, other.resolve("one"), 2, 1, interrupt));
    assertThat(other).isEmptyDirectory();
  }

  /** The status is set before the first file is opened, so that reading it closes it. */
  @Test
  void anInterruptionBeforeTheFirstReadIsReportedAsOne() throws Exception {
    Path source = source(100_000);
    EncodingParameters parameters = parameters(new Code.Systematic(), 4, 64);
    List<Path> shards = encode(parameters, source);
    Path other = Files.createDirectory(directory.resolve("other"));
    assertInterrupted(
        () -> new FileEncoder(engine, parameters).encode(source, other, ProgressListener.NONE));
    assertInterrupted(() ->
        new FileDecoder(engine).decode(shards, other.resolve("decoded"), ProgressListener.NONE));
    assertInterrupted(() ->
        new ShardRecoder(engine).recode(shards, other.resolve("one"), 2, 1, ProgressListener.NONE));
    assertInterrupted(() -> new ShardInspector(engine).inspect(shards, GenerationListener.NONE));
    assertThat(other).isEmptyDirectory();
  }

  private static void assertInterrupted(ThrowingCallable job) {
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class).isThrownBy(job);
    assertThat(Thread.interrupted()).isFalse();
  }

  /**
   * Runs a test in a group of threads of its own, which holds the threads that its jobs start, and
   * checks that those have ended. Threads of engines may remain.
   */
  private static void assertLeavesNoThread(ThrowingCallable test) throws Exception {
    ThreadGroup group = new ThreadGroup("jobs");
    FutureTask<?> task =
        new FutureTask<>(() -> assertThatCode(test).doesNotThrowAnyException(), null);
    Thread.ofPlatform().group(group).start(task).join();
    task.get();
    Thread[] left = new Thread[group.activeCount() + 100];
    int count = group.enumerate(left);
    assertThat(Stream.of(left).limit(count).map(Thread::getName))
        .noneMatch(name -> name.matches("fieldstone-(encode|decode|recode)-.*"));
  }

  /** Every thread reads where the records of its generations should be. */
  @Test
  void shardsAreReadByTheirPositions() throws Exception {
    List<Path> shards = encode(parameters(new Code.Systematic(), N, K), source(300_007));
    Path recoded = directory.resolve("recoded");
    new ShardRecoder(engine).recode(shards.subList(1, 4), recoded, 3, 7, ProgressListener.NONE);
    for (Path shard : shards) {
      // Blocks 0 … 27 of a generation in 5 shards: 6 in the first three, 5 in the others.
      assertThat(recordsPerGeneration(shard)).isEqualTo(shards.indexOf(shard) < 3 ? 6 : 5);
    }
    assertThat(recordsPerGeneration(recoded)).isEqualTo(3);
    assertThat(recordsPerGeneration(without(shards.getFirst(), 100))).isEqualTo(-1);
  }

  /** Between a deleted byte and an inserted one, records lie across the ranges of threads. */
  @Test
  void recodingLosesNoRecordBesideTheDamagedOnes() throws Exception {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 64);
    Path shard = encode(new EncodingParameters(shape, 1, 0, 42), source(32 * 4 * 64)).getFirst();
    ShardHeader header = ShardInspector.header(shard);
    byte[] whole = Files.readAllBytes(shard);
    int half = header.recordBytes() / 2;
    int deleted = header.byteSize() + 8 * 4 * header.recordBytes() + half;
    int inserted = header.byteSize() + 22 * 4 * header.recordBytes() + half;
    byte[] shifted = whole.clone();
    System.arraycopy(whole, deleted + 1, shifted, deleted, inserted - deleted);
    Files.write(shard, shifted);

    RecodingResult result =
        new ShardRecoder(engine)
            .recode(List.of(shard), directory.resolve("recoded"), 4, 7, ProgressListener.NONE);
    assertThat(result.ranks().missingBlocks()).isEqualTo(2);
  }

  /** Bytes inserted between records leave the records, but not their positions. */
  @Test
  void recodingByPositionsGivesTheBlocksOfOneThatReadsInOrder() throws Exception {
    List<Path> shards = encode(parameters(new Code.Systematic(), N, K), source(300_007));
    Path byPositions = directory.resolve("recoded");
    Timeline timeline = new Timeline();
    RecodingResult result =
        new ShardRecoder(engine)
            .withPhaseListener(timeline)
            .recode(shards, byPositions, 3, 7, ProgressListener.NONE);
    // Reading by position takes three stages: to begin a batch, to read, and to number records.
    assertThat(phases(timeline, "read")).isEqualTo(3 * phases(timeline, "write"));

    byte[] bytes = Files.readAllBytes(shards.getFirst());
    int header = ShardInspector.header(shards.getFirst()).byteSize();
    int at = header + 100 * recordBytes(shards.getFirst());
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 7);
    System.arraycopy(bytes, at, longer, at + 7, bytes.length - at);
    Files.write(shards.getFirst(), longer);
    assertThat(recordsPerGeneration(shards.getFirst())).isEqualTo(-1);
    Path inOrder = directory.resolve("in order");
    timeline.clear();
    RecodingResult other =
        new ShardRecoder(engine)
            .withPhaseListener(timeline)
            .recode(shards, inOrder, 3, 7, ProgressListener.NONE);

    assertThat(phases(timeline, "read")).isEqualTo(2 * phases(timeline, "write"));
    assertThat(inOrder).hasSameBinaryContentAs(byPositions);
    assertThat(other.ranks()).isEqualTo(result.ranks());
  }

  private static long phases(Timeline timeline, String stage) {
    return timeline.phases().stream().filter(phase -> phase.name().equals(stage)).count();
  }

  private static long recordsPerGeneration(Path shard) throws IOException {
    try (ShardFile file = ShardFile.open(DamagedInput.opener(shard))) {
      return file.recordsPerGeneration().orElse(-1);
    }
  }

  /** A copy of a shard without one record. */
  private Path without(Path shard, int record) throws IOException {
    byte[] bytes = Files.readAllBytes(shard);
    int from = ShardInspector.header(shard).byteSize() + record * recordBytes(shard);
    byte[] rest = new byte[bytes.length - recordBytes(shard)];
    System.arraycopy(bytes, 0, rest, 0, from);
    System.arraycopy(bytes, from + recordBytes(shard), rest, from, rest.length - from);
    return Files.write(directory.resolve("without"), rest);
  }

  private static int recordBytes(Path shard) throws IOException {
    return ShardInspector.header(shard).recordBytes();
  }

  /** Damage in place costs what it touches, wherever one thread's part ends and another begins. */
  @Test
  void damagedRecordsAreCountedOnce() throws Exception {
    List<Path> shards = encode(parameters(new Code.Systematic(), N, K), source(300_007));
    Path damaged = shards.getFirst();
    byte[] bytes = Files.readAllBytes(damaged);
    int header = ShardInspector.header(damaged).byteSize();
    long records = (ShardInspector.header(damaged).hashesAt() - header) / recordBytes(damaged);
    int wrong = 0;
    for (int record = 7; record < records; record += 6) {
      bytes[header + record * recordBytes(damaged) + 99] ^= 1;
      wrong++;
    }
    Files.write(damaged, bytes);
    DecodingResult result = decode(shards);
    assertThat(result.file()).hasBinaryContent(content(300_007));
    assertThat(result.report().damaged()).isEqualTo(wrong).isGreaterThan(10);
    assertThat(result.report().shards().getFirst().records()).isEqualTo(records);
  }

  /** A record moved to the end: the samples agree, but a range does not have its records. */
  @Test
  void recordsThatAreNotInTheirPlacesAreFoundByOneThread() throws Exception {
    List<Path> shards = encode(parameters(new Code.Systematic(), N, K), source(300_007));
    Path shard = shards.getFirst();
    byte[] bytes = Files.readAllBytes(shard);
    int header = ShardInspector.header(shard).byteSize();
    int size = recordBytes(shard);
    // Records 60 … 119 move up; the last of them is there twice, since a shard may repeat one.
    System.arraycopy(bytes, header + 61 * size, bytes, header + 60 * size, 60 * size);
    Files.write(shard, bytes);
    assertThat(recordsPerGeneration(shard)).isEqualTo(6);
    DecodingResult result = decode(shards);
    assertThat(result.file()).hasBinaryContent(content(300_007));
    assertThat(result.report().damaged()).isZero();
  }

  /** The shards stay open for a second attempt, also while other threads read them. */
  @Test
  void tooFewBlocksOfOneGenerationAreReportedForAll() throws Exception {
    // The shards hold 2, 2 and 1 blocks of each generation, of which 4 are needed.
    List<Path> shards =
        encode(parameters(new Code.Systematic(), 4, 64), source(2_000_000)).subList(0, 3);
    byte[] bytes = Files.readAllBytes(shards.getFirst());
    int size = recordBytes(shards.getFirst());
    int record = ShardInspector.header(shards.getFirst()).byteSize() + 2 * 4000 * size;
    bytes[record] ^= 1;
    bytes[record + size] ^= 1;
    Files.write(shards.getFirst(), bytes);
    assertThatExceptionOfType(ShortRankException.class)
        .isThrownBy(() -> decode(shards))
        .satisfies(e -> assertThat(e.ranks().complete()).isEqualTo(e.ranks().generations() - 1));
  }

  @Test
  void theProfileHasEachStageOnce() throws Exception {
    Path source = source(300_007);
    EncodingResult encoded =
        new FileEncoder(engine, parameters(new Code.Systematic(), N, K))
            .encode(source, directory.resolve("shards"), ProgressListener.NONE);
    assertThat(encoded.profile())
        .extracting(StageProfile::name)
        .containsExactly("read", "hash", "compute", "write");
    assertThat(encoded.profile().getFirst().bytes()).isEqualTo(300_007);
    assertThat(decode(encoded.shards()).profile())
        .extracting(StageProfile::name)
        .containsExactly("read", "compute", "hash", "write");
  }

  @Test
  void aListenerReceivesTheStagesOfEachThread() throws Exception {
    Path source = source(300_007);
    Timeline encoding = new Timeline();
    Timeline recoding = new Timeline();
    Timeline decoding = new Timeline();
    List<Path> shards =
        new FileEncoder(engine, parameters(new Code.Systematic(), N, K))
            .withPhaseListener(encoding)
            .encode(source, directory.resolve("shards"), ProgressListener.NONE)
            .shards();
    new ShardRecoder(engine)
        .withPhaseListener(recoding)
        .recode(shards, directory.resolve("recoded"), 1, 1, ProgressListener.NONE);
    new FileDecoder(engine)
        .withPhaseListener(decoding)
        .decode(shards, directory.resolve("decoded"), ProgressListener.NONE);
    assertPhases(encoding, "fieldstone-encode-", "hash", "read", "hash", "compute", "write");
    assertPhases(recoding, "fieldstone-recode-", "compute", "read", "compute", "write");
    assertPhases(decoding, "fieldstone-decode-", "hash", "read", "compute", "hash", "write");
  }

  /**
   * Checks the phases of a job on 300,007 bytes.
   *
   * @param counted a stage that counts the bytes of the file
   */
  private static void assertPhases(
      Timeline timeline, String thread, String counted, String... stages) {
    assertThat(timeline.phases()).allSatisfy(phase -> assertThat(phase.track()).startsWith(thread));
    assertThat(timeline.profile()).extracting(StageProfile::name).containsExactlyInAnyOrder(stages);
    assertThat(timeline.profile())
        .filteredOn(stage -> stage.name().equals(counted))
        .extracting(StageProfile::bytes)
        .containsExactly(300_007L);
  }
}
