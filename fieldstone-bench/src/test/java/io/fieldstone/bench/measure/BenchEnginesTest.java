package io.fieldstone.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.bench.StandInProvider;
import io.fieldstone.engine.Engine;
import org.junit.jupiter.api.Test;

class BenchEnginesTest {

  private static BenchEngines of(String engine) {
    return new BenchEngines(BenchOptions.DEFAULT.withEngine(engine).withThreads(2));
  }

  @Test
  void autoTakesTheCoresAndTheFirstOtherEngine() {
    try (BenchEngines engines = of("auto")) {
      assertThat(engines.coresSpec()).isEqualTo("cpu");
      assertThat(engines.cores().spec()).isEqualTo("cpu");
      assertThat(engines.gpu()).map(Engine::spec).contains(StandInProvider.SPEC);
      assertThat(engines.gpuDescription()).contains("\"stand:0\", a stand-in");
    }
  }

  @Test
  void anEngineOfTheCoresGoesWithoutAGpu() {
    try (BenchEngines engines = of("cpu:scalar")) {
      assertThat(engines.cores().spec()).isEqualTo("cpu:scalar");
      assertThat(engines.hasGpu()).isFalse();
      assertThat(engines.gpu("tensor")).isEmpty();
      assertThat(engines.gpuAndCores()).isEmpty();
      assertThat(engines.gpuDescription()).contains("none", "'cpu:scalar' was asked for");
    }
  }

  @Test
  void anotherEngineGoesBesideTheCores() {
    try (BenchEngines engines = of(StandInProvider.SPEC)) {
      assertThat(engines.coresSpec()).isEqualTo("cpu");
      assertThat(engines.gpu("hpds")).map(Engine::spec).contains("stand:0:hpds");
      assertThat(engines.gpu("abacus")).isEmpty();
      assertThat(engines.gpuAndCores("@rows=0.54"))
          .map(Engine::spec)
          .contains("stand:0+cpu@rows=0.54");
      assertThat(engines.gpuKernels().stream().map(Engine::spec))
          .startsWith("stand:0", "stand:0:tensor")
          .doesNotContain("stand:0:baseline", "stand:0:hpds");
    }
  }

  @Test
  void aCombinationIsNotCombinedAgain() {
    try (BenchEngines engines = of("stand:0+cpu")) {
      assertThat(engines.gpu()).map(Engine::spec).contains("stand:0+cpu");
      assertThat(engines.gpuAndCores()).isEmpty();
    }
  }

  @Test
  void anEngineOfSeveralHasParts() {
    try (BenchEngines engines = of("stand:0+cpu:scalar@rows")) {
      assertThat(engines.gpuParts().stream().map(Engine::spec))
          .containsExactly("stand:0", "cpu:scalar");
    }
    try (BenchEngines engines = of("stand:all+cpu")) {
      assertThat(engines.gpuParts().stream().map(Engine::spec)).containsExactly("stand:0", "cpu");
    }
    try (BenchEngines engines = of(StandInProvider.SPEC)) {
      assertThat(engines.gpuParts()).isEmpty();
    }
  }

  @Test
  void enginesAreOpenedOnce() {
    try (BenchEngines engines = of("auto")) {
      assertThat(engines.cores()).isSameAs(engines.cores()).isNotSameAs(engines.oneCore());
    }
  }

  @Test
  void hardwareIsListedWithoutVariantsAndCombinations() {
    try (BenchEngines engines = of("auto")) {
      assertThat(engines.hardware()).containsExactlyInAnyOrder("cpu", StandInProvider.SPEC);
    }
  }

  @Test
  void anEngineThatIsNotHereIsRefused() {
    try (BenchEngines engines = of("stand:1")) {
      assertThatThrownBy(engines::gpu)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("it is away");
    }
  }
}
