package io.fieldstone.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DelayTrialTest {

  private final Engine engine = Engine.open("cpu:scalar");

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void withoutLossTheFirstFrameOfAPipelineIsThereAtOnceAndAWholeGenerationIsNot() {
    DelaySettings settings = new DelaySettings(16, 10, 0, 0.25, 1);

    DelayReport pipeline = DelayTrial.pipeline(engine, settings);
    DelayReport whole = DelayTrial.wholeGenerations(engine, settings);

    assertThat(pipeline.lost()).isZero();
    assertThat(whole.lost()).isZero();
    assertThat(pipeline.byPosition().getFirst()).isZero();
    // 20 ticks until the generation is complete, then 16 packets; a frame takes 1.25 ticks.
    assertThat(whole.byPosition().getFirst()).isGreaterThanOrEqualTo((20 + 15) / 1.25);
    assertThat(pipeline.mean()).isLessThan(whole.mean() / 4);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64})
  void thePipelineHasTheSmallerMeanDelayWithLoss(int frames) {
    DelaySettings settings = new DelaySettings(frames, 640 / frames, 0.2, 0.5, 1);

    DelayReport pipeline = DelayTrial.pipeline(engine, settings);
    DelayReport whole = DelayTrial.wholeGenerations(engine, settings);

    assertThat(pipeline.frames()).isEqualTo(whole.frames());
    assertThat(pipeline.mean()).isLessThan(whole.mean());
    assertThat(pipeline.quantile(0.5)).isLessThanOrEqualTo(pipeline.quantile(0.99));
    assertThat(pipeline.quantile(0.99)).isLessThanOrEqualTo(pipeline.quantile(1));
  }

  @Test
  void aWindowDelaysNothingWithoutLossAndLosesNothingWithIt() {
    DelaySettings clean = new DelaySettings(16, 10, 0, 0.25, 1);
    DelayReport undisturbed = DelayTrial.window(engine, clean);
    assertThat(undisturbed.lost()).isZero();
    assertThat(undisturbed.quantile(1)).isLessThan(1); // up to a tick

    DelaySettings lossy = new DelaySettings(64, 100, 0.2, 0.5, 1);
    DelayReport window = DelayTrial.window(engine, lossy);
    DelayReport pipeline = DelayTrial.pipeline(engine, lossy);
    assertThat(window.frames()).isEqualTo(pipeline.frames());
    // The frames that the pipeline code loses at the end of a generation have no delay.
    assertThat(window.lost()).isZero();
    assertThat(pipeline.lost()).isPositive();
    assertThat(window.mean()).isLessThan(1.25 * pipeline.mean());
  }

  @Test
  void aWindowThatIsNotRepairedLosesWhatIsLost() {
    DelaySettings settings = new DelaySettings(16, 50, 0.2, 0, 1);
    DelayReport window = DelayTrial.window(engine, settings);
    assertThat(window.lost()).isBetween(100L, 250L);
  }

  /**
   * The redundancy is that of the demonstration: sufficient for the loss on average, and a tenth.
   */
  @Test
  void framesArriveWhenTheCodeNeedsThem() {
    for (int percent = 1; percent < 95; percent++) {
      double loss = percent / 100.0;
      DelaySettings settings = new DelaySettings(64, 2, loss, 1.2 / (1 - loss) - 1, 1);
      assertThat(DelayTrial.pipeline(engine, settings).frames()).isEqualTo(128);
    }
  }

  @Test
  void aRunDependsOnItsSettingsAlone() {
    DelaySettings settings = new DelaySettings(16, 10, 0.3, 0.6, 5);

    DelayReport one = DelayTrial.pipeline(engine, settings);
    DelayReport two = DelayTrial.pipeline(engine, settings);
    DelayReport other = DelayTrial.pipeline(engine, new DelaySettings(16, 10, 0.3, 0.6, 6));

    assertThat(two.byPosition()).isEqualTo(one.byPosition());
    assertThat(other.byPosition()).isNotEqualTo(one.byPosition());
  }

  @Test
  void framesAreLostWithoutRedundancy() {
    DelayReport report = DelayTrial.wholeGenerations(engine, new DelaySettings(16, 10, 0.5, 0, 1));

    assertThat(report.lost()).isPositive();
    assertThat(report.frames()).isEqualTo(160);
  }
}
