package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.stream.ProgressListener;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A missing shard is made again from the others, equal to that of the encoder. */
class ShardRestorerTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");

  @TempDir private Path directory;

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private List<Path> encode(EncodingParameters parameters, int length) throws Exception {
    return encode(new FileEncoder(ENGINE, parameters), length);
  }

  private List<Path> encode(FileEncoder encoder, int length) throws Exception {
    Path file = Files.write(directory.resolve("data"), ShardFiles.content(length));
    return encoder.encode(file, directory.resolve("shards"), ProgressListener.NONE).shards();
  }

  private static List<Path> without(List<Path> shards, int... numbers) {
    List<Path> rest = new ArrayList<>(shards);
    for (int number : numbers) {
      rest.remove(shards.get(number));
    }
    return rest;
  }

  private Path restore(List<Path> given, int number) throws Exception {
    ShardLayout.Original original = ShardLayout.of(given).original().orElseThrow();
    Path target = directory.resolve("new.fst");
    RecodingResult result =
        new ShardRestorer(ENGINE).restore(given, original, number, target, ProgressListener.NONE);
    assertThat(result.shardBytes()).isEqualTo(Files.size(target));
    return target;
  }

  /** Returns each choice of some of the shards. */
  private static List<List<Path>> selections(List<Path> shards, int count) {
    List<List<Path>> selections = new ArrayList<>();
    for (int bits = 0; bits < 1 << shards.size(); bits++) {
      if (Integer.bitCount(bits) == count) {
        int chosen = bits;
        selections.add(
            IntStream.range(0, shards.size())
                .filter(shard -> (chosen >> shard & 1) != 0)
                .mapToObj(shards::get)
                .toList());
      }
    }
    return selections;
  }

  /** Any K shards make each of the others, byte for byte; the last generation is shorter. */
  @ParameterizedTest
  @CsvSource({
    "3, 5, 128, 900",
    "4, 6, 32, 333",
    "2, 3, 5, 50",
    "1, 4, 6, 100",
    "2, 5, 6, 29",
    "5, 7, 12, 200"
  })
  void anySufficientShardsMakeEachOther(int any, int shards, int n, int length) throws Exception {
    List<Path> made = encode(EncodingParameters.anyOf(n, 5, any, shards, 7), length);
    List<List<Path>> selections = selections(made, any);
    for (int i = 0; i < selections.size(); i += 1 + selections.size() / 4) {
      List<Path> given = selections.get(i);
      ShardLayout.Original original = ShardLayout.of(given).original().orElseThrow();
      assertThat(original.isCountKnown()).isTrue();
      assertThat(original.parameters().shards()).isEqualTo(shards);
      assertThat(original.sufficient()).hasValue(any);
      int lost = original.missing().getFirst();
      assertThat(restore(given, lost)).hasSameBinaryContentAs(made.get(lost));
    }
  }

  /**
   * A generation has fewer blocks than there are shards, so no shard shows how many there are; some
   * are without blocks. Any K shards restore the file, the new ones included.
   */
  @ParameterizedTest
  @CsvSource({
    "3, 5, 9, 1",
    "3, 5, 9, 11",
    "3, 5, 9, 6",
    "2, 3, 2, 20",
    "4, 6, 4, 37",
    "5, 6, 3, 9"
  })
  void theGuaranteeHoldsWithAReplacedShard(int any, int shards, int n, int length)
      throws Exception {
    List<Path> made = encode(EncodingParameters.anyOf(n, 5, any, shards, 1), length);
    byte[] content = ShardFiles.content(length);
    for (int lost = 0; lost < shards; lost += shards - 1) {
      Path again =
          Files.copy(restore(without(made, lost), lost), directory.resolve("again" + lost));
      for (List<Path> given : selections(without(made, lost), any - 1)) {
        List<Path> chosen = new ArrayList<>(given);
        chosen.add(again);
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        new FileDecoder(ENGINE).decode(chosen, copy, "copy", ProgressListener.NONE);
        assertThat(copy.toByteArray()).isEqualTo(content);
      }
    }
  }

  /**
   * Other codes have no guarantee; their blocks depend on seed and index. The number of blocks is
   * not known exactly, so the new shard may have one more of each generation.
   */
  @ParameterizedTest
  @CsvSource({"systematic, 900", "dense, 900", "sparse, 77", "pipeline, 500", "cauchy, 111"})
  void shardsOfOtherCodesHaveTheirBlocks(String name, int length) throws Exception {
    Code code =
        switch (name) {
          case "systematic" -> new Code.Systematic();
          case "dense" -> new Code.Dense();
          case "sparse" -> Code.Sparse.ofDensity(0.5);
          case "pipeline" -> new Code.Pipeline(1);
          default -> new Code.Cauchy();
        };
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, code, 8, 5);
    List<Path> made = encode(new EncodingParameters(shape, 5, 1, 9), length);
    for (int lost = 0; lost < made.size(); lost += 2) {
      Path restored = restore(without(made, lost), lost);
      RankSummary both = ranks(List.of(made.get(lost), restored));
      assertThat(ranks(List.of(restored)).missingBlocks()).isEqualTo(both.missingBlocks());
      long lacking = ranks(List.of(made.get(lost))).missingBlocks() - both.missingBlocks();
      assertThat(lacking).isBetween(0L, both.generations());
    }
  }

  private static RankSummary ranks(List<Path> shards) throws Exception {
    return new ShardInspector(ENGINE).inspect(shards, GenerationListener.NONE).ranks();
  }

  @Test
  void encryptionAndSignatureStay() throws Exception {
    FileEncoder encoder =
        new FileEncoder(ENGINE, EncodingParameters.anyOf(8, 40, 3, 5, 1))
            .encrypting(MasterKey.generate())
            .signing(SigningKey.generate());
    List<Path> made = encode(encoder, 5000);
    assertThat(restore(without(made, 1, 4), 4)).hasSameBinaryContentAs(made.get(4));
  }

  /**
   * Records are lost in the samples, a header is wrong, and a recoded shard is among the others.
   */
  @Test
  void damagedAndRecodedShardsHelp() throws Exception {
    List<Path> made = encode(EncodingParameters.anyOf(8, 40, 3, 5, 1), 5000);
    int header = ShardInspector.header(made.getFirst()).byteSize();
    byte[] damaged = Files.readAllBytes(made.get(2));
    damaged[3] ^= 1;
    damaged[header + 104 + 70] ^= 1;
    byte[] expected = Files.readAllBytes(made.get(1));
    Path recoded =
        new ShardRecoder(ENGINE)
            .recode(made, directory.resolve("recoded"), 3, 1, ProgressListener.NONE)
            .shard();
    Files.write(made.get(2), damaged);
    List<Path> given = List.of(made.get(2), recoded, made.get(0), made.get(3));
    assertThat(ShardLayout.of(given).original().orElseThrow().missing()).containsExactly(1, 4);
    assertThat(restore(given, 1)).hasBinaryContent(expected);
  }

  @Test
  void tooFewShardsWriteNothing() throws Exception {
    List<Path> made = encode(EncodingParameters.anyOf(8, 40, 3, 5, 1), 5000);
    assertThatThrownBy(() -> restore(made.subList(0, 2), 3)).isInstanceOf(ShortRankException.class);
    assertThat(directory.resolve("new.fst")).doesNotExist();
  }

  @Test
  void aNumberOutOfRangeIsNamed() throws Exception {
    List<Path> made = encode(EncodingParameters.anyOf(8, 40, 3, 5, 1), 5000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> restore(made, 5))
        .withMessage("shard 5 is not in 0…4");
  }

  /** Recoded shards, and those of encodings with different numbers, show no common one. */
  @Test
  void anUnknownEncodingIsEmpty() throws Exception {
    List<Path> made = encode(EncodingParameters.anyOf(8, 40, 3, 5, 1), 5000);
    Path recoded =
        new ShardRecoder(ENGINE)
            .recode(made, directory.resolve("recoded"), 3, 1, ProgressListener.NONE)
            .shard();
    ShardLayout alone = ShardLayout.of(List.of(recoded));
    assertThat(alone.original()).isEmpty();
    assertThat(alone.blocksOfReplacement()).isEqualTo(3);
    Path other = Files.createDirectory(directory.resolve("other"));
    List<Path> more =
        new FileEncoder(ENGINE, EncodingParameters.anyOf(8, 40, 2, 3, 1))
            .encode(directory.resolve("data"), other, ProgressListener.NONE)
            .shards();
    assertThat(ShardLayout.of(List.of(made.get(0), more.get(1))).original()).isEmpty();
  }

  /** Where K shards have just n blocks, random ones need two more; the last generation is short. */
  @ParameterizedTest
  @CsvSource({"4, 6, 128, 34", "3, 5, 128, 45", "2, 3, 128, 66", "11, 16, 128, 14"})
  void randomReplacementsHaveSpareBlocks(int any, int shards, int n, int blocks) throws Exception {
    List<Path> made = encode(EncodingParameters.anyOf(n, 1, any, shards, 1), n * 3 + 9);
    assertThat(ShardLayout.of(made).blocksOfReplacement()).isEqualTo(blocks);
  }
}
