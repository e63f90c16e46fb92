package io.fieldstone.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarRule;
import io.fieldstone.engine.StarSearch;
import org.junit.jupiter.api.Test;

class CpuStarsTest {

  /** An equilateral triangle, small enough for one relay, is one star by either rule. */
  @Test
  void findsOneStar() {
    double[] xs = {0, 60, 30};
    double[] ys = {0, 0, 52};
    try (Engine engine = Engine.open("cpu")) {
      for (StarRule rule : StarRule.values()) {
        StarField field = new StarField(xs, ys, 50, rule);
        for (String method : engine.stars().methods(field)) {
          try (StarSearch search = engine.stars().search(field, method)) {
            assertThat(search.count()).as(method).isOne();
            assertThat(search.method()).isEqualTo(method);
            search.enumerate(batch ->
                batch.forEach((lowest, second, third) ->
                    assertThat(new int[] {lowest, second, third}).containsExactly(0, 1, 2)));
          }
        }
      }
    }
  }

  @Test
  void namesTheMethodsThereAre() {
    StarField empty = new StarField(new double[0], new double[0], 1, StarRule.CIRCUMCIRCLE);
    try (Engine engine = Engine.open("cpu:scalar")) {
      assertThat(engine.stars().methods(empty)).containsExactly("sequential");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.stars().search(empty, "quick"))
          .withMessageContaining("'quick'")
          .withMessageContaining("sequential");
    }
  }
}
