package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code ./fieldstone} as a user does. */
class LauncherIT {
  private static final Path HOME = Path.of(System.getProperty("fieldstone.home"));

  @TempDir Path directory;

  @Test
  void runsFromAnyDirectoryThroughALinkWithoutOutputOfTheJvm() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("linked"), HOME.resolve("fieldstone"));

    Result result = run("./" + link.getFileName(), "--version");
    Files.delete(link);

    assertThat(result.err()).isEmpty();
    assertThat(result.out()).startsWith("fieldstone ");
    assertThat(result.status()).isZero();
  }

  @Test
  void passesUsageErrorsOn() throws Exception {
    Result result = run(HOME.resolve("fieldstone").toString(), "--no-such-option");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
  }

  /** An empty file would mean that the training or the JVM failed. */
  @Test
  void makesTheCacheOfClasses() throws Exception {
    assertThat(run(HOME.resolve("fieldstone").toString(), "--version").status()).isZero();
    assertThat(run(HOME.resolve("fieldstone").toString(), "fetch", "--help").status()).isZero();

    assertThat(HOME.resolve("fieldstone-cli/target/app/files.aot")).isNotEmptyFile();
    assertThat(HOME.resolve("fieldstone-cli/target/app/network.aot")).isNotEmptyFile();
  }

  @Test
  void theSecondCompilerRunsOnlyWhereJavaDoesTheWork() throws Exception {
    String file = Files.write(directory.resolve("file"), new byte[10]).toString();

    assumeThat(Path.of("/proc/cpuinfo")).content().containsPattern("\\b(avx2|asimd)\\b");

    assertThat(printedFlags("crc", file)).contains("-XX:TieredStopAtLevel=1");
    assertThat(printedFlags("crc", "--method", "bitwise", file)).doesNotContain("TieredStopAt");
    assertThat(printedFlags("sort", file, "--check", "--type", "u32"))
        .doesNotContain("TieredStopAt");
  }

  private String printedFlags(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("env", "FIELDSTONE_JAVA_OPTS=-XX:+PrintCommandLineFlags"));
    command.add(HOME.resolve("fieldstone").toString());
    command.addAll(List.of(arguments));
    String out = run(command.toArray(String[]::new)).out();
    assertThat(out).contains("-XX:");
    return out;
  }

  /** In a copy of the launcher without a build, where Maven fails. */
  @Test
  void theFirstBuildIsAnnounced() throws Exception {
    Path clone = Files.createDirectory(directory.resolve("clone"));
    // This JVM writes no program: Linux runs none that a process has open for writing, and one that
    // a parallel test starts meanwhile inherits open files.
    String launcher = HOME.resolve("fieldstone").toString();
    assertThat(run("cp", launcher, clone.toString()).status()).isZero();
    String script = "printf '#!/bin/sh\\necho offline\\nexit 1\\n' >mvn && chmod +x mvn";
    assertThat(run("sh", "-c", "cd '" + clone + "' && " + script).status()).isZero();

    Result result =
        run(
            "env",
            "PATH=" + clone + ":" + System.getenv("PATH"),
            "FIELDSTONE_BUILD=",
            clone.resolve("fieldstone").toString(),
            "--version");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    List<String> lines = result.err().lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.getFirst())
        .startsWith("a released fieldstone-VERSION-OS-ARCH.tar.gz needs no");
    assertThat(lines.get(1)).startsWith("first build, with /").contains("minutes", "build.log");
    assertThat(lines.get(2)).isEqualTo("offline");
    assertThat(lines.getLast()).startsWith("fieldstone: the build failed; see /");
  }

  /** Not through the launcher, which would load it. */
  @Test
  void withoutVectorsAndNativeKernelsWordsDoTheWorkAndSayWhy() throws Exception {
    Path source = Files.write(directory.resolve("source"), new byte[100_000]);
    Result result =
        run(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Dfieldstone.native=off",
            "-cp",
            HOME.resolve("fieldstone-cli/target/app/lib") + "/*",
            "io.fieldstone.cli.Main",
            "encode",
            source.toString(),
            "-v",
            "-o",
            directory.resolve("shards").toString());

    assertThat(result.status()).isZero();
    assertThat(result.err().lines().filter(line -> line.startsWith("warning: ")))
        .singleElement()
        .asString()
        .startsWith("warning: engine cpu: network coding is about ")
        .endsWith("started without --add-modules jdk.incubator.vector");
    assertThat(result.out()).contains("words of eight symbols", "no native kernels, because");
  }

  private Result run(String... command) throws IOException, InterruptedException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    Process process =
        new ProcessBuilder(List.of(command))
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    return new Result(process.waitFor(), Files.readString(out), Files.readString(err));
  }

  private record Result(int status, String out, String err) {}
}
