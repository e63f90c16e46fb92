package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.BuiltCommand.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Checks checkpoints of processes that are stopped, killed, or run concurrently. */
@EnabledOnOs(OS.LINUX)
class WeightsIT {

  /** A command that runs for some seconds. */
  private static final String[] JOB = {
    "weights", "bch:63,18", "--joint", "--method", "popcount", "--resume", "cp", "-o", "out.csv"
  };

  private static final int MAX_STOPS = 4;

  @TempDir Path directory;

  private BuiltCommand built;

  @BeforeEach
  void findTheCommand() {
    built = new BuiltCommand(directory);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Starts the command with default signal handlers. */
  private Process start() throws IOException {
    ProcessBuilder builder = built.process("", JOB);
    List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT,TERM"));
    words.addAll(builder.command());
    return builder.command(words).redirectErrorStream(true).start();
  }

  /** Waits until a run has locked its checkpoint or has ended. */
  private void awaitLock(Process process) throws InterruptedException {
    while (process.isAlive() && !Files.exists(directory.resolve("cp.lock"))) {
      Thread.sleep(1);
    }
  }

  @Test
  void everySignalSavesTheRun() throws Exception {
    SplittableRandom random = new SplittableRandom(15);
    int stops = 0;
    int saved = 0;
    Process process = start();
    while (stops < MAX_STOPS) {
      boolean isTerm = random.nextBoolean();
      awaitLock(process);
      // Longer each time: on a busy machine the first unit may take seconds.
      long wait = 1500L * stops + random.nextInt(500);
      if (process.waitFor(wait, TimeUnit.MILLISECONDS)) {
        break;
      }
      new ProcessBuilder("kill", isTerm ? "-TERM" : "-INT", Long.toString(process.pid()))
          .start()
          .waitFor();
      if (process.waitFor() == 0) {
        break; // It had ended before the signal.
      }
      assertThat(process.exitValue()).isEqualTo(isTerm ? 143 : 130);
      stops++;
      saved += Files.exists(directory.resolve("cp")) ? 1 : 0;
      assertThat(names()).isSubsetOf("cp", "tmp");
      process = start();
    }
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();

    assertThat(saved).isPositive();
    assertThat(names()).containsExactly("out.csv", "tmp");
    assertThat(Files.readString(directory.resolve("out.csv")))
        .isEqualTo(RunOf.fieldstone("weights", "bch:63,18", "--joint").out());
  }

  @Test
  void twoRunsOnOneCheckpointAreRefused() throws Exception {
    Process first = start();
    awaitLock(first);

    Result second = built.run(JOB);

    assertThat(second.status()).isEqualTo(1);
    assertThat(second.err()).matches("fieldstone: another run uses the checkpoint: .*cp\n");
    assertThat(BuiltCommand.terminate(first)).isEqualTo(143);
    assertThat(names()).isSubsetOf("cp", "tmp");
  }

  /** A limit on the size of files simulates a full disk: the checkpoint fits, the CSV does not. */
  @Test
  void theCheckpointStaysUntilTheResultIsStored() throws Exception {
    String[] job = {"weights", "bch:127,22", "--joint", "-q", "--resume", "cp", "-o", "out.csv"};

    Result full = built.run(built.inShell("ulimit -f 4; exec \"$@\"", job));

    assertThat(full.status()).isEqualTo(1);
    assertThat(full.err()).matches("fieldstone: file too large: out.csv\n");
    assertThat(names()).containsExactly("cp", "tmp");
    byte[] state = Files.readAllBytes(directory.resolve("cp"));
    String[] toFull = {"weights", "bch:127,22", "--joint", "--resume", "cp"};
    Result unprinted = built.run(built.inShell("exec \"$@\" >/dev/full", toFull));
    assertThat(unprinted.status()).isEqualTo(1);
    assertThat(unprinted.err()).endsWith("fieldstone: no space left on device: standard output\n");
    assertThat(Files.readAllBytes(directory.resolve("cp"))).isEqualTo(state);
    assertThat(built.run(job)).isEqualTo(new Result(0, "", ""));
    assertThat(names()).containsExactly("out.csv", "tmp");
    assertThat(Files.readString(directory.resolve("out.csv")))
        .isEqualTo(RunOf.fieldstone("weights", "bch:127,22", "--joint").out());
  }
}
