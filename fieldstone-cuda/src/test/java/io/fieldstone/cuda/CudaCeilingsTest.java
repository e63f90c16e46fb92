package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Ceiling;
import io.fieldstone.engine.Ceilings;
import io.fieldstone.engine.Engine;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CudaCeilingsTest {

  @Test
  void everyCeilingIsMeasuredAndMemoryFreed() {
    try (FakeGpu gpu = new FakeGpu()) {
      gpu.driver().withMemory(32 << 20);
      try (Engine engine = gpu.open("cuda:0")) {
        List<Ceiling> ceilings = engine.find(Ceilings.class).orElseThrow().measure();
        assertThat(ceilings)
            .extracting(Ceiling::name)
            .contains("device memory, write", "bus, up", "bus, down", "launch and wait");
        assertThat(ceilings).allMatch(ceiling -> ceiling.value() > 0);
      }
      assertThat(gpu.driver().leaks()).isEmpty();
    }
  }

  /** Reads the whole buffer several times between two events, so that launch time is negligible. */
  @Test
  void memoryIsReadSeveralTimes() {
    List<Long> launches = new ArrayList<>();
    try (FakeGpu gpu = new FakeGpu()) {
      gpu.driver()
          .withMemory(32 << 20)
          .kernel(
              "memory_read",
              24,
              (_, struct) -> {
                long address = struct.get(ValueLayout.JAVA_LONG, 0);
                long bytes = 16 * struct.get(ValueLayout.JAVA_LONG, 8);
                GpuMemory.get(address + bytes - 1); // which the driver refuses outside of a buffer
                launches.add(bytes);
              });
      try (Engine engine = gpu.open("cuda:0")) {
        assertThat(engine.find(Ceilings.class).orElseThrow().measure())
            .extracting(Ceiling::name)
            .contains("device memory, read");
      }
    }
    assertThat(launches).hasSizeGreaterThan(50).containsOnly(launches.getFirst());
    assertThat(launches.getFirst()).isGreaterThan(1 << 20);
  }
}
