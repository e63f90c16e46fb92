package io.fieldstone.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import org.junit.jupiter.api.Test;

class LineupTest {

  private static Lineup of(String engine) {
    return new Lineup(BenchOptions.DEFAULT.withEngine(engine).withThreads(2));
  }

  @Test
  void autoTakesTheCoresAndTheFirstOtherEngine() {
    try (Lineup lineup = of("auto")) {
      assertThat(lineup.coresSpec()).isEqualTo("cpu");
      assertThat(lineup.cores().spec()).isEqualTo("cpu");
      assertThat(lineup.gpu()).map(Engine::spec).contains(StandInProvider.SPEC);
      assertThat(lineup.gpuInWords()).contains("\"stand:0\", a stand-in");
    }
  }

  @Test
  void anEngineOfTheCoresGoesWithoutAGpu() {
    try (Lineup lineup = of("cpu:scalar")) {
      assertThat(lineup.cores().spec()).isEqualTo("cpu:scalar");
      assertThat(lineup.hasGpu()).isFalse();
      assertThat(lineup.gpu("tensor")).isEmpty();
      assertThat(lineup.both()).isEmpty();
      assertThat(lineup.gpuInWords()).contains("none", "'cpu:scalar' was asked for");
    }
  }

  @Test
  void anotherEngineGoesBesideTheCores() {
    try (Lineup lineup = of(StandInProvider.SPEC)) {
      assertThat(lineup.coresSpec()).isEqualTo("cpu");
      assertThat(lineup.gpu("hpds")).map(Engine::spec).contains("stand:0:hpds");
      assertThat(lineup.gpu("abacus")).isEmpty();
      assertThat(lineup.both("@rows=0.54")).map(Engine::spec).contains("stand:0+cpu@rows=0.54");
      assertThat(lineup.gpuKernels().stream().map(Engine::spec))
          .startsWith("stand:0", "stand:0:tensor")
          .doesNotContain("stand:0:baseline", "stand:0:hpds");
    }
  }

  @Test
  void aCombinationIsNotCombinedAgain() {
    try (Lineup lineup = of("stand:0+cpu")) {
      assertThat(lineup.gpu()).map(Engine::spec).contains("stand:0+cpu");
      assertThat(lineup.both()).isEmpty();
    }
  }

  @Test
  void anEngineOfSeveralHasParts() {
    try (Lineup lineup = of("stand:0+cpu:scalar@rows")) {
      assertThat(lineup.gpuParts().stream().map(Engine::spec))
          .containsExactly("stand:0", "cpu:scalar");
    }
    try (Lineup lineup = of("stand:all+cpu")) {
      assertThat(lineup.gpuParts().stream().map(Engine::spec)).containsExactly("stand:0", "cpu");
    }
    try (Lineup lineup = of(StandInProvider.SPEC)) {
      assertThat(lineup.gpuParts()).isEmpty();
    }
  }

  @Test
  void enginesAreOpenedOnce() {
    try (Lineup lineup = of("auto")) {
      assertThat(lineup.cores()).isSameAs(lineup.cores()).isNotSameAs(lineup.oneCore());
    }
  }

  @Test
  void hardwareIsListedWithoutVariantsAndCombinations() {
    try (Lineup lineup = of("auto")) {
      assertThat(lineup.hardware()).containsExactlyInAnyOrder("cpu", StandInProvider.SPEC);
    }
  }

  @Test
  void anEngineThatIsNotHereIsRefused() {
    try (Lineup lineup = of("stand:1")) {
      assertThatThrownBy(lineup::gpu)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("it is away");
    }
  }
}
