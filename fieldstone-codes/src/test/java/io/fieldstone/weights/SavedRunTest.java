package io.fieldstone.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that are divided, and saved in between. */
class SavedRunTest {

  private static final Engine ENGINE = Engine.open("cpu");
  private static final Path NAME = Path.of("state");
  private static final BinaryCode CODE = CodeFamily.parse("bch:31,11");

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private static JointPlan plan(BinaryCode code, String method) {
    return JointWeights.of(code, ENGINE).plan(method);
  }

  private static JointWeightDistribution whole(JointPlan plan) {
    try (JointRun run = plan.newRun()) {
      while (run.unitsDone() < run.units()) {
        run.step(run.units());
      }
      return run.result();
    }
  }

  private static long[] part(JointPlan plan, long first, long units) {
    try (JointRun run = plan.newPart(first, units)) {
      assertThat(run.unitsDone()).isEqualTo(first);
      while (run.unitsDone() < first + units) {
        run.step(first + units - run.unitsDone());
      }
      return run.state();
    }
  }

  /** The second half is added first; the state is saved and restored before the other. */
  @ParameterizedTest
  @ValueSource(strings = {"cyclic", "transform", "dual", "symmetric", "popcount"})
  void partsAddUpInAnyOrder(String method) throws IOException {
    BinaryCode code = method.equals("dual") ? CodeFamily.parse("bch:15,11") : CODE;
    JointPlan plan = plan(code, method);
    byte[] saved;
    long units;
    long half;
    try (JointRun run = plan.newRun()) {
      units = run.units();
      half = units / 2;
      if (half < units) {
        run.add(units - half, part(plan, half, units - half));
      }
      saved = SavedRun.save(code, plan.method(), run);
    }
    assertThat(SavedRun.method(NAME, saved)).isEqualTo(method);
    try (JointRun run = plan.newRun()) {
      SavedRun.restore(NAME, saved, code, plan.method(), run);
      assertThat(run.unitsDone()).isEqualTo(units - half);
      if (half > 0) {
        run.add(half, part(plan, 0, half));
      }
      assertThat(run.result()).isEqualTo(whole(plan));
      long[] state = run.state();
      assertThatThrownBy(() -> run.add(1, state)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aStateOfAnotherCodeOrOfNoneIsRefused() throws IOException {
    byte[] saved;
    try (JointRun run = plan(CODE, "cyclic").newRun()) {
      saved = SavedRun.save(CODE, "cyclic", run);
    }
    BinaryCode other = CodeFamily.parse("bch:31,16");
    try (JointRun run = plan(other, "cyclic").newRun()) {
      assertThatThrownBy(() -> SavedRun.restore(NAME, saved, other, "cyclic", run))
          .isInstanceOf(MalformedCheckpointException.class);
    }
    assertThatThrownBy(() -> SavedRun.method(NAME, new byte[100]))
        .isInstanceOf(MalformedCheckpointException.class)
        .hasMessageContaining("state");
  }

  /** A part of a transform holds its own slices only. */
  @Test
  void costsOfPartsArePredicted() {
    JointPlan plan = plan(CODE, "cyclic");
    assertThat(plan.predictedSeconds(10)).isGreaterThan(plan.predictedSeconds(1));
    assertThat(plan.units()).isEqualTo(10);
    assertThat(plan.unitBytes()).isPositive();
  }
}
