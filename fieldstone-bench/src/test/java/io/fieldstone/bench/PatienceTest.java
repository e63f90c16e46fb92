package io.fieldstone.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PatienceTest {

  @Test
  void whatWouldTakeLongIsLeftOut() {
    Patience patience = new Patience(0.5);
    assertThat(patience.allows("slow", 1e18)).as("nothing is known yet").isTrue();
    patience.learn(
        List.of("slow", "missing"),
        new Results(List.of(new Measurement("slow", 1000, 3, 100, 200))));
    // 5 units a nanosecond: 2.5e9 in half a second.
    assertThat(patience.allows("slow", 2.4e9)).isTrue();
    assertThat(patience.allows("slow", 2.6e9)).isFalse();
    assertThat(patience.allows("missing", 1e18)).isTrue();
  }
}
