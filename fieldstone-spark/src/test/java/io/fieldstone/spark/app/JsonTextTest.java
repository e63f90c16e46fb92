package io.fieldstone.spark.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.spark.weights.WeightsForecast;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonTextTest {

  @Test
  void anAbsentComponentIsNull() {
    assertThat(JsonText.of(forecast(Optional.empty()))).contains("\"obstacle\" : null");
  }

  @Test
  void aPresentComponentIsItsValue() {
    assertThat(JsonText.of(forecast(Optional.of("too large"))))
        .contains("\"method\" : \"cyclic\"", "\"tasks\" : 2", "\"obstacle\" : \"too large\"")
        .doesNotContain("present", "text");
  }

  @Test
  void whatTerminalsObeyIsEscaped() {
    String hostile = "a\u001b[2J\u009b1m\u007f\u202e\n";
    assertThat(JsonText.of(new JsonText.Failure(hostile, 1)))
        .contains("a\\u001B[2J\\u009b1m\\u007f\\u202e\\n");
  }

  private static WeightsForecast forecast(Optional<String> obstacle) {
    return new WeightsForecast("cyclic", "orbits", 3, 2, 1, 0.5, 0.5, 1e6, obstacle);
  }
}
