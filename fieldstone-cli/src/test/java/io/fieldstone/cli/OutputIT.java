package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

/** Runs the built command from a shell and checks its output files. */
@Execution(ExecutionMode.CONCURRENT)
@EnabledOnOs(OS.LINUX)
class OutputIT {

  private static final Path HOME = Path.of(System.getProperty("fieldstone.home", "."));
  private static final long WAIT_SECONDS = 300;

  @TempDir Path directory;

  private Path temporary;
  private TestFolder folder;

  private record Result(int status, String out, String err) {}

  @BeforeEach
  void makeTemporaryDirectory() throws IOException {
    temporary = Files.createDirectory(directory.resolve("tmp"));
    folder = new TestFolder(directory);
  }

  /** Makes a process of bash, in which $F is the command. */
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

  private Path path(String name) {
    return directory.resolve(name);
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
  void otherHardLinksKeepTheContentAndAWarningIsPrinted() throws Exception {
    folder.write("keys", 4000);
    Path keys = path("keys");
    byte[] old = Files.readAllBytes(keys);
    Files.createLink(path("other"), keys);

    Result result = run("$F sort keys -o keys --type u32 -q");

    assertThat(result.status()).isZero();
    assertThat(result.err())
        .isEqualTo(
            "warning: keys was one of 2 hard links to a file; the others keep the old"
                + " content\n");
    assertThat(path("other")).hasBinaryContent(old);
  }

  /** Runs as another user, which cannot keep the owner of a file; needs root. */
  @Test
  void aFileOfAnotherUserIsRefusedBeforeTheWork() throws Exception {
    assumeThat(run("id -u").out()).as("root").isEqualTo("0\n");
    assumeThat(run("setpriv --reuid 65534 true").status()).isZero();
    folder.write("shared", 4000);
    Path shared = path("shared");
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
                "fieldstone: belongs to user 0 and group 0; only root can keep them"
                    + " in a replacement: shared\n"));
    assertThat(shared).hasBinaryContent(old);
    assertThat(namesIn(directory)).containsExactly("shared");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dev/stdout", "-", "/dev/fd/1", "/proc/self/fd/1", "link"})
  void standardOutputIsWrittenToWhereverItGoes(String name) throws Exception {
    folder.write("keys", 4000);
    Files.createSymbolicLink(path("link"), Path.of("/dev/stdout"));
    folder.succeed("sort", "./keys", "-o", "./sorted", "--type", "u32", "-q");

    succeed("{ echo begin; $F sort keys -o %s --type u32; echo end; } > out".formatted(name));
    succeed("$F sort keys -o %s --type u32 | cat > piped".formatted(name));

    succeed("{ echo begin; cat sorted; echo end; } | cmp - out && cmp sorted piped");
    assertThat(Files.isSymbolicLink(Path.of("/dev/stdout"))).isTrue();
    assertThat(namesIn(temporary)).isEmpty();
  }

  @Test
  void otherDescriptorsDevicesAndFifosAreWrittenToAndStay() throws Exception {
    folder.write("keys", 4000);
    folder.succeed("sort", "./keys", "-o", "./sorted", "--type", "u32", "-q");
    folder.encode("keys", "shards");

    succeed("$F sort keys -o /dev/fd/3 --type u32 -q 3> third; cmp sorted third");
    succeed("mkfifo fifo; cat fifo > read & $F decode shards/* -o fifo -q; wait; cmp keys read");
    succeed("test -p fifo; $F sort keys -o /dev/null --type u32 -q; test -c /dev/null");
    succeed("$F decode shards/* -o /dev/stdout > decoded; cmp keys decoded");
    succeed("$F recode shards/* -o - > recoded; $F decode recoded shards/*.0[0-9].fst -o x -q");
    succeed("$F key encryption -o /dev/stdout | cat > key; chmod 600 key; $F key show key > shown");
    succeed("$F weights hamming:3 -o - | head -n 1 | cmp - <(echo weight,count)");
  }

  @Test
  void unverifiedOutputHasNoName() throws Exception {
    folder.write("file", 3_000_000);
    folder.encode("file", "shards");
    Process process =
        shell("exec $F decode shards/* -o - --threads 1")
            .redirectOutput(ProcessBuilder.Redirect.PIPE)
            .start();
    // The command has begun to write to a reader that stops reading.
    assertThat(process.getInputStream().read()).isGreaterThanOrEqualTo(0);

    assertThat(namesIn(temporary)).isEmpty();
    assertThat(BuiltCommand.terminate(process)).isEqualTo(143);
    assertThat(namesIn(temporary)).isEmpty();
  }

  /** Kills a command with SIGKILL; the next command removes its temporary files. */
  @Test
  void theNextCommandDeletesFilesOfAKilledCommand() throws Exception {
    folder.write("file", 5000);
    Process process = shell("exec $F encode - --name big -o shards").start();
    process.getOutputStream().write(new byte[1 << 20]);
    process.getOutputStream().flush();
    while (!Files.isDirectory(path("shards")) || namesIn(path("shards")).size() < 17) {
      assertThat(process.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    folder.succeed("sort", "./file", "-o", "./shards/sorted", "--type", "u32", "--payload", "1");
    assertThat(namesIn(path("shards"))).hasSize(18).contains("sorted");
    process.destroyForcibly();
    assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(namesIn(path("shards"))).hasSize(18);

    folder.encode("file", "shards", "--shards", "2");

    assertThat(namesIn(path("shards"))).containsExactly("file.00.fst", "file.01.fst", "sorted");
  }

  /** Ends the process at the move of one of four shards; inspecting them restores the old ones. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void shardsAreOldAgainAfterAProcessWasKilledBetweenThem(int move) throws Exception {
    folder.write("file", 50_000);
    folder.encode("file", "shards", "--shards", "4");
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

    folder.succeed(
        "inspect",
        "./shards/file.00.fst",
        "./shards/file.01.fst",
        "./shards/file.02.fst",
        "./shards/file.03.fst",
        "-q");
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
    folder.write("keys", 4000);
    for (String line :
        List.of(
            "sort keys --type u32 -o $'bad\\xff'", "crc $'bad\\xff'", "decode $'bad\\xff' -o x")) {
      Result result = run("printf x > $'bad\\xff'; $F " + line);
      assertThat(result)
          .isEqualTo(
              new Result(
                  2,
                  "",
                  "fieldstone: argument is not valid in the encoding of this locale, UTF-8:"
                      + " 'bad\uFFFD'\n"));
    }
    succeed(
        "rm $'bad\\xff'; test \"$(ls | cat)\" = \"$(printf 'keys\\ntmp\\ntmp.err\\ntmp.out')\"");
    // A file name may contain the character itself.
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

  /** Prints one line on a temporary file that cannot be deleted at the end. */
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

    assertThat(BuiltCommand.terminate(process)).isEqualTo(143);
    assertThat(Files.readString(path("tmp.err")).lines())
        .isNotEmpty()
        .allMatch(line -> line.startsWith("fieldstone: ") || line.startsWith("warning: "));
    assertThat(Files.readString(path("tmp.err"))).contains("cannot delete a temporary file: ");
  }
}
