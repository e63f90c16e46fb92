package io.fieldstone.bench.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.bench.measure.Processes;
import io.fieldstone.engine.memory.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class CommandTest {

  private static final String HEADING = "track,name,start ns,end ns,bytes";

  @TempDir private Path directory;

  private final Processes processes = new Processes();

  @AfterEach
  void close() {
    processes.close();
  }

  /** Makes a command of the shell; {@code $2} is the file of the timeline. */
  private Command command(String script, Optional<Path> output) {
    List<String> words = List.of("sh", "-c", script, "sh");
    return new Command(processes, "A command, 1 of 2", () -> words, output);
  }

  @Test
  void theTimelineHasTheStartAndTheEndOfTheProcess() {
    long before = System.currentTimeMillis() * 1_000_000;
    String script =
        "now=$(date +%s)000000000; end=$(date +%s)500000000;"
            + " printf '%s\\nfieldstone-encode-0,read,%s,%s,7\\nmain,hash,%s,%s,8\\n' '"
            + HEADING
            + "' $now $now $now $end > \"$2\"";
    List<Phase> phases = command(script, Optional.empty()).timeline(directory.resolve("phases"));

    assertThat(phases).extracting(Phase::name).containsExactly("start", "read", "hash", "end");
    assertThat(phases)
        .extracting(Phase::track)
        .containsExactly("process", "encode-0", "main", "process");
    assertThat(phases.getFirst().endNs()).isEqualTo(phases.get(1).startNs());
    assertThat(phases.getLast().startNs()).isEqualTo(phases.get(2).endNs());
    assertThat(phases.getLast().endNs()).isGreaterThanOrEqualTo(before);
  }

  @Test
  void aCommandWithoutStagesOnlyStarts() {
    List<Phase> phases =
        command("echo '" + HEADING + "' > \"$2\"", Optional.empty())
            .timeline(directory.resolve("phases"));
    assertThat(phases).extracting(Phase::name).containsExactly("start", "end");
    assertThat(phases.getFirst().durationNs()).isPositive();
  }

  @Test
  void aFailureNamesTheCommandAndItsMessage() {
    assertThatIllegalStateException()
        .isThrownBy(() ->
            command("echo no space >&2; exit 1", Optional.empty())
                .timeline(directory.resolve("phases")))
        .withMessage("'sh -c echo no space >&2; exit 1 sh' failed: no space");
  }

  @Test
  void aCommandThatIsStoppedHasNotFailed() throws Exception {
    Path started = directory.resolve("started");
    Command command = command("touch '" + started + "'; exec sleep 60", Optional.empty());
    CompletableFuture<List<Phase>> run =
        CompletableFuture.supplyAsync(() -> command.timeline(directory.resolve("phases")));
    while (Files.notExists(started)) {
      Thread.onSpinWait();
    }
    processes.close();
    assertThat(run)
        .failsWithin(30, TimeUnit.SECONDS)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void aCommandThatIsInterruptedHasNotFailed() {
    Command command = command("exec sleep 60", Optional.empty());
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(CancellationException.class)
        .isThrownBy(() -> command.timeline(directory.resolve("phases")));
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aMalformedTimelineIsAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            command("echo no phases > \"$2\"", Optional.empty())
                .timeline(directory.resolve("phases")));
  }

  @Test
  void writtenBytesAreThoseOfTheOutput() throws IOException {
    Path folder = Files.createDirectories(directory.resolve("folder/inner"));
    Files.write(folder.resolve("a"), new byte[10]);
    Path file = Files.write(folder.resolveSibling("b"), new byte[3]);

    assertThat(command("", Optional.empty()).writtenBytes()).isZero();
    assertThat(command("", Optional.of(file)).writtenBytes()).isEqualTo(3);
    assertThat(command("", Optional.of(folder.getParent())).writtenBytes()).isEqualTo(13);
  }

  @Test
  void theNameOfFilesHasNoSpaces() {
    assertThat(command("", Optional.empty()).fileName()).isEqualTo("a-command-1-of-2");
  }
}
