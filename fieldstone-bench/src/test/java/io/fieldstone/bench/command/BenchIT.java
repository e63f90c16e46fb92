package io.fieldstone.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.BuiltCommand;
import io.fieldstone.cli.TestFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code ./fieldstone bench} as a user does. */
class BenchIT {

  /** The work directory of every command; temporary files go into {@code tmp} in it. */
  @TempDir Path directory;

  private BuiltCommand built;
  private TestFolder folder;

  @BeforeEach
  void findTheCommand() {
    built = new BuiltCommand(directory);
    folder = new TestFolder(directory);
  }

  /** The command starts without the Vector API, which some benchmarks use. */
  @Test
  void helpNamesTheBenchmarks() throws Exception {
    BuiltCommand.Result result = built.run("bench", "--help");
    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("ceilings, cpu, files,");
  }

  @Test
  void measuresWholeCommands() throws Exception {
    BuiltCommand.Result result =
        built.run(
            "bench",
            "files",
            "--quick",
            "--bytes",
            "100000",
            "--threads",
            "2",
            "--folder",
            directory.toString(),
            "--engine",
            "cpu",
            "-o",
            directory.resolve("report").toString());

    assertThat(result.status()).isZero();
    assertThat(result.out())
        .contains("Whole commands on a file of 100,000 bytes")
        .containsPattern("crc -a CRC-64/XZ +[0-9.]+ ")
        .containsPattern("decode, 5 lost .* compute [0-9.]+, ")
        .containsPattern("sort u32 .* sort [0-9.]+, ");
    assertThat(directory.resolve("report/files.md"))
        .content()
        .contains("random bytes in " + directory + " (")
        .contains("--bytes 100000 --folder " + directory + " --engine cpu --threads 2")
        .contains(
            "![encode, any 11 of 16: 0 MiB, 2 threads](files-timeline-encode-any-11-of-16.svg)");
    assertThat(directory.resolve("report/files-timeline-decode-5-lost.svg"))
        .content()
        .contains("decode-0, compute: ");
    assertThat(directory).isDirectoryNotContaining("glob:**/fieldstone-bench-*");
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aSignalEndsTheProcessesOfABenchmarkAndDeletesItsFiles() throws Exception {
    Process bench =
        built.process("", "bench", "net", "--section", "loopback", "--quick").inheritIO().start();
    List<ProcessHandle> servers = List.of();
    try {
      while (servers.size() < 2) {
        assertThat(bench.isAlive()).isTrue();
        Thread.onSpinWait();
        if (hasStartedTransfers()) {
          servers = bench.children().toList();
        }
      }

      assertThat(BuiltCommand.terminate(bench)).isEqualTo(143);
      assertThat(servers).noneMatch(ProcessHandle::isAlive);
      assertThat(folder.namesIn("tmp")).isEmpty();
    } finally {
      servers.forEach(ProcessHandle::destroyForcibly);
      bench.destroyForcibly();
    }
  }

  /** Tests whether a benchmark has made the folder of its first transfer. */
  private boolean hasStartedTransfers() throws Exception {
    for (String name : folder.namesIn("tmp")) {
      if (Files.exists(directory.resolve("tmp").resolve(name).resolve("run0"))) {
        return true;
      }
    }
    return false;
  }
}
