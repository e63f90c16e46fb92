package io.fieldstone.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ConvertersTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "4096, 4096",
    "4K, 4096",
    "64KiB, 65536",
    "64 kib, 65536",
    "1kB, 1000",
    "1M, 1048576",
    "1MiB, 1048576",
    "10MB, 10000000",
    "1G, 1073741824",
    "2T, 2199023255552",
    "0x1000, 4096",
    "010, 10",
  })
  void readsSizes(String text, long bytes) {
    assertThat(new Converters.Size().convert(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "K", "-1", "1.5M", "4Kg", "9223372036854775808", "16777216T", "0x"})
  void rejectsInvalidSizes(String text) {
    assertThatExceptionOfType(TypeConversionException.class)
        .isThrownBy(() -> new Converters.Size().convert(text))
        .withMessageContaining("'" + text + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "8bit, 1",
    "40Mbit, 5000000",
    "1.5Gbit, 187500000",
    "10MB, 10000000",
    "10 mb/s, 10000000",
    "0.5kB, 500"
  })
  void readsRatesInBytesPerSecond(String text, long bytes) {
    assertThat(new Converters.Rate().convert(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"10%, 0.1", "0.5, 0.5", "12.5 %, 0.125", "300%, 3", "1e-1, 0.1"})
  void readsFractionsInPercentToo(String text, double fraction) {
    assertThat(new Converters.Fraction().convert(text)).isEqualTo(fraction);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "%", "10%%", "ten%", "0x1p3%"})
  void refusesWhatIsNoFraction(String text) {
    assertThatExceptionOfType(TypeConversionException.class)
        .isThrownBy(() -> new Converters.Fraction().convert(text))
        .withMessageContaining("'" + text + "' is neither a number nor a percentage");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "0MB", "-1MB", "1bit", "1MiB", "1e3MB", "99999999999999GB"})
  void refusesWhatIsNoRate(String text) {
    assertThatExceptionOfType(TypeConversionException.class)
        .isThrownBy(() -> new Converters.Rate().convert(text))
        .withMessageContaining("'" + text + "'");
  }

  @ParameterizedTest
  @CsvSource({"a.example:4433, a.example, 4433", "127.0.0.1:0, 127.0.0.1, 0", "[::1]:5, ::1, 5"})
  void readsAddressesWithoutResolvingThem(String text, String host, int port) {
    assertThat(new Converters.Address().convert(text))
        .isEqualTo(InetSocketAddress.createUnresolved(host, port));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a:", ":5", "a:65536", "a:-1", "::1:5", "a:5x", "[]:5"})
  void refusesWhatIsNoAddress(String text) {
    assertThatExceptionOfType(TypeConversionException.class)
        .isThrownBy(() -> new Converters.Address().convert(text))
        .withMessageContaining("'" + text + "'");
  }

  @ParameterizedTest
  @CsvSource({"12, 12", "0x1F, 31", "-3, -3", "007, 7", "-0, 0"})
  void readsCounts(String text, long count) {
    assertThat(new Converters.Count().convert(text)).isEqualTo(count);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "-1, -1",
    "0xffffffffffffffff, -1",
    "18446744073709551615, -1",
    "0x10, 16",
  })
  void readsSeedsOf64Bits(String text, long seed) {
    assertThat(new Converters.Seed().convert(text)).isEqualTo(seed);
  }

  @Test
  void refusesSeedsBeyond64Bits() {
    assertThatExceptionOfType(TypeConversionException.class)
        .isThrownBy(() -> new Converters.Seed().convert("0x10000000000000000"));
  }
}
