package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HybridSpecTest {

  private static final EngineStatus CORES = EngineStatus.present("cpu", EngineKind.CPU, "");
  private static final List<EngineStatus> TWO_DEVICES =
      List.of(
          EngineStatus.present("gpu:0", EngineKind.GPU, ""),
          EngineStatus.missing("gpu:1", EngineKind.GPU, "", "it is busy"),
          EngineStatus.present("gpu:2", EngineKind.GPU, ""),
          CORES);

  @ParameterizedTest
  @CsvSource({
    "gpu:0+cpu, true",
    "gpu:all, true",
    "gpu:all:table, true",
    "gpu:all@rows, true",
    "cpu+gpu:all, true",
    "cpu, false",
    "cpu:scalar, false",
    "gpu:0:table, false",
    "gpu:allegro, false",
    "cpu@rows, false",
  })
  void recognisesHybridNames(String text, boolean hybrid) {
    assertThat(HybridSpec.isHybrid(text)).isEqualTo(hybrid);
  }

  @Test
  void allMeansThosePresent() {
    assertThat(HybridSpec.parse("gpu:all", TWO_DEVICES).parts()).containsExactly("gpu:0", "gpu:2");
    assertThat(HybridSpec.parse("gpu:all:table+cpu", TWO_DEVICES).parts())
        .containsExactly("gpu:0:table", "gpu:2:table", "cpu");
  }

  @Test
  void theSplitCanBeForced() {
    HybridSpec spec = HybridSpec.parse("gpu:0+cpu@rows=0.54", TWO_DEVICES);
    assertThat(spec.parts()).containsExactly("gpu:0", "cpu");
    assertThat(spec.rule()).isEqualTo(new SplitRule(Optional.of(Split.ROWS), Optional.of(0.54)));
    assertThat(HybridSpec.parse("gpu:0+cpu@columns", TWO_DEVICES).rule())
        .isEqualTo(new SplitRule(Optional.of(Split.COLUMNS), Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rows=1", "rows=0.0", "rows=", "rows=x", "rows=-.5", "lines", ""})
  void aSplitThatCannotBeReadIsRefused(String split) {
    String text = "gpu:0+cpu@" + split;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HybridSpec.parse(text, TWO_DEVICES))
        .withMessageContaining(text);
  }

  @Test
  void aShareIsOneOfTwo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HybridSpec.parse("gpu:all+cpu@rows=0.5", TWO_DEVICES))
        .withMessageContaining("has 3");
  }

  @Test
  void allOfAnAbsentFamilyNamesTheReason() {
    List<EngineStatus> noDriver =
        List.of(EngineStatus.missing("gpu:0", EngineKind.GPU, "", "no driver"), CORES);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HybridSpec.parse("gpu:all", noDriver))
        .withMessage("engine 'gpu:all' is not available here: no driver");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Engine.open("gpu:all"))
        .withMessage("engine 'gpu:all' is not available here: there is no engine 'gpu:0'");
  }

  @Test
  void aMissingPartIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Engine.open("gpu:7+cpu"))
        .withMessageContaining("'gpu:7+cpu'")
        .withMessageContaining("no engine 'gpu:7'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu+cpu", "cpu:scalar+cpu+cpu:scalar", "auto+cpu"})
  void anEngineIsNotItsOwnHelper(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Engine.open(text))
        .withMessageContaining("twice");
  }

  @Test
  void onlyPresentEnginesAreListed() {
    HybridProvider provider = new HybridProvider();
    assertThat(provider.combinations(List.of(CORES))).isEmpty();
    assertThat(provider.combinations(TWO_DEVICES))
        .extracting(EngineStatus::spec)
        .containsExactly("gpu:0+cpu", "gpu:all");
    assertThat(
            provider.combinations(
                List.of(EngineStatus.present("gpu:0", EngineKind.GPU, ""), CORES)))
        .extracting(EngineStatus::spec)
        .containsExactly("gpu:0+cpu");
    assertThat(Engine.available()).extracting(EngineStatus::spec).noneMatch(HybridSpec::isHybrid);
  }
}
