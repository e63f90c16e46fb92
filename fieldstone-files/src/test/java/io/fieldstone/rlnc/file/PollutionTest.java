package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.stream.ProgressListener;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shards without hashes that are whole and wrong: found where more blocks are than are needed. */
class PollutionTest {

  private static final int GENERATIONS = 5;
  private static final byte[] CONTENT = ShardFiles.content(GENERATIONS * 8 * 40 - 13);

  private static Engine engine;

  @TempDir private static Path directory;

  private static ShardFiles files;

  @BeforeAll
  static void open() {
    engine = Engine.open("auto");
    files = new ShardFiles(engine, directory);
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  /** Shards that have lost the hashes of their generations. */
  private static List<Path> encode(byte[] content, Code code, int shards, double redundancy)
      throws Exception {
    List<Path> made = files.encode(content, code, shards, redundancy);
    ShardFiles.cutHashes(made);
    return made;
  }

  static Stream<Code> codes() {
    return Stream.of(
        new Code.Dense(), new Code.Systematic(), Code.Sparse.ofDensity(0.6), new Code.Pipeline(1));
  }

  private static List<Path> with(List<Path> shards, int index, Path other) {
    List<Path> replaced = new ArrayList<>(shards);
    replaced.set(index, other);
    return replaced;
  }

  /** Eight shards of two blocks a generation: of each kind of block, each shard, in turn. */
  @ParameterizedTest
  @MethodSource("codes")
  void aPollutedShardIsNamedAndTheFileMadeOfTheRest(Code code) throws Exception {
    List<Path> shards = encode(CONTENT, code, 8, 1);
    int found = 0;
    for (int bad = 0; bad < 8; bad++) {
      int record = 2 * (bad % GENERATIONS);
      Path polluted = files.polluted(shards.get(bad), record, record + 1);
      DecodingResult result = files.decode(with(shards, bad, polluted));
      assertThat(result.file()).hasBinaryContent(CONTENT);
      // Nothing was wrong where the polluted blocks were not among those that were taken.
      assertThat(result.report().leftOut().size()).isLessThanOrEqualTo(1);
      found += result.report().leftOut().size();
      for (ShardReport.LeftOut out : result.report().leftOut()) {
        assertThat(out.path()).isEqualTo(polluted);
        assertThat(out.reason()).contains("generation " + record / 2);
      }
    }
    assertThat(found).isGreaterThanOrEqualTo(4);
  }

  /** Of 12 blocks the first 8 that come are taken, and all of shard 0 and 1 are among them. */
  @Test
  void everyGenerationOfAShardMayBePolluted() throws Exception {
    List<Path> shards = encode(CONTENT, new Code.Dense(), 4, 0.5);
    Path polluted = files.polluted(shards.getFirst(), IntStream.range(0, 15).toArray());
    DecodingResult result = files.decode(with(shards, 0, polluted));
    assertThat(result.file()).hasBinaryContent(CONTENT);
    assertThat(result.report().leftOut())
        .extracting(ShardReport.LeftOut::path)
        .containsExactly(polluted);
  }

  @Test
  void twoPollutedShardsAreFoundTogetherAndApart() throws Exception {
    List<Path> shards = encode(CONTENT, new Code.Systematic(), 8, 1);
    for (int generation : new int[] {1, 3}) {
      Path one = files.polluted(shards.getFirst(), 2);
      Path other = files.polluted(shards.get(3), 2 * generation);
      DecodingResult result = files.decode(with(with(shards, 0, one), 3, other));
      assertThat(result.file()).hasBinaryContent(CONTENT);
      assertThat(result.report().leftOut())
          .extracting(ShardReport.LeftOut::path)
          .containsExactlyInAnyOrder(one, other);
    }
  }

  /** Without one of five shards there is just enough: any one can be the wrong one. */
  @Test
  void whereSeveralMayBeTheCauseTheDigestDecides() throws Exception {
    List<Path> shards = encode(CONTENT, new Code.Systematic(), 5, 0.25);
    for (int bad = 0; bad < 4; bad++) {
      Path polluted = files.polluted(shards.get(bad), 4);
      DecodingResult result = files.decode(with(shards, bad, polluted));
      assertThat(result.file()).hasBinaryContent(CONTENT);
      assertThat(result.report().leftOut())
          .extracting(ShardReport.LeftOut::path)
          .containsExactly(polluted);
    }
  }

  @Test
  void aShardOfAnotherVersionWithADamagedHeaderIsFound() throws Exception {
    List<Path> shards = encode(CONTENT, new Code.Systematic(), 4, 1);
    byte[] other = ShardFiles.content(CONTENT.length);
    other[700] ^= 1;
    byte[] version = Files.readAllBytes(encode(other, new Code.Systematic(), 4, 1).getFirst());
    version[60] ^= 1;
    Path adopted = files.write(shards.getFirst(), version);
    DecodingResult result = files.decode(List.of(adopted, shards.get(1), shards.get(2)));
    assertThat(result.file()).hasBinaryContent(CONTENT);
    assertThat(result.report().leftOut())
        .extracting(ShardReport.LeftOut::path)
        .containsExactly(adopted);
  }

  @Test
  void reportsThatNoGenerationHasSpareBlocks() throws Exception {
    List<Path> shards = encode(CONTENT, new Code.Systematic(), 4, 0);
    Path polluted = files.polluted(shards.get(2), 3);
    assertThatExceptionOfType(DigestMismatchException.class)
        .isThrownBy(() -> files.decode(with(shards, 2, polluted)))
        .withMessageContaining("its shards say")
        .withMessageContaining("no generation has more blocks than it needs");
  }

  @Test
  void withTooFewBlocksItNamesTheShardAndTheMissingBlocks() throws Exception {
    // The first shard alone holds nearly all of it; the others only show that it is wrong.
    List<Path> shards = encode(CONTENT, new Code.Dense(), 3, 0.5);
    Path most = files.recode(shards, 8, 1);
    Path polluted = files.polluted(most, 9);
    assertThatExceptionOfType(DigestMismatchException.class)
        .isThrownBy(() -> files.decode(List.of(polluted, shards.getFirst())))
        .withMessageContaining("in generation 1 one of these shards contradicts the others")
        .withMessageContaining(polluted.toString());
  }

  /** The first generations show which shard is wrong, the last ones are short without it. */
  @Test
  void withoutThePollutedShardItMayBeShort() throws Exception {
    List<Path> shards = encode(CONTENT, new Code.Systematic(), 8, 1);
    List<Path> given = new ArrayList<>(shards.subList(0, 3));
    for (Path shard : shards.subList(3, 6)) {
      byte[] bytes = Files.readAllBytes(shard);
      int cut = 4 * ShardInspector.header(shard).recordBytes();
      given.add(files.write(shard, Arrays.copyOf(bytes, bytes.length - cut)));
    }
    assertThat(files.decoded(withLast(given, shards.get(6)))).isEqualTo(CONTENT);
    Path polluted = files.polluted(shards.get(6), 0);
    assertThatExceptionOfType(ShortRankException.class)
        .isThrownBy(() -> files.decode(withLast(given, polluted)))
        .withMessageContaining("3 (2 of 8)")
        .satisfies(e ->
            assertThat(e.report().leftOut())
                .extracting(ShardReport.LeftOut::path)
                .containsExactly(polluted));
  }

  private static List<Path> withLast(List<Path> shards, Path last) {
    List<Path> all = new ArrayList<>(shards);
    all.add(last);
    return all;
  }

  @Test
  void threePollutedShardsAreMoreThanCanBeFound() throws Exception {
    List<Path> shards = new ArrayList<>(encode(CONTENT, new Code.Systematic(), 8, 1));
    for (int bad = 0; bad < 3; bad++) {
      shards.set(bad, files.polluted(shards.get(bad), 2));
    }
    assertThatExceptionOfType(DigestMismatchException.class)
        .isThrownBy(() -> files.decode(shards))
        .withMessageContaining("contradict each other in generation 1");
  }

  /** The blocks are consistent, but differ from the content of the digest. */
  @Test
  void aWrongDigestIsNotBlamedOnAShard() throws Exception {
    List<Path> shards = encode(CONTENT, new Code.Systematic(), 4, 1);
    byte[] other = CONTENT.clone();
    other[700] ^= 1;
    List<Path> versions = encode(other, new Code.Systematic(), 4, 1);
    List<Path> forged = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      byte[] bytes = Files.readAllBytes(versions.get(i));
      int header = ShardInspector.header(versions.get(i)).byteSize();
      System.arraycopy(Files.readAllBytes(shards.get(i)), 0, bytes, 0, header);
      forged.add(files.write(shards.get(i), bytes));
    }
    assertThatExceptionOfType(DigestMismatchException.class)
        .isThrownBy(() -> files.decode(forged))
        .withMessageContaining("the blocks of 5 generations are consistent");
  }

  @ParameterizedTest
  @MethodSource("codes")
  void recodingRefusesAPollutedShardAndNamesIt(Code code) throws Exception {
    List<Path> shards = encode(CONTENT, code, 8, 1);
    assertThat(files.recoded(shards, 2, 1).uncheckedGenerations()).isZero();
    for (int bad : new int[] {0, 3}) {
      Path polluted = files.polluted(shards.get(bad), 4, 5);
      assertThatExceptionOfType(PollutedShardsException.class)
          .isThrownBy(() -> files.recoded(with(shards, bad, polluted), 2, 1))
          .withMessageContaining(polluted + " contradicts the other shards in generation 2");
    }
  }

  @Test
  void recodingReportsUncheckedGenerations() throws Exception {
    List<Path> shards = encode(CONTENT, new Code.Systematic(), 8, 1);
    RecodingResult some = files.recoded(shards.subList(0, 3), 2, 1);
    assertThat(some.uncheckedGenerations()).isEqualTo(GENERATIONS);
    assertThat(files.recoded(shards.subList(0, 4), 2, 1).uncheckedGenerations())
        .isEqualTo(GENERATIONS);
    assertThat(files.recoded(shards.subList(0, 5), 2, 1).uncheckedGenerations()).isZero();
    // A repeated block reveals a contradiction only if its payload differs.
    List<Path> twice = new ArrayList<>(shards.subList(0, 4));
    twice.addAll(shards.subList(0, 4));
    assertThat(files.recoded(twice, 2, 1).uncheckedGenerations()).isEqualTo(GENERATIONS);
    twice.set(6, files.polluted(shards.get(2), 0));
    assertThatExceptionOfType(PollutedShardsException.class)
        .isThrownBy(() -> files.recoded(twice, 2, 1))
        .withMessageContaining("in generation 0 one of these shards contradicts the others");
  }

  /** Rows and columns of the map are other for short, odd and very long payloads. */
  @Test
  void payloadsOfAnySizeAreCompared() throws Exception {
    for (int k : new int[] {1, 3, 63, 64, 65, 4096, 300_000}) {
      byte[] content = ShardFiles.content(2 * 3 * k);
      GenerationShape shape = new GenerationShape(Gf256.RIJNDAEL, new Code.Dense(), 3, k);
      Path folder = Files.createTempDirectory(directory, "sizes");
      List<Path> shards =
          new FileEncoder(engine, new EncodingParameters(shape, 6, 1, 9))
              .encode(new ByteArrayInputStream(content), "data", folder, ProgressListener.NONE)
              .shards();
      ShardFiles.cutHashes(shards);
      Path polluted = folder.resolve("polluted");
      byte[] bytes = Files.readAllBytes(shards.get(1));
      ShardFiles.pollute(bytes, ShardInspector.header(shards.get(1)), 0);
      Files.write(polluted, bytes);
      DecodingResult result = files.decode(with(shards, 1, polluted));
      assertThat(result.file()).hasBinaryContent(content);
      assertThat(result.report().leftOut())
          .extracting(ShardReport.LeftOut::path)
          .containsExactly(polluted);
    }
  }
}
