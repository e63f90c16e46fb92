package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Ceiling;
import io.fieldstone.engine.Engine;
import java.util.List;
import org.junit.jupiter.api.Test;

class CudaCeilingsTest {

  @Test
  void everyCeilingIsMeasuredAndNothingIsLeft() {
    try (FakeGpu gpu = new FakeGpu()) {
      gpu.driver().withMemory(32 << 20);
      try (Engine engine = gpu.open("cuda:0")) {
        List<Ceiling> ceilings = engine.ceilings();
        assertThat(ceilings)
            .extracting(Ceiling::name)
            .contains("device memory, write", "bus, up", "bus, down", "launch and wait");
        assertThat(ceilings).allMatch(ceiling -> ceiling.value() > 0);
      }
      assertThat(gpu.driver().leaks()).isEmpty();
    }
  }
}
