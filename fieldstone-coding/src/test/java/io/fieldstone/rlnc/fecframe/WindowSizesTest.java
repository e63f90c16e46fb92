package io.fieldstone.rlnc.fecframe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowSizesTest {

  private static final SchemeInformation INFORMATION = new SchemeInformation(1250, 191);

  /** 0.2 s at 5 Mbit/s are 125000 bytes: 100 symbols. */
  @Test
  void sizesFollowFromLatencyAndRate() {
    assertThat(WindowSizes.ofSourceRate(0.2, 5e6, INFORMATION))
        .isEqualTo(new WindowSizes(100 * 191 / 255, 100, 200));
    assertThat(WindowSizes.ofPathRate(0.2, 10e6, 0.5, INFORMATION))
        .isEqualTo(WindowSizes.ofSourceRate(0.2, 5e6, INFORMATION));
  }

  @Test
  void smallWindowsHaveALinearSystemOfForty() {
    assertThat(WindowSizes.ofSourceRate(0.02, 5e6, INFORMATION))
        .isEqualTo(new WindowSizes(7, 10, 40));
    assertThat(WindowSizes.ofSourceRate(0.002, 5e6, INFORMATION))
        .isEqualTo(new WindowSizes(1, 1, 40));
  }

  @Test
  void sizesEndWhereTheNumberOfSymbolsDoes() {
    assertThat(WindowSizes.ofSourceRate(100, 1e12, new SchemeInformation(4, 255)))
        .isEqualTo(new WindowSizes(4095, 4095, 4095));
  }

  /** The receiver's windows are never smaller than those that the sender derived. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, 191, 254, 255})
  void receiversDeriveTheirSizesFromWhatTheyObserve(int ratio) {
    SchemeInformation information = new SchemeInformation(1250, ratio);
    for (int symbols = 1; symbols <= 4000; symbols += 37) {
      WindowSizes sent = WindowSizes.ofSourceRate(symbols / 1000.0, 1e7 * 1.0001, information);
      WindowSizes derived = WindowSizes.ofObserved(sent.encoding(), information);
      assertThat(derived.encoding()).isEqualTo(sent.encoding());
      assertThat(derived.decoding() * ratio / 255).isGreaterThanOrEqualTo(sent.encoding() - 1);
    }
    assertThat(WindowSizes.ofObserved(75, INFORMATION)).isEqualTo(new WindowSizes(75, 101, 202));
  }

  @Test
  void impossibleBudgetsAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowSizes.ofSourceRate(0.001, 5e6, INFORMATION))
        .withMessageContaining("less than one symbol of 1250 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowSizes.ofSourceRate(Double.NaN, 5e6, INFORMATION));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowSizes.ofSourceRate(1, 5e6, new SchemeInformation(1250, 0)))
        .withMessageContaining("WSR 0");
    for (double rate : new double[] {0, -1, 1.01, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> WindowSizes.ofPathRate(1, 5e6, rate, INFORMATION))
          .withMessageContaining("code rate " + rate);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WindowSizes(2, 1, 40))
        .withMessage("decoding window 1 is not in 2…4095");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowSizes.ofObserved(4096, INFORMATION));
  }
}
