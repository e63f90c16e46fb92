package io.fieldstone.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
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
          JointRunner.of(weights, (_, _, _) -> steps.incrementAndGet() < stepsAtOnce)
              .withCheckpoint(file, Duration.ofHours(1));
      try {
        result = runner.run(weights.plan(method));
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
    assertThatThrownBy(() ->
            JointRunner.of(other, JointProgress.NONE)
                .withCheckpoint(file, Duration.ZERO)
                .run(other.plan("cyclic")))
        .isInstanceOf(IOException.class)
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

  private static void resume(Path file) throws IOException {
    JointWeights weights = weights();
    JointRunner.of(weights, JointProgress.NONE)
        .withCheckpoint(file, Duration.ZERO)
        .run(weights.plan("cyclic"));
  }

  private Path checkpoint() throws IOException {
    Path file = folder.resolve("run.checkpoint");
    JointWeights weights = weights();
    assertThatThrownBy(() ->
            JointRunner.of(weights, (_, _, _) -> false)
                .withCheckpoint(file, Duration.ZERO)
                .run(weights.plan("cyclic")))
        .isInstanceOf(CancellationException.class);
    return file;
  }

  @Test
  void tellsHowFarItIs() throws IOException {
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
