package io.fieldstone.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.testing.ChildJvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JointRunnerTest {

  private static final Engine ENGINE = Engine.open("cpu");

  @TempDir Path folder;

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private static JointWeights weights() {
    return JointWeights.of(ReferenceCodes.code("bch_31_11"), ENGINE);
  }

  /** Stops a run after a few steps, which grow, and goes on, until it is complete. */
  @ParameterizedTest
  @ValueSource(strings = {"cyclic", "transform", "orbits", "symmetric", "popcount", "dual"})
  void goesOnWhereItStopped(String method) throws IOException {
    Path file = folder.resolve("run.checkpoint");
    JointWeights weights =
        method.equals("dual")
            ? JointWeights.of(ReferenceCodes.code("bch_31_11").dual(), ENGINE)
            : weights();
    // Rows are many and slices few.
    int stepsAtOnce = method.equals("popcount") || method.equals("symmetric") ? 5 : 1;
    AtomicInteger stops = new AtomicInteger();
    JointWeightDistribution result = null;
    while (result == null) {
      AtomicInteger steps = new AtomicInteger();
      JointRunner runner =
          JointRunner.of(weights, (_, _, _) -> steps.incrementAndGet() < stepsAtOnce);
      try (Checkpoint checkpoint = Checkpoint.open(file, Duration.ofHours(1))) {
        result = runner.withCheckpoint(checkpoint).run(weights.plan(method));
        assertThat(file).exists();
        checkpoint.delete();
      } catch (CancellationException e) {
        assertThat(e).hasMessageContaining("stopped with");
        assertThat(file).exists();
        stops.incrementAndGet();
      }
    }
    assertThat(stops.get()).isPositive();
    assertThat(file).doesNotExist();
    JointWeightDistribution reference = ReferenceCodes.joint("bch_31_11");
    assertThat(result).isEqualTo(method.equals("dual") ? reference.dual() : reference);
  }

  @Test
  void refusesTheCheckpointOfAnotherRun() throws IOException {
    Path file = checkpoint();
    JointWeights other = JointWeights.of(ReferenceCodes.code("bch_31_16"), ENGINE);
    assertThatThrownBy(() -> resume(file, other))
        .isInstanceOf(MalformedCheckpointException.class)
        .hasMessageContaining("another run")
        .hasMessageContaining("(31,16)");
    assertThat(file).exists();
  }

  @Test
  void refusesADamagedCheckpoint() throws IOException {
    Path file = checkpoint();
    byte[] bytes = Files.readAllBytes(file);
    for (int place = 0; place < bytes.length; place += 97) {
      byte[] damaged = bytes.clone();
      damaged[place] ^= 4;
      Files.write(file, damaged);
      assertThatThrownBy(() -> resume(file)).hasMessageContaining("damaged");
    }
    Files.write(file, new byte[5]);
    assertThatThrownBy(() -> resume(file)).hasMessageContaining("damaged");
  }

  private static JointWeightDistribution resume(Path file) throws IOException {
    return resume(file, weights());
  }

  private static JointWeightDistribution resume(Path file, JointWeights weights)
      throws IOException {
    try (Checkpoint checkpoint = Checkpoint.open(file, Duration.ZERO)) {
      return JointRunner.of(weights, JointProgress.NONE)
          .withCheckpoint(checkpoint)
          .run(weights.plan("cyclic"));
    }
  }

  private Path checkpoint() throws IOException {
    Path file = folder.resolve("run.checkpoint");
    stop(file);
    return file;
  }

  /** Does one step. */
  private static void stop(Path file) throws IOException {
    JointWeights weights = weights();
    try (Checkpoint checkpoint = Checkpoint.open(file, Duration.ofHours(1))) {
      assertThatThrownBy(() ->
              JointRunner.of(weights, (_, _, _) -> false)
                  .withCheckpoint(checkpoint)
                  .run(weights.plan("cyclic")))
          .isInstanceOf(CancellationException.class);
    }
  }

  /** Ctrl-C interrupts the thread: its flag is set while the file is written. */
  @Test
  void anInterruptedRunIsSaved() throws IOException {
    Path file = folder.resolve("run.checkpoint");
    JointWeights weights = weights();
    try (Checkpoint checkpoint = Checkpoint.open(file, Duration.ofHours(1))) {
      assertThatThrownBy(() ->
              JointRunner.of(
                      weights,
                      (_, _, _) -> {
                        Thread.currentThread().interrupt();
                        return true;
                      })
                  .withCheckpoint(checkpoint)
                  .run(weights.plan("cyclic")))
          .isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(RunState.parse(file, Files.readAllBytes(file)).unitsDone()).isPositive();
    assertThat(resume(file)).isEqualTo(ReferenceCodes.joint("bch_31_11"));
  }

  /** A digest does not authenticate a file, so every number of it may be wrong. */
  @Test
  void refusesForgedStates() throws IOException {
    Path file = checkpoint();
    RunState state = RunState.parse(file, Files.readAllBytes(file));
    long[] more = state.numbers().clone();
    more[more.length / 2] += 12_345;
    long[] less = state.numbers().clone();
    less[1] = Long.MIN_VALUE;
    for (RunState forged :
        List.of(
            new RunState(state.method(), state.identity(), Long.MAX_VALUE, state.numbers()),
            new RunState(state.method(), state.identity(), -1, state.numbers()),
            new RunState(state.method(), state.identity(), 1 << 20, state.numbers()),
            new RunState(state.method(), state.identity(), 0, state.numbers()),
            new RunState(state.method(), state.identity(), state.unitsDone(), new long[0]),
            new RunState(state.method(), state.identity(), state.unitsDone(), new long[1000]),
            new RunState(state.method(), state.identity(), state.unitsDone(), more),
            new RunState(state.method(), state.identity(), state.unitsDone(), less))) {
      Files.write(file, forged.toBytes());
      assertThatThrownBy(() -> resume(file))
          .isInstanceOf(MalformedCheckpointException.class)
          .hasMessageMatching("[^\n]+" + Pattern.quote(": " + file));
    }
    Files.write(file, state.toBytes());
    assertThat(resume(file)).isEqualTo(ReferenceCodes.joint("bch_31_11"));
  }

  /** A count of numbers beyond the file allocates no memory. */
  @Test
  void refusesForgedCounts() throws IOException {
    Path file = checkpoint();
    byte[] bytes = Files.readAllBytes(file);
    RunState state = RunState.parse(file, bytes);
    int place = bytes.length - 32 - Long.BYTES * state.numbers().length - Integer.BYTES;
    for (int count : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 1}) {
      ByteBuffer forged = ByteBuffer.wrap(bytes.clone()).putInt(place, count);
      forged.put(bytes.length - 32, sha256(Arrays.copyOf(forged.array(), bytes.length - 32)));
      Files.write(file, forged.array());
      assertThatThrownBy(() -> resume(file)).isInstanceOf(MalformedCheckpointException.class);
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void linksAreNotWrittenThrough() throws IOException {
    Path file = folder.resolve("run.checkpoint");
    Path other = Files.writeString(folder.resolve("other"), "of someone else");
    Files.createSymbolicLink(folder.resolve("run.checkpoint.part"), other);

    stop(file);

    assertThat(file).isRegularFile();
    assertThat(other).hasContent("of someone else");
    Files.createSymbolicLink(folder.resolve("run.checkpoint.lock"), other);
    assertThatThrownBy(() -> Checkpoint.open(file, Duration.ZERO)).isInstanceOf(IOException.class);
    assertThat(other).hasContent("of someone else");
  }

  @Test
  void aCheckpointIsOfOneRunAtATime() throws IOException {
    Path file = checkpoint();
    try (Checkpoint checkpoint = Checkpoint.open(file, Duration.ZERO)) {
      assertThat(checkpoint.method()).contains("cyclic");
      assertThatThrownBy(() -> Checkpoint.open(file, Duration.ZERO))
          .isInstanceOf(IOException.class)
          .hasMessage("another run uses the checkpoint: " + file);
    }
    assertThat(resume(file)).isEqualTo(ReferenceCodes.joint("bch_31_11"));
    assertThat(names()).containsExactly("run.checkpoint");
  }

  @Test
  void aRefusedRunLeavesTheLockAgainstOtherProcesses() throws Exception {
    Path file = folder.resolve("run.checkpoint");
    try (Checkpoint _ = Checkpoint.open(file, Duration.ZERO)) {
      assertThatThrownBy(() -> Checkpoint.open(file, Duration.ZERO))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> ChildJvm.run(OpenCheckpoint.class, file.toString()))
          .hasMessageContaining("another run uses the checkpoint");
    }
    ChildJvm.run(OpenCheckpoint.class, file.toString());
  }

  /** Opens and closes a checkpoint. */
  static final class OpenCheckpoint {

    private OpenCheckpoint() {}

    public static void main(String[] args) throws IOException {
      Checkpoint.open(Path.of(args[0]), Duration.ZERO).close();
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** A directory where the file would be written stands in for a full disk. */
  @Test
  void aRunOutlastsACheckpointThatCannotBeWritten() throws IOException {
    Path file = folder.resolve("run.checkpoint");
    Path part = Files.createDirectory(folder.resolve("run.checkpoint.part"));
    Files.createFile(part.resolve("in it"));

    assertThat(resume(file)).isEqualTo(ReferenceCodes.joint("bch_31_11"));

    assertThat(names()).containsExactly("run.checkpoint.part");
    JointWeights weights = weights();
    try (Checkpoint checkpoint = Checkpoint.open(file, Duration.ofHours(1))) {
      assertThatThrownBy(() ->
              JointRunner.of(weights, (_, _, _) -> false)
                  .withCheckpoint(checkpoint)
                  .run(weights.plan("cyclic")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(part.toString());
    }
  }

  @Test
  void reportsProgress() throws IOException {
    JointWeights weights = weights();
    double[] last = {0};
    JointRunner.of(
            weights,
            (done, elapsed, left) -> {
              assertThat(done).isGreaterThan(last[0]).isLessThanOrEqualTo(1);
              assertThat(elapsed).isPositive();
              assertThat(left.isNegative()).isFalse();
              last[0] = done;
              return true;
            })
        .run(weights.plan("popcount"));
    assertThat(last[0]).isEqualTo(1);
  }

  @Test
  void stopsWhenInterrupted() {
    JointWeights weights = weights();
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () -> JointRunner.of(weights, JointProgress.NONE).run(weights.plan("cyclic")))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
