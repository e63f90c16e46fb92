package io.fieldstone.spark.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.spark.LocalSpark;
import io.fieldstone.weights.JointProgress;
import io.fieldstone.weights.JointRunner;
import io.fieldstone.weights.JointWeightDistribution;
import io.fieldstone.weights.JointWeights;
import io.fieldstone.weights.MalformedCheckpointException;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WeightsJobTest {

  @TempDir Path folder;

  private static JointWeightDistribution plain(BinaryCode code, String method) throws Exception {
    try (Engine engine = Engine.open("cpu")) {
      JointWeights weights = JointWeights.of(code, engine);
      return JointRunner.of(weights, JointProgress.NONE).run(weights.plan(method));
    }
  }

  private static WeightsJob job(BinaryCode code, String method) {
    return WeightsJob.of(LocalSpark.CONTEXT, code).withMethod(method);
  }

  @ParameterizedTest
  @CsvSource({
    "bch:31-11, transform",
    "bch:31-11, cyclic",
    "bch:15-7, symmetric",
    "bch:15-11, dual"
  })
  void tasksGiveTheCountsOfThePlainCommand(String name, String method) throws Exception {
    BinaryCode code = CodeFamily.parse(name.replace('-', ','));
    assertThat(job(code, method).run().entries()).isEqualTo(plain(code, method).entries());
  }

  @Test
  void theCostOfALargeCodeIsPredicted() throws Exception {
    WeightsForecast large = job(CodeFamily.parse("bch:127,50"), "auto").forecast();
    assertThat(large.method()).isEqualTo("cyclic");
    assertThat(large.units()).isGreaterThan(100_000);
    assertThat(large.tasks()).isEqualTo(16);
    assertThat(large.coreHours()).isGreaterThan(10);
    assertThat(large.hours()).isEqualTo(large.coreHours() / 2);
    assertThat(large.obstacle()).isPresent();
    assertThat(large.text()).contains("core hours", "cannot run: transforms of 2^49 words");
    assertThatThrownBy(() -> job(CodeFamily.parse("bch:127,50"), "auto").run())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("too large");

    WeightsForecast small = job(CodeFamily.parse("bch:31,11"), "cyclic").forecast();
    assertThat(small.obstacle()).isEmpty();
    assertThat(small.tasks()).isEqualTo(10);
  }

  /** A driver that is killed after a round leaves the checkpoint of that round. */
  @Test
  void aCheckpointIsContinued() throws Exception {
    BinaryCode code = CodeFamily.parse("bch:31,11");
    Path checkpoint = folder.resolve("checkpoint");
    WeightsJob job = job(code, "cyclic").withCheckpoint(checkpoint.toString());
    assertThatThrownBy(() ->
            job.withProgress(
                    done -> {
                      throw new IllegalStateException("killed after " + done);
                    })
                .run())
        .hasMessageStartingWith("killed after");
    assertThat(checkpoint).exists();
    assertThat(job.withMethod("auto").run().entries()).isEqualTo(plain(code, "cyclic").entries());

    WeightsJob other = job(CodeFamily.parse("bch:31,16"), "cyclic");
    assertThatThrownBy(() -> other.withCheckpoint(checkpoint.toString()).run())
        .isInstanceOf(MalformedCheckpointException.class);
    Files.write(checkpoint, new byte[100]);
    assertThatThrownBy(job::run).isInstanceOf(MalformedCheckpointException.class);
  }
}
