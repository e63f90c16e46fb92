package io.fieldstone.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CpuInfoTest {

  @Test
  void factsAreThoseOfTheFirstProcessor() {
    CpuInfo facts =
        CpuInfo.of(
            Stream.of(
                "processor\t: 0",
                "model name\t: Some CPU @ 3 GHz",
                "flags\t\t: fpu avx avx2 avx",
                "power management:",
                "",
                "processor\t: 1",
                "model name\t: Another"));
    assertThat(facts.get("model name")).contains("Some CPU @ 3 GHz");
    assertThat(facts.get("power management")).contains("");
    assertThat(facts.get("vendor_id")).isEmpty();
    assertThat(facts.flags()).containsExactlyInAnyOrder("fpu", "avx", "avx2");
  }

  @Test
  void otherSystemsHaveNoCpuInfo() {
    CpuInfo facts = CpuInfo.of(Stream.of("Hardware : board"));
    assertThat(facts.get("flags")).isEmpty();
    assertThat(facts.flags()).isEmpty();
  }
}
