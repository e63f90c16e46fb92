package io.fieldstone.bench.stars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.engine.stars.StarSearch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StarTrialTest {

  /** One point of twenty examines three cells of two: all take 20/6 times as long, and not 20. */
  @Test
  void predictsByTheExaminedSensors() {
    double[] x = IntStream.range(0, 20).mapToDouble(i -> 5 * i).toArray();
    StarField field = new StarField(x, new double[20], 5, StarRule.CIRCUMCIRCLE);
    try (Engine engine = Engine.open("cpu:scalar");
        StarSearch search = engine.stars().search(field, "sequential")) {
      StarTrial part = StarTrial.ofPart(search, 8, 1, 3, 7);
      assertThat(part.seconds()).isCloseTo(10, within(1e-9));
      assertThat(part.share()).isEqualTo(0.05);
      assertThat(part.wholeResult()).isCloseTo(140, within(1e-9));
      assertThat(part.millis().text()).startsWith("≈ ");
      StarTrial whole = StarTrial.ofPart(search, 0, 20, 3, 7);
      assertThat(whole.seconds()).isEqualTo(3);
      assertThat(whole.millis().text()).doesNotContain("≈");
      assertThat(StarTrial.of(search, StarWork.COUNT, 10, 1, 0).share()).isEqualTo(0.1);
    }
  }
}
