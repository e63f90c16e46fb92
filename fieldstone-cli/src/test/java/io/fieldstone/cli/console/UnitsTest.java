package io.fieldstone.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "1048575, 1.0 MiB",
    "1610612736, 1.5 GiB",
    "9223372036854775807, 8.0 EiB",
  })
  void writesSizesInBinaryUnits(long bytes, String text) {
    assertThat(Units.bytes(bytes)).isEqualTo(text);
  }

  @Test
  void writesSizesInTheUnitOfOthers() {
    assertThat(Units.part(43 << 20, 100_000_000)).isEqualTo("43.0 of 95.4 MiB");
    assertThat(Units.like(100_000_000, 1 << 19)).isEqualTo("0.5 MiB");
    assertThat(Units.like(100_000_000, 1)).isEqualTo("< 0.1 MiB");
    assertThat(Units.like(100_000_000, 0)).isEqualTo("0.0 MiB");
    assertThat(Units.numberIn(56, 7)).isEqualTo("7");
  }

  @Test
  void writesRatesInDecimalUnits() {
    assertThat(Units.rate(843_000_000, 1_000_000_000)).isEqualTo("843 MB/s");
    assertThat(Units.rate(5_000_000_000L, 1_000_000_000)).isEqualTo("5,000 MB/s");
    assertThat(Units.rate(1_000, 1_000_000_000)).isEqualTo("1.00 kB/s");
    assertThat(Units.rate(0, 1)).isEqualTo("-");
    assertThat(Units.rate(1, 0)).isEqualTo("-");
  }

  @ParameterizedTest
  @CsvSource({"9.99, 9.99", "9.996, 10.0", "99.96, 100", "31416, '31,416'", "0.5, 0.50"})
  void keepsThreeDigits(double value, String text) {
    assertThat(Units.significant(value)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"999, 999", "61300000000, 61.3 G", "999600000, 1.00 G"})
  void scales(double value, String text) {
    assertThat(Units.scaled(value)).isEqualTo(text);
  }

  @Test
  void writesDurations() {
    assertThat(Units.duration(420_000_000)).isEqualTo("0.42 s");
    assertThat(Units.duration(187_000_000_000L)).isEqualTo("3 min 07 s");
    assertThat(Units.duration(100_800_000_000_000L)).isEqualTo("28.0 h");
  }
}
