package io.fieldstone.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.weights.ErrorCurve;
import io.fieldstone.weights.JointProgress;
import io.fieldstone.weights.JointRunner;
import io.fieldstone.weights.JointWeights;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorCurveChartTest {

  /** A simulated point without ten failures is not drawn, and a series without points neither. */
  @Test
  void theChartHasBoundsAndSimulationsWithEnoughFailures() throws Exception {
    BinaryCode code = CodeFamily.parse("bch:15,5");
    try (Engine engine = Engine.open("cpu:scalar")) {
      JointWeights weights = JointWeights.of(code, engine);
      ErrorCurve curve =
          new ErrorCurve(
              code, JointRunner.of(weights, JointProgress.NONE).run(weights.plan("naive")));
      List<ErrorCurve.Point> points =
          List.of(
              curve.point(0.001, 0),
              curve.point(0.001, 0.9),
              curve.point(0.1, 0),
              curve.point(0.1, 0.9));
      List<Chart.Series> series = ((Chart.Lines) ErrorCurveChart.of(curve, points)).series();
      assertThat(series)
          .extracting(Chart.Series::name)
          .containsExactly(
              "one receiver",
              "one receiver, simulated",
              "both, correlation 0.0",
              "both, correlation 0.0, simulated",
              "both, correlation 0.9",
              "both, correlation 0.9, simulated");
      assertThat(series.get(0).xs()).containsExactly(0.001, 0.1);
      assertThat(series.get(1).xs()).containsExactly(0.1);
      assertThat(series.get(1).fromPaper()).isTrue();
      assertThat(series.get(4).ys().getLast()).isEqualTo(points.get(3).bothBound());
      assertThat(series.get(5).ys()).containsExactly(points.get(3).bothSimulated().orElseThrow());
    }
  }
}
