package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers of the command line: a number, or one kind of error. */
public class QuantitiesFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    for (ITypeConverter<? extends Number> converter : CONVERTERS) {
      try {
        Number number = converter.convert(text);
        if (converter instanceof Quantities.Size) {
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
          new Quantities.Size(),
          new Quantities.Count(),
          new Quantities.Decimal(),
          new Quantities.Seed());

  @Test
  void replays() throws Exception {
    Replay.run(QuantitiesFuzzTest.class, QuantitiesFuzzTest::fuzzerTestOneInput);
  }
}
