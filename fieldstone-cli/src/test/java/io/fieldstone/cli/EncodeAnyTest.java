package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code encode --any K --of N}: every selection of K shards restores the file. */
class EncodeAnyTest {

  @TempDir private Path directory;
  private TestFolder folder = new TestFolder(Path.of(""));

  @BeforeEach
  void setUp() {
    folder = new TestFolder(directory);
  }

  /** The last generation has 3 of 10 blocks, and neither is a multiple of K. */
  @Test
  void everySelectionOfShardsRestoresTheFile() throws Exception {
    byte[] bytes = folder.write("file", 23 * 16 - 5);
    RunOf encoded =
        folder.succeed(
            "encode",
            "./file",
            "-o",
            "./shards",
            "--any",
            "4",
            "--of",
            "7",
            "--generation",
            "10",
            "--block-size",
            "16");
    assertThat(encoded.out()).contains("; any 4 of them are sufficient\n");
    List<String> names = folder.namesIn("shards");
    assertThat(names).hasSize(7);

    int selections = 0;
    for (int bits = 0; bits < 1 << 7; bits++) {
      if (Integer.bitCount(bits) == 4) {
        List<String> words = new ArrayList<>(List.of("decode", "-o", "./copy", "--force"));
        for (int shard = 0; shard < 7; shard++) {
          if ((bits >> shard & 1) != 0) {
            words.add("./shards/" + names.get(shard));
          }
        }
        folder.succeed(words.toArray(String[]::new));
        assertThat(folder.read("copy")).isEqualTo(bytes);
        selections++;
      }
    }
    assertThat(selections).isEqualTo(35);
  }

  /** Without options, any 11 of 16: here the first, the last and the middle ones. */
  @ParameterizedTest
  @CsvSource({"0, 11", "5, 16", "3, 14"})
  void anyElevenOfSixteenIsTheDefault(int from, int to) throws Exception {
    byte[] bytes = folder.write("file", 700_000);
    assertThat(folder.succeed("encode", "./file", "-o", "./shards").out())
        .contains("16 shards", "; any 11 of them are sufficient\n");
    List<String> words = new ArrayList<>(List.of("decode", "-o", "./copy"));
    for (String name : folder.namesIn("shards").subList(from, to)) {
      words.add("./shards/" + name);
    }
    folder.succeed(words.toArray(String[]::new));
    assertThat(folder.read("copy")).isEqualTo(bytes);
  }

  /** The second generation has 1, 6 or 10 blocks, so some shards have none of it. */
  @ParameterizedTest
  @ValueSource(ints = {524_289, 544_800, 565_248})
  void theLastGenerationMayBeInSomeShardsOnly(int length) throws Exception {
    byte[] bytes = folder.write("file", length);
    folder.encode("file", "shards");
    List<String> names = folder.namesIn("shards");
    for (List<String> chosen : List.of(names, names.subList(5, 16), names.subList(0, 11))) {
      List<String> words = new ArrayList<>(List.of("decode", "-o", "./copy", "--force"));
      chosen.forEach(name -> words.add("./shards/" + name));
      folder.succeed(words.toArray(String[]::new));
      assertThat(folder.read("copy")).isEqualTo(bytes);
    }
  }

  /** All records of the shard that was cut off belong to the first generation. */
  @Test
  void aShardMayEndInItsFirstGeneration() throws Exception {
    byte[] bytes = folder.write("file", 2_000_000);
    folder.encode("file", "shards");
    try (FileChannel cut =
        FileChannel.open(directory.resolve("shards/file.03.fst"), StandardOpenOption.WRITE)) {
      cut.truncate(15_000);
    }
    List<String> words = new ArrayList<>(List.of("-o", "./copy", "--force"));
    folder.namesIn("shards").forEach(name -> words.add("./shards/" + name));
    for (List<String> verb : List.of(List.of("decode"), List.of("decode", "--partial"))) {
      assertThat(folder.run(join(verb, words)).status()).isZero();
      assertThat(folder.read("copy")).isEqualTo(bytes);
    }
    assertThat(folder.run(join(List.of("recode"), words)).status()).isZero();
    List<String> inspected = words.subList(3, words.size());
    assertThat(folder.run(join(List.of("inspect"), inspected)).out()).contains("file.03.fst");
  }

  private static String[] join(List<String> first, List<String> rest) {
    return TestFolder.join(first.toArray(String[]::new), rest.toArray(String[]::new));
  }

  /** A shard ends with 32 bytes for each generation, which are no records. */
  @Test
  void recodeMakesAsManyBlocksAsAShardHas() throws Exception {
    folder.write("file", 64 * 8 * 64);
    folder.encode("file", "shards", "--generation", "8", "--block-size", "64");
    String inspected = folder.run("inspect", "./shards/file.00.fst", "--json").out();
    RunOf recoded =
        folder.succeed("recode", "./shards/file.00.fst", "-o", "./recoded.fst", "--json");
    assertThat(number(recoded.out(), "codedBlocks")).isEqualTo(number(inspected, "blocks"));
  }

  private static String number(String json, String name) {
    Matcher value = Pattern.compile("\"" + name + "\"\\s*:\\s*(\\d+)").matcher(json);
    assertThat(value.find()).as(json).isTrue();
    return value.group(1);
  }

  /** The last generation is short, so the mean number of blocks is not that of a full one. */
  @Test
  void recodeReplacesALostShard() throws Exception {
    byte[] bytes = folder.write("file", 23 * 16 - 5);
    String[] small = {"--any", "3", "--of", "5", "--generation", "10", "--block-size", "16"};
    folder.encode("file", "shards", small);
    byte[] lost = folder.read("shards/file.01.fst");
    Files.delete(directory.resolve("shards/file.01.fst"));
    String[] rest = {
      "./shards/file.00.fst", "./shards/file.02.fst", "./shards/file.03.fst", "-o", "./new.fst"
    };
    RunOf made = folder.succeed(TestFolder.join(new String[] {"recode"}, rest));
    assertThat(made.out())
        .contains(
            "takes the place of file.01.fst, verified\n",
            "any 3 of 5 shards are sufficient\n",
            "not given: file.04.fst\n");
    assertThat(folder.read("new.fst")).isEqualTo(lost);
    folder.succeed(
        "decode", "./shards/file.00.fst", "./shards/file.02.fst", "./new.fst", "-o", "./copy");
    assertThat(folder.read("copy")).isEqualTo(bytes);
    assertThat(folder.run("recode", "./shards/file.00.fst", "-o", "./x", "--shard", "5").err())
        .startsWith("fieldstone: --shard 5 is not in 0…4\n");
  }

  /** Too few shards to decode, or random blocks on request: the result says what it is worth. */
  @Test
  void recodeSaysWhatIsNotGuaranteed() throws Exception {
    folder.write("file", 5000);
    folder.encode("file", "shards", "--any", "2", "--of", "4", "--generation", "8");
    RunOf few = folder.succeed("recode", "./shards/file.00.fst", "-o", "./few");
    assertThat(few.out())
        .contains("nothing is guaranteed: the new shard adds nothing to the given ones\n");
    folder.encode("file", "more", "--any", "2", "--of", "4", "--block-size", "64");
    RunOf random =
        folder.succeed(
            "recode", "./more/file.00.fst", "./more/file.01.fst", "-o", "./random", "--seed", "1");
    assertThat(random.out()).contains("with the new shard any 2 are almost certainly sufficient\n");
    assertThat(folder.run("recode", "./more/file.00.fst", "-o", "./none", "--shard", "01").err())
        .startsWith("fieldstone: not enough shards: ");
    assertThat(Files.exists(directory.resolve("none"))).isFalse();
  }

  /** A redundancy in percent that lacks its sign would fill the disk without a word. */
  @Test
  void aLargeRedundancyIsWarnedOf() throws Exception {
    folder.write("file", 100);
    assertThat(folder.run("encode", "./file", "-o", "./s", "--redundancy", "10", "-q").err())
        .isEqualTo(
            "warning: --redundancy 10 adds 10 times the size of the data;"
                + " for percent, write 10%\n");
    folder.succeed("encode", "./file", "-o", "./t", "--redundancy", "10%");
  }

  /** Without a guarantee the result says so; a large generation has none. */
  @Test
  void otherCodesAreAlmostCertain() throws Exception {
    folder.write("file", 5000);
    for (String options :
        List.of("--shards 16", "--redundancy 0.5", "--code dense", "--generation 177")) {
      String[] words = ("encode ./file -o ./shards --force " + options).split(" ");
      assertThat(folder.succeed(words).out())
          .as(options)
          .contains("; any 11 of them are almost certainly sufficient\n")
          .doesNotContain("cauchy");
    }
    assertThat(folder.run("encode", "./file", "-o", "./s", "--generation", "176", "-v").out())
        .contains("cauchy");
  }

  @Test
  void theGenerationShrinksToWhatIsGuaranteed() throws Exception {
    byte[] bytes = folder.write("file", 300_000);
    assertThat(
            folder
                .run("encode", "./file", "-o", "./shards", "--any", "4", "--of", "16", "-v")
                .out())
        .contains("generations of 64 × 4.0 KiB");
    folder.succeed(
        "decode",
        "-o",
        "./copy",
        "./shards/file.00.fst",
        "./shards/file.07.fst",
        "./shards/file.14.fst",
        "./shards/file.15.fst");
    assertThat(folder.read("copy")).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--any 3                            | --any needs --of",
        "--of 3                             | --of needs --any",
        "--any 4 --of 3                     | --any 4 is not in 1…3",
        "--any 0 --of 3                     | --any 0 is not in 1…3",
        "--any 3 --of 1001                  | --of 1001 is not in 1…1000",
        "--any 3 --of 6 --shards 6          | --any and --of determine --shards",
        "--any 3 --of 6 --redundancy 1      | --any and --of determine --redundancy",
        "--any 3 --of 6 --code systematic   | --any needs --code cauchy, not systematic",
        "--any 3 --of 6 --generation 128    | --generation 128 is not in 1…127, with which any 3"
            + " of 6 shards are sufficient",
        "--any 1 --of 257                   | --any 1 --of 257: a generation has at most 256"
            + " blocks, too few for a guarantee",
        "--code cauchy --generation 257     | --code cauchy: generation size 257 is not in 1…256",
      })
  void optionsWithoutAGuaranteeAreRefused(String options, String problem) throws Exception {
    folder.write("file", 100);
    String[] words = ("encode ./file -o ./shards " + options.strip()).split(" ");
    RunOf run = folder.run(words);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("fieldstone: " + problem.strip() + "\n");
    assertThat(Files.exists(directory.resolve("shards"))).isFalse();
  }
}
