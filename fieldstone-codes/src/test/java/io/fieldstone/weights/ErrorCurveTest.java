package io.fieldstone.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.weights.codes.CodeFamily;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorCurveTest {

  @Test
  void aRangeHasEqualRatios() {
    List<Double> range = ErrorCurve.range(0.001, 0.1);
    assertThat(range).hasSize(ErrorCurve.STEPS).startsWith(0.001).isSorted();
    assertThat(range.getLast()).isEqualTo(0.1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ErrorCurve.range(0.1, 0.001))
        .withMessage("probabilities from 0.1 to 0.001 are not ascending between 0 and 1");
  }

  @Test
  void thePointsHaveAllCorrelations() throws Exception {
    try (Engine engine = Engine.open("cpu:scalar")) {
      JointWeights weights = JointWeights.of(CodeFamily.parse("bch:15,5"), engine);
      ErrorCurve curve =
          new ErrorCurve(
              weights.code(),
              JointRunner.of(weights, JointProgress.NONE).run(weights.plan("naive")));
      List<ErrorCurve.Point> points = curve.points(List.of(0.01, 0.1));
      assertThat(points)
          .extracting(ErrorCurve.Point::correlation)
          .containsExactly(0.0, 0.5, 0.9, 0.0, 0.5, 0.9);
      // Both fail together the more often, the more their errors are correlated.
      assertThat(points.subList(0, 3)).extracting(ErrorCurve.Point::bothBound).isSorted();
      assertThat(ErrorCurve.csv(points).lines()).hasSize(7);
      assertThat(ErrorCurve.csv(points))
          .startsWith("bit_error,correlation,one_bound,one_simulated,both_bound,both_simulated\n");
    }
  }
}
