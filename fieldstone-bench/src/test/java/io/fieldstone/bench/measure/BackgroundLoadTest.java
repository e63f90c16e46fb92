package io.fieldstone.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class BackgroundLoadTest {

  @Test
  void asManyThreadsWorkAsAreWanted() {
    try (BackgroundLoad load = new BackgroundLoad(3)) {
      load.set(2);
      while (load.passes().stream().filter(passes -> passes > 0).count() < 2) {
        Thread.onSpinWait();
      }
      load.set(0);
      List<Long> passes = load.passes();
      assertThat(passes.get(2)).isZero();

      load.set(0);
      assertThat(load.passes()).as("nobody works").isEqualTo(passes);

      load.set(3);
      while (load.passes().get(2) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void namesANumberOfThreadsThatItDoesNotHave() {
    try (BackgroundLoad load = new BackgroundLoad(3)) {
      assertThatThrownBy(() -> load.set(4))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("busy threads 4 are not 0 to 3");
    }
  }
}
