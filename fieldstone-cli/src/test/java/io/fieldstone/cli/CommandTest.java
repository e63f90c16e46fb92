package io.fieldstone.cli;

import static io.fieldstone.cli.TestFolder.join;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs commands on real files. Temporary files go to a directory of the test, so no other test runs
 * meanwhile.
 */
@Isolated("sets java.io.tmpdir")
class CommandTest {

  private static final String TEMPORARY = "java.io.tmpdir";

  @TempDir Path directory;

  private final String systemTemporary = System.getProperty(TEMPORARY);
  private TestFolder folder;

  @BeforeEach
  void redirectTemporaryFiles() throws Exception {
    folder = new TestFolder(directory);
    System.setProperty(TEMPORARY, Files.createDirectory(directory.resolve("tmp")).toString());
  }

  @AfterEach
  void restoreTemporaryFiles() {
    System.setProperty(TEMPORARY, systemTemporary);
  }

  private static String[] decodeOf(String object, int first, int last) {
    List<String> words = new ArrayList<>(List.of("decode"));
    for (int shard = first; shard <= last; shard++) {
      words.add("./shards/%s.%02d.fst".formatted(object, shard));
    }
    return words.toArray(String[]::new);
  }

  @ParameterizedTest
  @CsvSource({
    "dense, 300000",
    "systematic, 300000",
    "cauchy, 300000",
    "dense, 0",
    "dense, 1",
    "pipeline, 4096"
  })
  void encodesAndDecodesWithoutSomeShards(String code, int length) throws Exception {
    byte[] bytes = folder.write("file", length);

    folder.succeed(
        "encode", "./file", "-o", "./shards", "--code", code, "--generation", "32", "-q");
    assertThat(folder.namesIn("shards"))
        .hasSize(16)
        .startsWith("file.00.fst")
        .endsWith("file.15.fst");
    int first = code.equals("pipeline") ? 0 : 4;
    RunOf decoded = folder.run(join(decodeOf("file", first, 15), "-o", "./copy"));

    assertThat(decoded.err()).isEmpty();
    assertThat(decoded.status()).isZero();
    assertThat(decoded.out()).contains("file: ", "id ", "verified");
    assertThat(folder.read("copy")).isEqualTo(bytes);
    assertThat(folder.namesIn("tmp")).isEmpty();
  }

  @Test
  void aRecodedShardStandsInForLostOnes() throws Exception {
    byte[] bytes = folder.write("file", 200_000);
    folder.encode("file", "shards", "--shards", "4", "--redundancy", "1");
    String[] three = {
      "recode", "./shards/file.00.fst", "./shards/file.01.fst", "./shards/file.02.fst"
    };

    RunOf recoded = folder.run(join(three, "-o", "./new.fst", "--blocks", "60"));
    assertThat(recoded.err()).isEmpty();
    assertThat(recoded.out()).doesNotContain("rank", "block", "generation");
    assertThat(folder.run(join(three, "-o", "./new.fst", "--blocks", "60", "--force", "-v")).out())
        .contains("drawn from rank", "60 blocks, ");
    folder.succeed("decode", "./new.fst", "./shards/file.03.fst", "-o", "./copy");

    assertThat(folder.read("copy")).isEqualTo(bytes);
  }

  @Test
  void inspectDescribesAShard() throws Exception {
    folder.write("file", 100_000);
    folder.encode("file", "shards");

    RunOf result = folder.run("inspect", "./shards/file.03.fst", "--json");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).matches("fieldstone: not enough shards: 1 given, about [^\n]+\n");
    JsonNode json = JsonMapper.shared().readTree(result.out());
    assertThat(json.get("name").asString()).isEqualTo("file");
    assertThat(json.get("bytes").asLong()).isEqualTo(100_000);
    assertThat(json.get("n").asInt()).isEqualTo(128);
    assertThat(json.get("k").asInt()).isEqualTo(4096);
    assertThat(json.get("isComplete").asBoolean()).isFalse();
    assertThat(json.get("ranks").get("completeGenerations").asLong()).isZero();
    assertThat(json.get("ranks").get("missingBlocks").asLong()).isEqualTo(25 - 3);
    assertThat(json.get("shards").get(0).get("file").asString()).isEqualTo("shards/file.03.fst");
  }

  @Test
  void damagedBlocksAreDroppedAndCounted() throws Exception {
    byte[] bytes = folder.write("file", 300_000);
    folder.encode("file", "shards");
    try (RandomAccessFile shard =
        new RandomAccessFile(directory.resolve("shards/file.02.fst").toFile(), "rw")) {
      shard.seek(5000);
      shard.write(~shard.read());
    }

    RunOf decoded = folder.run(join(decodeOf("file", 0, 15), "-o", "./copy"));

    assertThat(decoded.status()).isZero();
    assertThat(decoded.out()).contains("damaged, without ", "shards/file.02.fst");
    assertThat(folder.read("copy")).isEqualTo(bytes);
  }

  @Test
  void demoBringsAFileToEveryReceiver() throws Exception {
    folder.write("file", 200_000);

    RunOf result = folder.run("demo", "./file", "--receivers", "3", "--loss", "0.3");

    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("server ──> 2 relays ──> 3 receivers", "equal at 3 of 3");
    assertThat(result.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(folder.namesIn("tmp")).isEmpty();
  }

  @Test
  void demoPrintsOneJsonObject() throws Exception {
    RunOf result = folder.run("demo", "--size", "50K", "--relays", "0", "--json");

    JsonNode report = JsonMapper.shared().readTree(result.out());
    assertThat(report.get("receivers").size()).isEqualTo(8);
    assertThat(report.get("receivers").get(0).get("isEqual").asBoolean()).isTrue();
  }

  @Test
  void devicesShowsRatesAndVerifies() throws Exception {
    RunOf result = folder.run("devices", "--engine", "cpu:scalar", "--verify", "-q");

    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("G GF-MAC/s").contains("cpu:scalar").contains("pass");
    assertThat(result.out()).doesNotContain("FAIL");
  }

  @Test
  void devicesListsWhatAUserWouldChoose() throws Exception {
    RunOf run = folder.run("devices", "--json");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(JsonMapper.shared().readTree(run.out()).get("engines").valueStream())
        .extracting(engine -> engine.get("engine").asString())
        .contains("cpu", "cpu:vector", "cpu:scalar")
        .noneMatch(name -> name.contains("loop"))
        .hasSizeLessThanOrEqualTo(12);
  }

  @Test
  void allDevicesOrOne() throws Exception {
    RunOf run = folder.run("devices", "--all", "--engine", "cpu");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("fieldstone: --all lists every engine, and --engine one");
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void theCompletionScriptIsValidShell() throws Exception {
    Files.writeString(directory.resolve("script"), folder.run("completion").out());

    Process bash =
        new ProcessBuilder("bash", "-n", "script")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();

    assertThat(new String(bash.getInputStream().readAllBytes())).isEmpty();
    assertThat(bash.waitFor()).isZero();
  }

  /** Calls the function of the script in bash as completion does. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "relays x.csv --plan-method '' | tree stars best",
        "relays x.csv --rule '' | circumcircle enclosing",
        "relays x.csv --rule e | enclosing",
        "sort x --order '' | asc desc",
        "sort x --type i | i32 i64",
        "encode x --code s | systematic sparse",
        "crc --notation '' | normal reversed reciprocal koopman",
        "re | recode repair relay relays",
        "relays --plan-m | --plan-method",
      })
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void completionOffersMatchingWords(String words, String offered) throws Exception {
    Files.writeString(directory.resolve("script"), folder.run("completion").out());
    String call =
        """
        source ./script
        COMP_WORDS=(fieldstone %s)
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMP_LINE="${COMP_WORDS[*]}"
        _complete_fieldstone 2>/dev/null
        echo "${COMPREPLY[*]}"
        """
            .formatted(words);

    Process bash = new ProcessBuilder("bash", "-c", call).directory(directory.toFile()).start();

    assertThat(new String(bash.getInputStream().readAllBytes())).isEqualTo(offered + "\n");
    assertThat(bash.waitFor()).isZero();
  }

  @Test
  void relaysArePlannedAndDrawn() throws Exception {
    Files.writeString(directory.resolve("field.csv"), "id,x,y\na,0,0\nb,60,0\nc,30,52\n");

    RunOf result =
        folder.run(
            "relays", "./field.csv", "--range", "50", "-o", "./p.geojson", "--map", "./m.png");

    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
    assertThat(result.out())
        .contains("3 before, 1 after", "1: 1 star", "2 if placed along a spanning tree");
    assertThat(JsonMapper.shared().readTree(folder.read("p.geojson")).get("features")).hasSize(7);
    assertThat(folder.read("m.png")).startsWith(0x89, 'P', 'N', 'G');
    assertThat(folder.namesIn("tmp")).isEmpty();
  }

  /** Checks that each problem with files is one line, with exit status 1 and no output. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "encode ./missing -o ./out | no such file or directory: missing",
        "encode ./shards -o ./out | is a directory: shards",
        "encode ./file -o ./file | not a directory: file",
        "decode ./missing -o ./out | no such file or directory: missing",
        "decode ./shards -o ./out | is a directory: shards",
        "decode ./file -o ./out | file",
        "decode ./empty -o ./out | empty",
        "decode ./shards/file.00.fst ./shards/other.01.fst -o ./out | not shards of the same file",
        "decode ./shards/file.00.fst ./any/file.01.fst -o ./out | of 128 × 4096 bytes, cauchy code"
            + " against generations of 127 × 4096 bytes, cauchy code",
        "decode ./shards/file.00.fst ./changed/file.01.fst -o ./out | two versions of 'file'",
        "decode ./shards/file.00.fst -o ./none/out | no such directory:",
        "decode ./shards/file.00.fst -o ./shards | is a directory: shards",
        "recode ./missing -o ./out | no such file or directory: missing",
        "recode ./file -o ./out | file",
        "recode ./shards/file.00.fst ./changed/file.01.fst -o ./out | two versions of 'file'",
        "inspect ./missing | no such file or directory: missing",
        "inspect ./file | file",
        "sort ./missing -o ./out --type u32 | no such file or directory: missing",
        "sort ./shards -o ./out --type u32 | is a directory: shards",
        "sort ./file -o ./shards --type u32 | is a directory: shards",
        "sort ./file -o ./none/out --type u32 | no such directory:",
        "sort ./file -o ./out --type u32 --temp ./none | no such directory: none",
        "sort ./file -o ./out --type u32 --temp ./file | not a directory: file",
        "sort ./file -o ./out --type u64 --payload 3 | size 60000 is not a multiple of 11,"
            + " the bytes of a record (u64, 3",
        "sort ./file -o ./out --type u32 --memory 100 | the minimum is",
        "sort ./file --check --type u32 | is out of order: file",
        "demo ./missing | no such file or directory: missing",
        "demo ./shards | is a directory: shards",
        "fetch file --from 127.0.0.1:1 --state ./file -o ./out | not a directory: file",
        "stream receive --from 127.0.0.1:1 --state ./file -o ./out | not a directory: file",
      })
  void badFilesAreOneLine(String line, String message) throws Exception {
    folder.write("file", 50_000);
    folder.encode("file", "changed");
    folder.write("other", 1000);
    Files.createFile(directory.resolve("empty"));
    folder.write("file", 60_000);
    folder.encode("file", "shards");
    folder.encode("other", "shards");
    folder.encode("file", "any", "--any", "3", "--of", "6");

    RunOf result = folder.run(line.split(" "));

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out().isEmpty()).isEqualTo(!line.contains("--check"));
    assertThat(result.err()).matches("fieldstone: [^\n]+\n").contains(message);
    assertThat(directory.resolve("out")).doesNotExist();
    assertThat(folder.namesIn("tmp")).isEmpty();
    assertThat(folder.namesIn("shards")).noneMatch(name -> name.endsWith(".tmp"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"decode", "recode"})
  void theOutputMustNotBeAnInput(String verb) throws Exception {
    folder.write("file", 10_000);
    folder.encode("file", "shards");
    byte[] shard = folder.read("shards/file.00.fst");

    RunOf result = folder.run(verb, "./shards/file.00.fst", "-o", "./shards/../shards/file.00.fst");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("is also an input");
    assertThat(folder.read("shards/file.00.fst")).isEqualTo(shard);
  }
}
