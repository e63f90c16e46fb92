package io.fieldstone.cli;

import static io.fieldstone.cli.TestFolder.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.BuiltCommand.Result;
import java.awt.image.BufferedImage;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that need a process: signals, streams, limits, the heap, and the launcher. */
@Execution(ExecutionMode.CONCURRENT)
class CommandIT {

  /** The work directory of every command; temporary files go into {@code tmp} in it. */
  @TempDir Path directory;

  private BuiltCommand built;
  private TestFolder folder;

  @BeforeEach
  void findTheCommand() {
    built = new BuiltCommand(directory);
    folder = new TestFolder(directory);
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

  private String[] decodeOf(String object, int first, int last) {
    List<String> words = new ArrayList<>(List.of("decode"));
    for (int shard = first; shard <= last; shard++) {
      words.add("shards/%s.%02d.fst".formatted(object, shard));
    }
    return words.toArray(String[]::new);
  }

  @Test
  void standsInAPipe() throws Exception {
    byte[] bytes = folder.write("file", 100_000);
    ProcessBuilder encode = command("", "encode", "-", "--name", "piped", "-o", "shards", "-q");
    encode.redirectInput(directory.resolve("file").toFile());
    assertThat(run(encode)).isEqualTo(new Result(0, "", ""));

    ProcessBuilder decode = command("", join(decodeOf("piped", 0, 12), "-o", "-"));
    decode.redirectOutput(directory.resolve("copy").toFile());

    assertThat(run(decode).status()).isZero();
    assertThat(folder.read("copy")).isEqualTo(bytes);
    assertThat(folder.namesIn("tmp")).isEmpty();
  }

  /** The JDK finds no fonts without a font configuration. */
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
                0, "", "warning: no fonts on this machine, so the map has no text: m.png\n"));
    assertThat(folder.run("relays", "./field.csv", "--range", "50", "-q", "--map", "./words.png"))
        .isEqualTo(new RunOf(0, "", ""));
    assertThat(coloured("m.png")).isPositive().isLessThan(coloured("words.png"));

    assertThat(run(command(noFonts, "weights", "golay:24", "--plot", "w.png")))
        .isEqualTo(
            new Result(
                1, "", "fieldstone: no fonts on this machine, which drawing needs: w.png\n"));
    assertThat(directory.resolve("w.png")).doesNotExist();
  }

  /** Returns the number of pixels that are not white. */
  private long coloured(String name) throws Exception {
    BufferedImage image = ImageIO.read(directory.resolve(name).toFile());
    return IntStream.range(0, image.getWidth() * image.getHeight())
        .filter(i -> image.getRGB(i % image.getWidth(), i / image.getWidth()) != -1)
        .count();
  }

  @Test
  void versionNamesTheBuild() throws Exception {
    assertThat(fieldstone("--version").out()).matches("fieldstone \\d+\\.\\d+\\.\\d+.*\\R");
  }

  /** A limit on the size of files simulates a full disk. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "encode file -o out --shards 1",
        "encode file -o out --shards 2 --block-size 64 --threads 4",
        "recode whole/file.00.fst -o out.fst",
        "decode whole/file.00.fst -o out.bin",
        "decode whole/file.00.fst -o out.bin --threads 4",
        "sort file -o out.bin --type u32",
        "sort file -o out.bin --type u32 --memory 2M",
      })
  @EnabledOnOs(OS.LINUX)
  void aDiskThatFillsUpLeavesNothing(String line) throws Exception {
    folder.write("file", 3_000_000);
    folder.encode("file", "whole", "--shards", "1");

    Result result = run(built.inShell("ulimit -f 1000; exec \"$@\"", line.split(" ")));

    assertThat(result.status()).isEqualTo(1);
    // Messages on a temporary file without a name have its directory.
    assertThat(result.err()).matches("fieldstone: file too large: (out|/)[^\n]*\n");
    assertThat(directory.resolve("out.fst")).doesNotExist();
    assertThat(directory.resolve("out.bin")).doesNotExist();
    if (Files.exists(directory.resolve("out"))) {
      assertThat(folder.namesIn("out")).isEmpty();
    }
    assertThat(folder.namesIn(".")).noneMatch(name -> name.endsWith(".tmp"));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void standardOutputThatIsFullIsAFailure() throws Exception {
    folder.write("file", 50_000);
    folder.encode("file", "shards");
    for (String[] line :
        List.of(
            join(decodeOf("file", 0, 15), "-o", "-"),
            new String[] {"inspect", "shards/file.00.fst"})) {
      Result result = run(command("", line).redirectOutput(new java.io.File("/dev/full")));

      assertThat(result.status()).isEqualTo(1);
      assertThat(result.err()).matches("fieldstone: [^\n]+: standard output\n");
    }
    assertThat(folder.namesIn("tmp")).isEmpty();
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aReaderThatLeavesIsAFailureInOneLine() throws Exception {
    folder.write("file", 3_000_000);
    folder.encode("file", "shards");
    Process process = command("", join(decodeOf("file", 0, 15), "-o", "-")).start();
    process.getInputStream().close();

    String err = new String(process.getErrorStream().readAllBytes());

    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(err).isEqualTo("fieldstone: broken pipe: standard output\n");
    assertThat(folder.namesIn("tmp")).isEmpty();
  }

  /** Sends SIGTERM, because SIGINT may be ignored in child processes; both are handled alike. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aSignalLeavesNothingHalfWritten() throws Exception {
    Process process = command("", "encode", "-", "-o", "shards").start();
    try (OutputStream input = process.getOutputStream()) {
      input.write(new byte[1 << 20]);
      input.flush();
      while (!Files.isDirectory(directory.resolve("shards"))
          || folder.namesIn("shards").isEmpty()) {
        assertThat(process.isAlive()).isTrue();
        Thread.onSpinWait();
      }
      assertThat(BuiltCommand.terminate(process)).isEqualTo(143);
    }

    assertThat(directory.resolve("shards")).doesNotExist();
    assertThat(folder.namesIn("tmp")).isEmpty();
  }

  /** Sorts in runs, which need a temporary file without a name. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aSignalLeavesAFileThatIsBeingSortedAsItWas() throws Exception {
    byte[] bytes = folder.write("file", 256_000_000);
    Process process =
        command("", "sort", "file", "-o", "file", "--type", "u32", "--memory", "16M", "--verify")
            .start();
    while (folder.namesIn(".").stream().noneMatch(name -> name.endsWith(".tmp"))) {
      assertThat(process.isAlive()).isTrue();
      Thread.onSpinWait();
    }

    assertThat(BuiltCommand.terminate(process)).isEqualTo(143);
    assertThat(folder.namesIn(".")).containsExactly("file", "tmp");
    assertThat(folder.namesIn("tmp")).isEmpty();
    assertThat(folder.read("file")).isEqualTo(bytes);
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
