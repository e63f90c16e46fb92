package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the built command from a shell, and looks at its output files. */
@Execution(ExecutionMode.CONCURRENT)
@EnabledOnOs(OS.LINUX)
class OutputIT {

  private static final Path HOME = Path.of(System.getProperty("fieldstone.home", "."));
  private static final long WAIT_SECONDS = 300;

  @TempDir Path directory;

  private Path temporary;

  private record Result(int status, String out, String err) {}

  @BeforeEach
  void makeTemporaryDirectory() throws IOException {
    temporary = Files.createDirectory(directory.resolve("tmp"));
  }

  /** A process of bash, in which $F is the command. */
  private ProcessBuilder shell(String script) {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", script)
            .directory(directory.toFile())
            .redirectOutput(directory.resolve("tmp.out").toFile())
            .redirectError(directory.resolve("tmp.err").toFile());
    builder.environment().put("F", HOME.resolve("fieldstone").toString());
    builder.environment().put("FIELDSTONE_BUILD", "never");
    builder.environment().put("FIELDSTONE_JAVA_OPTS", "-Djava.io.tmpdir=" + temporary);
    return builder;
  }

  private Result run(String script) throws Exception {
    return result(shell(script).start());
  }

  private Result result(Process process) throws Exception {
    process.getOutputStream().close();
    assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    return new Result(
        process.exitValue(),
        Files.readString(directory.resolve("tmp.out")),
        Files.readString(directory.resolve("tmp.err")));
  }

  private void succeed(String script) throws Exception {
    assertThat(run(script)).isEqualTo(new Result(0, "", ""));
  }

  private Path write(String name, int length) throws IOException {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    return Files.write(directory.resolve(name), bytes);
  }

  private Path path(String name) {
    return directory.resolve(name);
  }

  private void encoded(String file, String... options) {
    String[] words = {"encode", path(file).toString(), "-o", path("shards").toString(), "-q"};
    String[] all = Arrays.copyOf(words, words.length + options.length);
    System.arraycopy(options, 0, all, words.length, options.length);
    assertThat(RunOf.fieldstone(all)).isEqualTo(new RunOf(0, "", ""));
  }

  private List<String> namesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.startsWith("tmp"))
          .sorted()
          .toList();
    }
  }

  @Test
  void aSortedFileKeepsItsModeAndLinksStay() throws Exception {
    Path keys = write("keys", 4000);
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    Files.createSymbolicLink(path("link"), keys);

    succeed("$F sort link -o link --type u32 -q && $F sort keys --check --type u32 -q");

    assertThat(path("link")).isSymbolicLink();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keys)))
        .isEqualTo("rw-------");
    assertThat(namesIn(directory)).containsExactly("keys", "link");
  }

  @Test
  void theOtherNamesOfAFileKeepItsContentAndOneLineSaysSo() throws Exception {
    Path keys = write("keys", 4000);
    byte[] old = Files.readAllBytes(keys);
    Files.createLink(path("other"), keys);

    Result result = run("$F sort keys -o keys --type u32 -q");

    assertThat(result.status()).isZero();
    assertThat(result.err())
        .isEqualTo(
            "fieldstone: keys was one of 2 names of a file; the others keep the old content\n");
    assertThat(path("other")).hasBinaryContent(old);
  }

  /** As root, who can become another user: the owner of a file cannot be kept by that one. */
  @Test
  void aFileOfAnotherUserIsRefusedBeforeTheWork() throws Exception {
    assumeThat(run("id -u").out()).as("root").isEqualTo("0\n");
    assumeThat(run("setpriv --reuid 65534 true").status()).isZero();
    Path shared = write("shared", 4000);
    byte[] old = Files.readAllBytes(shared);
    Files.setAttribute(shared, "unix:mode", 0666);
    Files.setAttribute(directory, "unix:mode", 0777);

    Result result =
        run(
            "setpriv --reuid 65534 --regid 65534 --clear-groups $F sort shared -o shared --type"
                + " u32");

    assertThat(result)
        .isEqualTo(
            new Result(
                1,
                "",
                "fieldstone: is of user 0 and group 0, which only root can keep when it is"
                    + " replaced: shared\n"));
    assertThat(shared).hasBinaryContent(old);
    assertThat(namesIn(directory)).containsExactly("shared");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dev/stdout", "-", "/dev/fd/1", "/proc/self/fd/1", "link"})
  void standardOutputIsWrittenToWhereverItGoes(String name) throws Exception {
    write("keys", 4000);
    Files.createSymbolicLink(path("link"), Path.of("/dev/stdout"));
    succeed("$F sort keys -o sorted --type u32 -q");

    succeed("{ echo begin; $F sort keys -o %s --type u32; echo end; } > out".formatted(name));
    succeed("$F sort keys -o %s --type u32 | cat > piped".formatted(name));

    succeed("{ echo begin; cat sorted; echo end; } | cmp - out && cmp sorted piped");
    assertThat(Files.isSymbolicLink(Path.of("/dev/stdout"))).isTrue();
    assertThat(namesIn(temporary)).isEmpty();
  }

  @Test
  void otherDescriptorsDevicesAndFifosAreWrittenToAndStay() throws Exception {
    write("keys", 4000);
    succeed("$F sort keys -o sorted --type u32 -q; $F encode keys -o shards -q");

    succeed("$F sort keys -o /dev/fd/3 --type u32 -q 3> third; cmp sorted third");
    succeed("mkfifo fifo; cat fifo > read & $F decode shards/* -o fifo -q; wait; cmp keys read");
    succeed("test -p fifo; $F sort keys -o /dev/null --type u32 -q; test -c /dev/null");
    succeed("$F decode shards/* -o /dev/stdout > decoded; cmp keys decoded");
    succeed("$F recode shards/* -o - > recoded; $F decode recoded shards/*.0[0-9].fst -o x -q");
    succeed("$F weights hamming:3 -o - | head -n 1 | cmp - <(echo weight,count)");
  }

  @Test
  void whatADecodingHasNotYetWrittenHasNoName() throws Exception {
    write("file", 3_000_000);
    encoded("file");
    Process process =
        shell("exec $F decode shards/* -o - --threads 1")
            .redirectOutput(ProcessBuilder.Redirect.PIPE)
            .start();
    // It has begun to write, to a reader that reads no more.
    assertThat(process.getInputStream().read()).isGreaterThanOrEqualTo(0);

    assertThat(namesIn(temporary)).isEmpty();
    process.destroy();
    assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(namesIn(temporary)).isEmpty();
  }

  @Test
  void codingCommandsReplaceWithForceOnly() throws Exception {
    Path file = write("file", 50_000);
    encoded("file", "--shards", "6");
    byte[] shard = Files.readAllBytes(path("shards/file.00.fst"));
    write("file", 40_000);

    Result refused = run("$F encode file -o shards --shards 4 -q");
    assertThat(refused)
        .isEqualTo(
            new Result(
                1, "", "fieldstone: already exists (--force replaces it): shards/file.00.fst\n"));
    assertThat(path("shards/file.00.fst")).hasBinaryContent(shard);

    Files.writeString(path("shards/file.note"), "another file");
    Files.writeString(path("shards/file.x.00.fst"), "another name");
    succeed("$F encode file -o shards --shards 4 --force -q");
    assertThat(namesIn(path("shards")))
        .containsExactly(
            "file.00.fst",
            "file.01.fst",
            "file.02.fst",
            "file.03.fst",
            "file.note",
            "file.x.00.fst");

    for (String command : List.of("decode", "recode")) {
      Files.writeString(path("out"), "mine");
      assertThat(run("$F " + command + " shards/file.0?.fst -o out -q"))
          .isEqualTo(new Result(1, "", "fieldstone: already exists (--force replaces it): out\n"));
      assertThat(path("out")).hasContent("mine");
      succeed("$F " + command + " shards/file.0?.fst -o out -q --force");
    }
    succeed("$F decode shards/file.0?.fst -o copy -q");
    assertThat(path("copy")).hasSameBinaryContentAs(file);
  }

  /** Any stale shard counts, also one that the new ones would not replace. */
  @Test
  void aShardOfANumberThatIsNotMadeIsNotLeftAmongNewOnes() throws Exception {
    write("file", 5000);
    Files.createDirectory(path("shards"));
    Files.writeString(path("shards/file.17.fst"), "of an older run");

    assertThat(run("$F encode file -o shards -q").err()).contains("exists").contains("file.17.fst");
    assertThat(namesIn(path("shards"))).containsExactly("file.17.fst");
  }

  @Test
  void aDirectoryInTheWayOfAShardStopsThemAll() throws Exception {
    write("file", 50_000);
    encoded("file", "--shards", "6");
    Files.delete(path("shards/file.04.fst"));
    Files.createDirectory(path("shards/file.04.fst"));
    succeed("md5sum shards/*.0[0-35].fst > sums");

    Result result = run("$F encode file -o shards --shards 6 --seed 2 --force -q");

    assertThat(result)
        .isEqualTo(new Result(1, "", "fieldstone: is a directory: shards/file.04.fst\n"));
    succeed("md5sum --quiet -c sums");
    assertThat(namesIn(path("shards"))).hasSize(6);
  }

  /** Reading the sparse file to its end would take hours. */
  @Test
  void shardsThatDoNotFitAreRefusedBeforeTheWork() throws Exception {
    Process truncate = shell("truncate -s 8T huge").start();
    assumeThat(result(truncate).status()).as("sparse files of 8 TiB").isZero();

    Result result = run("$F encode huge -o shards --block-size 64K -q");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).matches("fieldstone: [^\n]+ bytes are needed, [0-9]+ are free\n");
    assertThat(path("shards")).doesNotExist();
  }

  /** Really killed, by the system: the next command removes it, whichever it is. */
  @Test
  void theNextCommandRemovesWhatAKilledOneLeft() throws Exception {
    write("file", 5000);
    Process process = shell("exec $F encode - --name big -o shards").start();
    process.getOutputStream().write(new byte[1 << 20]);
    process.getOutputStream().flush();
    while (!Files.isDirectory(path("shards")) || namesIn(path("shards")).size() < 17) {
      assertThat(process.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    succeed("$F sort file -o shards/sorted --type u32 --payload 1 -q");
    assertThat(namesIn(path("shards"))).hasSize(18).contains("sorted");
    process.destroyForcibly();
    assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(namesIn(path("shards"))).hasSize(18);

    succeed("$F encode file -o shards --shards 2 -q");

    assertThat(namesIn(path("shards"))).containsExactly("file.00.fst", "file.01.fst", "sorted");
  }

  /** The process ends at the move of one of four shards: inspecting them puts the old ones back. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void shardsAreOldAgainAfterAProcessWasKilledBetweenThem(int move) throws Exception {
    write("file", 50_000);
    encoded("file", "--shards", "4");
    succeed("md5sum shards/*.fst > sums");
    Path classes = Path.of("target/test-classes").toAbsolutePath();
    String faults =
        "FIELDSTONE_JAVA_OPTS='-Xbootclasspath/a:%s -Dfieldstone.test.halt=MOVE:%d "
                .formatted(classes, move)
            + "-Djava.nio.file.spi.DefaultFileSystemProvider=io.fieldstone.faults.FaultyProvider' ";

    Result killed = run(faults + "$F encode file -o shards --shards 4 --seed 2 --force -q");
    assertThat(killed.status()).isEqualTo(137);
    assertThat(namesIn(path("shards"))).hasSizeGreaterThan(4);
    assertThat(run("md5sum --quiet -c sums").status()).isEqualTo(move == 1 ? 0 : 1);

    succeed("$F inspect shards/*.fst -q");
    succeed("md5sum --quiet -c sums");
    assertThat(namesIn(path("shards"))).hasSize(4);
  }

  @Test
  void namesInUtf8AreThoseOfFilesInEveryLocale() throws Exception {
    succeed("printf x > $'n\\u00e4me\\u20ac'");
    for (String locale : List.of("C", "POSIX", "C.UTF-8", "xx_XX.UTF-8")) {
      Result result = run("LC_ALL=%s $F crc n*".formatted(locale));
      assertThat(result).as(locale).isEqualTo(new Result(0, "8cdc1683  näme€\n", ""));
    }
    succeed("LC_ALL=C $F encode n* -o $'\\u00fc' -q; test -f $'\\u00fc/n\\u00e4me\\u20ac.00.fst'");
  }

  @Test
  void bytesThatAreNoTextAreRefusedNotReplaced() throws Exception {
    write("keys", 4000);
    for (String line :
        List.of(
            "sort keys --type u32 -o $'bad\\xff'", "crc $'bad\\xff'", "decode $'bad\\xff' -o x")) {
      Result result = run("printf x > $'bad\\xff'; $F " + line);
      assertThat(result)
          .isEqualTo(
              new Result(
                  2, "", "fieldstone: not in the encoding of this locale, UTF-8: 'bad\uFFFD'\n"));
    }
    succeed(
        "rm $'bad\\xff'; test \"$(ls | cat)\" = \"$(printf 'keys\\ntmp\\ntmp.err\\ntmp.out')\"");
    // A file may have the character itself in its name.
    succeed("printf x > $'good\\xef\\xbf\\xbd'");
    assertThat(run("$F crc good*").out()).isEqualTo("8cdc1683  good\uFFFD\n");
  }

  @Test
  void listsOfChecksumsAreReadAsTheyAreWritten() throws Exception {
    succeed(
        """
        for name in $'a\\nb' $'a\\rb' 'a\\b' $'a\\u2028b' $'a\\u0085b' $'a\\fb' $'a\\x1cb' 'a ' $'x\\r'
        do printf x > "$name"; done
        $F crc a* x* > sums; $F crc --tag a* x* > tagged; sed 's/$/\\r/' sums > dos
        """);

    for (String list : List.of("sums", "tagged", "dos")) {
      Result checked = run("$F crc --check --strict " + list);
      assertThat(checked.status()).as(list).isZero();
      assertThat(checked.err()).isEmpty();
      assertThat(checked.out().split("\n")).hasSize(9).allMatch(line -> line.endsWith(": OK"));
    }
    String start = " | sed -E 's/^([\\]?)[0-9a-f]+/\\1/'";
    succeed("diff <($F crc a* x*" + start + ") <(sha256sum a* x*" + start + ")");
  }

  /** A temporary file that cannot be deleted when the JVM shuts down is one line. */
  @Test
  void aTemporaryFileThatStaysIsOneLine() throws Exception {
    Path classes = Path.of("target/test-classes").toAbsolutePath();
    ProcessBuilder builder = shell("exec $F encode - -o shards");
    builder
        .environment()
        .put(
            "FIELDSTONE_JAVA_OPTS",
            "-Xbootclasspath/a:%s -Dfieldstone.test.undeletable=true".formatted(classes)
                + " -Djava.nio.file.spi.DefaultFileSystemProvider=io.fieldstone.faults.FaultyProvider");
    Process process = builder.start();
    process.getOutputStream().write(new byte[1 << 20]);
    process.getOutputStream().flush();
    while (!Files.isDirectory(path("shards")) || namesIn(path("shards")).size() < 17) {
      assertThat(process.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    process.destroy();
    assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();

    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(Files.readString(path("tmp.err")).lines())
        .isNotEmpty()
        .allMatch(line -> line.startsWith("fieldstone: "));
    assertThat(Files.readString(path("tmp.err"))).contains("a temporary file stays: ");
  }
}
