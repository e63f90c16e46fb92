package io.fieldstone.rlnc.fecframe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodeRateTest {

  @ParameterizedTest
  @CsvSource({
    "1, 0",
    "0.9, 11111",
    "0.8, 25000",
    "0.75, 33333",
    "0.6666666666666666, 50000",
    "0.5, 100000",
    "0.1, 900000"
  })
  void repairsHaveTheirShare(double rate, int repairs) {
    CodeRate due = new CodeRate(rate);
    int sent = 0;
    for (int i = 0; i < 100_000; i++) {
      due.addSource();
      while (due.take(1)) {
        sent++;
      }
    }
    assertThat(sent).isEqualTo(repairs);
  }
}
