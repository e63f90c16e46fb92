package io.fieldstone.spark.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.Subsets;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.spark.ExecutorEngine;
import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.LocalSpark;
import io.fieldstone.weights.codes.CodeFamily;
import io.fieldstone.weights.distance.DistanceProof;
import io.fieldstone.weights.distance.WordSpace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DistanceJobTest {

  @TempDir Path folder;

  private static DistanceJob job(String code) {
    return DistanceJob.of(LocalSpark.CONTEXT, WordSpace.of(CodeFamily.parse(code)))
        .withSearch(Duration.ofMillis(1));
  }

  /** A random code, with passes that are divided into tasks, and a code whose passes are not. */
  @Test
  void provesThatOfThePlainCommand() throws Exception {
    assertThat(job("golay:24").run().lower()).isEqualTo(8);
    SplittableRandom random = new SplittableRandom(1);
    WordSpace space =
        WordSpace.ofGenerator(Gf2Matrix.generate(52, 104, (_, _) -> random.nextInt(2)));
    DistanceProof.Bounds bounds =
        DistanceJob.of(LocalSpark.CONTEXT, space).withSearch(Duration.ofMillis(1)).run();
    assertThat(bounds.isProven()).isTrue();
    assertThat(bounds.sums()).isGreaterThan(1e7);
    assertThat(space.contains(bounds.lightest().orElseThrow())).isTrue();
    try (Engine engine = Engine.open("cpu")) {
      assertThat(DistanceProof.of(engine, space, List.of()).run(_ -> true).lower())
          .isEqualTo(bounds.lower());
    }
  }

  /** Ranges of sums that are divided into tasks, and the first of equals. */
  @Test
  void tasksFindTheSumOfTheEngine() {
    SplittableRandom random = new SplittableRandom(2);
    long[][] words = new long[70][2];
    for (long[] word : words) {
      word[0] = random.nextLong() >>> 24;
      word[1] = random.nextLong(4);
    }
    LabelledWords rows = LabelledWords.of(words, 40, 2);
    LightSums cluster = ClusterSums.engine(LocalSpark.CONTEXT, ExecutorEngine.AUTO).lightSums();
    long all = Subsets.exact(70, 5);
    try (Engine engine = Engine.open("cpu")) {
      for (int maxWeight : new int[] {40, 1, 0}) {
        assertThat(cluster.lightest(rows, 5, 3, all - 7, maxWeight))
            .isEqualTo(engine.lightSums().lightest(rows, 5, 3, all - 7, maxWeight));
      }
      assertThat(cluster.light(rows, 2, 0, 1000, 12, 1000).orElseThrow())
          .isEqualTo(engine.lightSums().light(rows, 2, 0, 1000, 12, 1000).orElseThrow())
          .isNotEmpty();
      assertThat(cluster.lightest(rows, 5, 3, 1000, 12))
          .isEqualTo(engine.lightSums().lightest(rows, 5, 3, 1000, 12));
    }
  }

  @Test
  void predictsTheCost() {
    DistanceForecast forecast = job("bch:127,64").forecast(weight -> weight);

    assertThat(forecast.cores()).isEqualTo(2);
    assertThat(forecast.sums()).isGreaterThan(1e10);
    assertThat(forecast.hours()).isEqualTo(forecast.coreHours() / 2);
    assertThat(forecast.text())
        .startsWith("d ≤ ")
        .contains("orbits: sums of up to ", "hours on 2 cores");
  }

  /** A driver that is killed after a round leaves the checkpoint of that round. */
  @Test
  void aCheckpointIsContinued() throws Exception {
    Path checkpoint = folder.resolve("checkpoint");
    DistanceJob job = job("bch:63,30").withCheckpoint(checkpoint.toString());
    assertThatThrownBy(() ->
            job.withProgress(
                    bounds -> {
                      throw new IllegalStateException("killed at " + bounds.lower());
                    })
                .run())
        .hasMessageStartingWith("killed at ");
    assertThat(checkpoint).exists();
    assertThat(job.run().lower()).isEqualTo(13);

    assertThatThrownBy(() -> job("golay:24").withCheckpoint(checkpoint.toString()).run())
        .isInstanceOf(JobFailedException.class)
        .hasMessageEndingWith("a checkpoint of another code, or with other permutations");
    Files.write(checkpoint, new byte[100]);
    assertThatThrownBy(job::run)
        .isInstanceOf(JobFailedException.class)
        .hasMessageEndingWith("not a checkpoint of a distance");
  }
}
