package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.BuiltCommand.Result;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the built command on real files, in a process of its own each time. */
@Execution(ExecutionMode.CONCURRENT)
class CommandIT {

  /** The work directory of every command; temporary files go into {@code tmp} in it. */
  @TempDir Path directory;

  private BuiltCommand built;

  @BeforeEach
  void findTheCommand() {
    built = new BuiltCommand(directory);
  }

  private ProcessBuilder command(String javaOptions, String... arguments) {
    return built.process(javaOptions, arguments);
  }

  private Result fieldstone(String... arguments) throws Exception {
    return built.run(arguments);
  }

  private Result run(ProcessBuilder builder) throws Exception {
    return built.run(builder);
  }

  private void succeed(String... arguments) throws Exception {
    Result result = fieldstone(arguments);
    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
  }

  /** Encodes inside this JVM: what a test begins with, not what it is about. */
  private void encoded(String file, String shards, String... options) {
    String[] words = {
      "encode", directory.resolve(file).toString(), "-o", directory.resolve(shards).toString(), "-q"
    };
    assertThat(RunOf.fieldstone(join(words, options))).isEqualTo(new RunOf(0, "", ""));
  }

  private byte[] write(String name, int length) throws IOException {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    Files.write(directory.resolve(name), bytes);
    return bytes;
  }

  private byte[] read(String name) throws IOException {
    return Files.readAllBytes(directory.resolve(name));
  }

  private List<String> namesIn(String name) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve(name))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static String[] join(String[] first, String... rest) {
    String[] all = Arrays.copyOf(first, first.length + rest.length);
    System.arraycopy(rest, 0, all, first.length, rest.length);
    return all;
  }

  private String[] decodeOf(String object, int first, int last) {
    List<String> words = new ArrayList<>(List.of("decode"));
    for (int shard = first; shard <= last; shard++) {
      words.add("shards/%s.%02d.fst".formatted(object, shard));
    }
    return words.toArray(String[]::new);
  }

  @ParameterizedTest
  @CsvSource({"dense, 300000", "systematic, 300000", "dense, 0", "dense, 1", "pipeline, 4096"})
  void encodesAndDecodesWithoutSomeShards(String code, int length) throws Exception {
    byte[] bytes = write("file", length);

    succeed("encode", "file", "-o", "shards", "--code", code, "--generation", "32", "-q");
    assertThat(namesIn("shards")).hasSize(16).startsWith("file.00.fst").endsWith("file.15.fst");
    int first = code.equals("pipeline") ? 0 : 4;
    Result decoded = fieldstone(join(decodeOf("file", first, 15), "-o", "copy"));

    assertThat(decoded.err()).isEmpty();
    assertThat(decoded.status()).isZero();
    assertThat(decoded.out()).contains("file: ", "sha256 ", "as encoded");
    assertThat(read("copy")).isEqualTo(bytes);
    assertThat(namesIn("tmp")).isEmpty();
  }

  @Test
  void aRecodedShardStandsInForLostOnes() throws Exception {
    byte[] bytes = write("file", 200_000);
    encoded("file", "shards", "--shards", "4", "--redundancy", "1");
    String[] three = {"recode", "shards/file.00.fst", "shards/file.01.fst", "shards/file.02.fst"};

    Result recoded = fieldstone(join(three, "-o", "new.fst", "--blocks", "60"));
    assertThat(recoded.err()).isEmpty();
    assertThat(recoded.out()).contains("drawn from rank");
    succeed("decode", "new.fst", "shards/file.03.fst", "-o", "copy");

    assertThat(read("copy")).isEqualTo(bytes);
  }

  @Test
  void inspectSaysWhatAShardIs() throws Exception {
    write("file", 100_000);
    encoded("file", "shards");

    Result result = fieldstone("inspect", "shards/file.03.fst", "--json");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).matches("fieldstone: not enough blocks: 1 of 1 gen[^\n]+\n");
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
    byte[] bytes = write("file", 300_000);
    encoded("file", "shards");
    try (RandomAccessFile shard =
        new RandomAccessFile(directory.resolve("shards/file.02.fst").toFile(), "rw")) {
      shard.seek(5000);
      shard.write(~shard.read());
    }

    Result decoded = fieldstone(join(decodeOf("file", 0, 15), "-o", "copy"));

    assertThat(decoded.status()).isZero();
    assertThat(decoded.out()).contains("dropped 1 damaged block", "shards/file.02.fst");
    assertThat(read("copy")).isEqualTo(bytes);
  }

  @Test
  void standsInAPipe() throws Exception {
    byte[] bytes = write("file", 100_000);
    ProcessBuilder encode = command("", "encode", "-", "--name", "piped", "-o", "shards", "-q");
    encode.redirectInput(directory.resolve("file").toFile());
    assertThat(run(encode)).isEqualTo(new Result(0, "", ""));

    ProcessBuilder decode = command("", join(decodeOf("piped", 0, 12), "-o", "-"));
    decode.redirectOutput(directory.resolve("copy").toFile());

    assertThat(run(decode).status()).isZero();
    assertThat(read("copy")).isEqualTo(bytes);
    assertThat(namesIn("tmp")).isEmpty();
  }

  @Test
  void demoBringsAFileToEveryReceiver() throws Exception {
    write("file", 200_000);

    Result result = fieldstone("demo", "file", "--receivers", "3", "--loss", "0.3");

    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("source ──> 2 relays ──> 3 receivers", "equal at 3 of 3");
    assertThat(result.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(namesIn("tmp")).isEmpty();
  }

  @Test
  void demoPrintsOneJsonObject() throws Exception {
    Result result = fieldstone("demo", "--size", "50K", "--relays", "0", "--json");

    JsonNode report = JsonMapper.shared().readTree(result.out());
    assertThat(report.get("receivers").size()).isEqualTo(8);
    assertThat(report.get("receivers").get(0).get("isEqual").asBoolean()).isTrue();
  }

  @Test
  void devicesShowsRatesAndVerifies() throws Exception {
    Result result = fieldstone("devices", "--engine", "cpu:scalar", "--verify");

    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("G GF-MAC/s").contains("cpu:scalar").contains("pass");
    assertThat(result.out()).doesNotContain("FAIL");
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void theCompletionScriptIsValidShell() throws Exception {
    Files.writeString(directory.resolve("script"), fieldstone("completion").out());

    Process bash =
        new ProcessBuilder("bash", "-n", "script")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();

    assertThat(new String(bash.getInputStream().readAllBytes())).isEmpty();
    assertThat(bash.waitFor()).isZero();
  }

  /** In a real bash, which calls the script's function as it would after a tab. */
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
        "bench nu | nuclei",
        "re | recode relays",
        "relays --plan-m | --plan-method",
      })
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void completionOffersWhatFits(String words, String offered) throws Exception {
    Files.writeString(directory.resolve("script"), RunOf.fieldstone("completion").out());
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

    Result result =
        fieldstone("relays", "field.csv", "--range", "50", "-o", "p.geojson", "--map", "m.png");

    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("3 before, 1 after", "1: 1 star", "2 along a spanning tree");
    assertThat(JsonMapper.shared().readTree(read("p.geojson")).get("features")).hasSize(7);
    assertThat(read("m.png")).startsWith(0x89, 'P', 'N', 'G');
    assertThat(namesIn("tmp")).isEmpty();
  }

  /** A machine without fonts, as the JDK sees it. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void mapsAreDrawnWithoutFonts() throws Exception {
    String noFonts = "-Dsun.awt.fontconfig=" + directory.resolve("none");
    Files.writeString(directory.resolve("field.csv"), "id,x,y\na,0,0\nb,60,0\nc,30,52\n");
    String[] plan = {"relays", "field.csv", "--range", "50", "-q", "--map"};

    assertThat(run(command(noFonts, join(plan, "m.svg")))).isEqualTo(new Result(0, "", ""));
    assertThat(Files.readString(directory.resolve("m.svg"))).contains("3 sensors");
    assertThat(run(command(noFonts, join(plan, "m.png"))))
        .isEqualTo(
            new Result(
                0, "", "fieldstone: no fonts on this machine, so the map has no words: m.png\n"));
    assertThat(fieldstone(join(plan, "words.png"))).isEqualTo(new Result(0, "", ""));
    assertThat(coloured("m.png")).isPositive().isLessThan(coloured("words.png"));

    assertThat(run(command(noFonts, "weights", "golay:24", "--plot", "w.png")))
        .isEqualTo(new Result(1, "", "fieldstone: no fonts on this machine to draw with: w.png\n"));
    assertThat(directory.resolve("w.png")).doesNotExist();
  }

  /** How many pixels are not white. */
  private long coloured(String name) throws IOException {
    BufferedImage image = ImageIO.read(directory.resolve(name).toFile());
    return IntStream.range(0, image.getWidth() * image.getHeight())
        .filter(i -> image.getRGB(i % image.getWidth(), i / image.getWidth()) != -1)
        .count();
  }

  @Test
  void versionNamesTheBuild() throws Exception {
    assertThat(fieldstone("--version").out()).matches("fieldstone \\d+\\.\\d+\\.\\d+.*\\R");
  }

  /** Everything that can be wrong with files: one line, exit 1, no output. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "encode missing -o out | no such file or directory: missing",
        "encode shards -o out | is a directory: shards",
        "encode file -o file | not a directory: file",
        "decode missing -o out | no such file or directory: missing",
        "decode shards -o out | is a directory: shards",
        "decode file -o out | file",
        "decode empty -o out | empty",
        "decode shards/file.00.fst shards/other.01.fst -o out | not shards of the same file",
        "decode shards/file.00.fst changed/file.01.fst -o out | two versions of 'file'",
        "decode shards/file.00.fst shards/file.01.fst -o out | not enough blocks: 1 of 1 gen",
        "decode shards/file.00.fst -o none/out | no such directory:",
        "decode shards/file.00.fst -o shards | is a directory: shards",
        "recode missing -o out | no such file or directory: missing",
        "recode file -o out | file",
        "recode shards/file.00.fst changed/file.01.fst -o out | two versions of 'file'",
        "inspect missing | no such file or directory: missing",
        "inspect file | file",
        "sort missing -o out --type u32 | no such file or directory: missing",
        "sort shards -o out --type u32 | is a directory: shards",
        "sort file -o shards --type u32 | is a directory: shards",
        "sort file -o none/out --type u32 | no such directory:",
        "sort file -o out --type u32 --temp none | no such directory: none",
        "sort file -o out --type u32 --temp file | not a directory: file",
        "sort file -o out --type u64 --payload 3 | 60000 bytes are not a multiple of 11 bytes per"
            + " record (u64, 3",
        "sort file -o out --type u32 --memory 100 | the least that does is",
        "sort file --check --type u32 | is out of order: file",
        "demo missing | no such file or directory: missing",
        "demo shards | is a directory: shards",
      })
  void badFilesAreOneLine(String line, String message) throws Exception {
    write("file", 50_000);
    encoded("file", "changed");
    write("other", 1000);
    Files.createFile(directory.resolve("empty"));
    write("file", 60_000);
    encoded("file", "shards");
    encoded("other", "shards");

    Result result = fieldstone(line.split(" "));

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out().isEmpty()).isEqualTo(!line.contains("--check"));
    assertThat(result.err()).matches("fieldstone: [^\n]+\n").contains(message);
    assertThat(directory.resolve("out")).doesNotExist();
    assertThat(namesIn("tmp")).isEmpty();
    assertThat(namesIn("shards")).noneMatch(name -> name.endsWith(".tmp"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"decode", "recode"})
  void theOutputMustNotBeAnInput(String verb) throws Exception {
    write("file", 10_000);
    encoded("file", "shards");
    byte[] shard = read("shards/file.00.fst");

    Result result = fieldstone(verb, "shards/file.00.fst", "-o", "./shards/../shards/file.00.fst");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("is also an input");
    assertThat(read("shards/file.00.fst")).isEqualTo(shard);
  }

  /** A limit on the size of files stands in for a full disk: writing fails in the middle. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "encode file -o out --shards 1",
        "recode whole/file.00.fst -o out.fst",
        "decode whole/file.00.fst -o out.bin",
        "sort file -o out.bin --type u32",
        "sort file -o out.bin --type u32 --memory 2M",
      })
  @EnabledOnOs(OS.LINUX)
  void aDiskThatFillsUpLeavesNothing(String line) throws Exception {
    write("file", 3_000_000);
    encoded("file", "whole", "--shards", "1");

    Result result = run(built.inShell("ulimit -f 1000; exec \"$@\"", line.split(" ")));

    assertThat(result.status()).isEqualTo(1);
    // A temporary file without a name is told of by its directory.
    assertThat(result.err()).matches("fieldstone: file too large: (out|/)[^\n]*\n");
    assertThat(directory.resolve("out.fst")).doesNotExist();
    assertThat(directory.resolve("out.bin")).doesNotExist();
    if (Files.exists(directory.resolve("out"))) {
      assertThat(namesIn("out")).isEmpty();
    }
    assertThat(namesIn(".")).noneMatch(name -> name.endsWith(".tmp"));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void standardOutputThatIsFullIsAFailure() throws Exception {
    write("file", 50_000);
    encoded("file", "shards");
    for (String[] line :
        List.of(
            join(decodeOf("file", 0, 15), "-o", "-"),
            new String[] {"inspect", "shards/file.00.fst"})) {
      Result result = run(command("", line).redirectOutput(new java.io.File("/dev/full")));

      assertThat(result.status()).isEqualTo(1);
      assertThat(result.err()).matches("fieldstone: [^\n]+: standard output\n");
    }
    assertThat(namesIn("tmp")).isEmpty();
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aReaderThatLeavesIsAFailureInOneLine() throws Exception {
    write("file", 3_000_000);
    encoded("file", "shards");
    Process process = command("", join(decodeOf("file", 0, 15), "-o", "-")).start();
    process.getInputStream().close();

    String err = new String(process.getErrorStream().readAllBytes());

    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(err).isEqualTo("fieldstone: broken pipe: standard output\n");
    assertThat(namesIn("tmp")).isEmpty();
  }

  /** SIGTERM takes the path of Ctrl-C; a parent may have switched SIGINT off for its children. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aSignalLeavesNothingHalfWritten() throws Exception {
    Process process = command("", "encode", "-", "-o", "shards").start();
    try (OutputStream input = process.getOutputStream()) {
      input.write(new byte[1 << 20]);
      input.flush();
      while (!Files.isDirectory(directory.resolve("shards")) || namesIn("shards").isEmpty()) {
        assertThat(process.isAlive()).isTrue();
        Thread.onSpinWait();
      }
      process.destroy();
      assertThat(process.waitFor()).isEqualTo(143);
    }

    assertThat(directory.resolve("shards")).doesNotExist();
    assertThat(namesIn("tmp")).isEmpty();
  }

  /** By runs, so that there is a temporary file without a name too. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aSignalLeavesAFileThatIsBeingSortedAsItWas() throws Exception {
    byte[] bytes = write("file", 64_000_000);
    Process process =
        command("", "sort", "file", "-o", "file", "--type", "u32", "--memory", "4M", "--verify")
            .start();
    while (namesIn(".").stream().noneMatch(name -> name.endsWith(".tmp"))) {
      assertThat(process.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    process.destroy();
    assertThat(process.waitFor()).isEqualTo(143);

    assertThat(namesIn(".")).containsExactly("file", "tmp");
    assertThat(namesIn("tmp")).isEmpty();
    assertThat(read("file")).isEqualTo(bytes);
  }

  @Test
  void aFileFourTimesTheHeapGoesThrough() throws Exception {
    roundTrip(128L << 20, "-Xmx32m");
  }

  /** {@code mvn verify -Dfieldstone.large=true}: needs 16 GiB of disk. */
  @Test
  @EnabledIfSystemProperty(named = "fieldstone.large", matches = "true")
  void aFileOfFourGibibytesGoesThrough() throws Exception {
    roundTrip((4L << 30) + 12_345, "-Xmx512m");
  }

  private void roundTrip(long length, String heap) throws Exception {
    Path file = directory.resolve("file");
    SplittableRandom random = new SplittableRandom(length);
    byte[] piece = new byte[1 << 20];
    try (OutputStream output = Files.newOutputStream(file)) {
      for (long left = length; left > 0; left -= piece.length) {
        random.nextBytes(piece);
        output.write(piece, 0, (int) Math.min(left, piece.length));
      }
    }

    Result encoded = run(command(heap, "encode", "file", "-o", "shards", "--shards", "4"));
    assertThat(encoded.err()).isEmpty();
    Result decoded = run(command(heap, join(decodeOf("file", 0, 2), "-o", "copy")));
    assertThat(decoded.err()).isEmpty();

    assertThat(Files.mismatch(file, directory.resolve("copy"))).isEqualTo(-1);
  }
}
