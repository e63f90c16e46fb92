package io.fieldstone.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers of the command line: a number, or one kind of error. */
public class ConvertersFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    for (ITypeConverter<? extends Number> converter : CONVERTERS) {
      try {
        Number number = converter.convert(text);
        if (converter instanceof Converters.Size) {
          assertThat(number.longValue()).isNotNegative();
          assertThat(Units.bytes(number.longValue())).matches("[0-9.]+ [KMGTPE]?i?B");
        }
        String printed = String.valueOf(number);
        assertThat(converter.convert(printed)).isEqualTo(number);
      } catch (TypeConversionException e) {
        assertThat(e.getMessage()).isNotBlank();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private static final List<ITypeConverter<? extends Number>> CONVERTERS =
      List.of(
          new Converters.Size(),
          new Converters.Count(),
          new Converters.Decimal(),
          new Converters.Fraction(),
          new Converters.Seed());

  @Test
  void replays() throws Exception {
    Replay.run(ConvertersFuzzTest.class, ConvertersFuzzTest::fuzzerTestOneInput);
  }
}
