package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.ShardHeader;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shards with wrong payloads and right checksums: the hash tree decides. */
class TreePollutionTest {

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

  static Stream<Code> codes() {
    return Stream.of(
        new Code.Dense(), new Code.Systematic(), Code.Sparse.ofDensity(0.6), new Code.Pipeline(1));
  }

  private static List<Path> with(List<Path> shards, int index, Path other) {
    List<Path> replaced = new ArrayList<>(shards);
    replaced.set(index, other);
    return replaced;
  }

  @ParameterizedTest
  @MethodSource("codes")
  void aPollutedGenerationIsDecodedFromTheOtherShards(Code code) throws Exception {
    List<Path> shards = files.encode(CONTENT, code, 8, 1);
    int found = 0;
    for (int bad = 0; bad < 8; bad++) {
      int generation = bad % GENERATIONS;
      Path polluted = files.polluted(shards.get(bad), 2 * generation, 2 * generation + 1);
      DecodingResult result = files.decode(with(shards, bad, polluted));
      assertThat(result.file()).hasBinaryContent(CONTENT);
      assertThat(result.report().leftOut()).isEmpty();
      // Nothing was wrong where the polluted blocks were not among those that were taken.
      assertThat(result.report().polluted())
          .isSubsetOf(new ShardReport.Polluted(polluted, generation, 1));
      found += result.report().polluted().size();
    }
    assertThat(found).isGreaterThanOrEqualTo(4);
  }

  /** The rest of a polluted shard is used: without it, the other generations would be short. */
  @Test
  void onlyThePollutedGenerationIsLost() throws Exception {
    List<Path> shards = files.encode(CONTENT, new Code.Systematic(), 4, 0.5);
    Path polluted = files.polluted(shards.getFirst(), 0);
    byte[] second = Files.readAllBytes(shards.get(1));
    ShardHeader header = ShardInspector.header(shards.get(1));
    int cut = 3 * header.recordBytes();
    byte[] cutShard = Arrays.copyOf(second, header.byteSize() + cut);
    Path late = files.write(shards.get(1), cutShard);
    DecodingResult result = files.decode(List.of(polluted, late, shards.get(2), shards.get(3)));
    assertThat(result.file()).hasBinaryContent(CONTENT);
    assertThat(result.report().polluted())
        .containsExactly(new ShardReport.Polluted(polluted, 0, 1));
  }

  @Test
  void everyGenerationOfAShardMayBePolluted() throws Exception {
    List<Path> shards = files.encode(CONTENT, new Code.Dense(), 4, 0.5);
    Path polluted = files.polluted(shards.getFirst(), IntStream.range(0, 15).toArray());
    DecodingResult result = files.decode(with(shards, 0, polluted));
    assertThat(result.file()).hasBinaryContent(CONTENT);
    assertThat(result.report().polluted())
        .singleElement()
        .satisfies(one -> assertThat(one.path()).isEqualTo(polluted));
  }

  /** More than can be found without hashes: three of eight, and each is named. */
  @Test
  void threePollutedShardsAreFound() throws Exception {
    List<Path> shards = new ArrayList<>(files.encode(CONTENT, new Code.Systematic(), 8, 1));
    List<Path> polluted = new ArrayList<>();
    for (int bad = 0; bad < 3; bad++) {
      polluted.add(files.polluted(shards.get(bad), 2));
      shards.set(bad, polluted.getLast());
    }
    DecodingResult result = files.decode(shards);
    assertThat(result.file()).hasBinaryContent(CONTENT);
    assertThat(result.report().polluted())
        .extracting(ShardReport.Polluted::path)
        .containsExactlyElementsOf(polluted);
  }

  /** No block is to spare after one shard is left out, and still no other shard is accused. */
  @Test
  void aRightShardIsNeverAccused() throws Exception {
    List<Path> shards = files.encode(CONTENT, new Code.Systematic(), 5, 0.25);
    for (int bad = 0; bad < 4; bad++) {
      Path polluted = files.polluted(shards.get(bad), 4);
      DecodingResult result = files.decode(with(shards, bad, polluted));
      assertThat(result.file()).hasBinaryContent(CONTENT);
      assertThat(result.report().polluted())
          .extracting(ShardReport.Polluted::path)
          .containsExactly(polluted);
    }
  }

  @Test
  void withNothingToSpareItNamesTheGeneration() throws Exception {
    List<Path> shards = files.encode(CONTENT, new Code.Systematic(), 4, 0);
    Path polluted = files.polluted(shards.get(2), 3);
    Path target = directory.resolve("spare");
    assertThatExceptionOfType(DigestMismatchException.class)
        .isThrownBy(
            () -> new FileDecoder(engine).decode(with(shards, 2, polluted), target, (_, _) -> {}))
        .withMessageContaining("generation 1 of 'data' does not have its hash")
        .withMessageContaining(polluted.toString());
    assertThat(target).doesNotExist();
  }

  @Test
  void damagedHashesAreReplacedByThoseOfAnotherShard() throws Exception {
    List<Path> shards = files.encode(CONTENT, new Code.Systematic(), 8, 1);
    List<Path> given = new ArrayList<>();
    for (Path shard : shards.subList(0, 7)) {
      byte[] bytes = Files.readAllBytes(shard);
      bytes[bytes.length - 40] ^= 1;
      given.add(files.write(shard, bytes));
    }
    given.add(shards.getLast());
    Path polluted = files.polluted(given.getFirst(), 2);
    DecodingResult result = files.decode(with(given, 0, polluted));
    assertThat(result.file()).hasBinaryContent(CONTENT);
    assertThat(result.report().shards()).filteredOn(ShardReport.Shard::areHashesDamaged).hasSize(7);
    assertThat(result.report().polluted())
        .containsExactly(new ShardReport.Polluted(polluted, 1, 1));
  }

  /** Without any hashes the root still decides, and shards are compared with each other. */
  @Test
  void withoutHashesTheRootDecides() throws Exception {
    List<Path> given = new ArrayList<>();
    for (Path shard : files.encode(CONTENT, new Code.Systematic(), 8, 1)) {
      byte[] bytes = Files.readAllBytes(shard);
      given.add(files.write(shard, Arrays.copyOf(bytes, bytes.length - 40)));
    }
    assertThat(files.decoded(given)).isEqualTo(CONTENT);
    Path polluted = files.polluted(given.getFirst(), 2);
    DecodingResult result = files.decode(with(given, 0, polluted));
    assertThat(result.file()).hasBinaryContent(CONTENT);
    assertThat(result.report().leftOut())
        .extracting(ShardReport.LeftOut::path)
        .containsExactly(polluted);
    Path recoded = files.recode(given, 9, 1);
    assertThat(ShardInspector.header(recoded).hashesAt()).isZero();
    assertThat(files.decoded(List.of(recoded))).isEqualTo(CONTENT);
  }

  /** A header that claims 512 MiB of hashes, of which the file has only the beginning. */
  @Test
  void hashesThatAreOnlyClaimedTakeNoMemory() throws Exception {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 2, 8);
    int generations = (int) ObjectManifest.MAX_GENERATIONS;
    ObjectManifest manifest =
        new ObjectManifest(
            shape,
            generations * shape.bytes(),
            Optional.empty(),
            Sha256.hash(ByteBuffer.wrap(new byte[1])));
    ShardHeader header = new ShardHeader(new CodedObject("name", manifest), 1, false, 0);
    byte[] claim = header.withHashesAt(header.byteSize()).toBytes();
    byte[] bytes = Arrays.copyOf(claim, claim.length + 64);
    ByteBuffer.wrap(bytes).putLong(claim.length, 0x4653544841534853L);
    Path shard = Files.write(directory.resolve("claim"), bytes);
    ThreadMXBean heap = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = heap.getCurrentThreadAllocatedBytes();
    try (ShardSet set = ShardSet.open(List.of(shard))) {
      assertThat(set.hashes()).isEmpty();
      assertThat(set.shards().getFirst().areHashesDamaged()).isTrue();
    }
    assertThat(heap.getCurrentThreadAllocatedBytes() - before).isLessThan(32L * generations);
  }

  @ParameterizedTest
  @MethodSource("codes")
  void recodingNamesEveryPollutedShard(Code code) throws Exception {
    List<Path> shards = new ArrayList<>(files.encode(CONTENT, code, 8, 1));
    shards.set(1, files.polluted(shards.get(1), 4));
    shards.set(6, files.polluted(shards.get(6), 5));
    assertThatExceptionOfType(PollutedShardsException.class)
        .isThrownBy(() -> files.recoded(shards, 2, 1))
        .withMessageContaining(shards.get(1) + " has wrong blocks of generation 2")
        .withMessageContaining(shards.get(6) + " has wrong blocks of generation 2");
  }

  @Test
  void recodedShardsCarryTheTree() throws Exception {
    List<Path> shards = files.encode(CONTENT, new Code.Systematic(), 4, 1);
    Path recoded = files.recode(List.of(files.recode(shards, 9, 1)), 8, 2);
    Path polluted = files.polluted(recoded, 8);
    DecodingResult result = files.decode(List.of(polluted, shards.get(1), shards.get(2)));
    assertThat(result.file()).hasBinaryContent(CONTENT);
    assertThat(result.report().polluted())
        .containsExactly(new ShardReport.Polluted(polluted, 1, 1));
  }

  /** The seed of the coefficients and the name are no part of the identity. */
  @Test
  void shardsOfTwoSeedsAndNamesAreOneObject() throws Exception {
    List<Path> one = files.encode(CONTENT, new Code.Dense(), 2, 0, 1, "one");
    List<Path> two = files.encode(CONTENT, new Code.Dense(), 2, 0, 2, "two");
    assertThat(files.decoded(List.of(one.getFirst(), two.getFirst()))).isEqualTo(CONTENT);
    assertThat(ShardInspector.header(one.getFirst()).descriptor().idText())
        .isEqualTo(ShardInspector.header(two.getFirst()).descriptor().idText());
  }
}
