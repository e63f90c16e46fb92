package io.fieldstone.cpu.checksums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuChecksumsTest {

  /** Registers after "123456789": the check values of the RevEng catalogue without XOR. */
  @ParameterizedTest
  @CsvSource({
    "3, 3, false, 0, 4", // CRC-3/GSM: check 4, xorout 7
    "5, 09, false, 09, 00", // CRC-5/EPC-C1G2
    "7, 09, false, 0, 75", // CRC-7/MMC
    "16, 1021, false, 0, 31c3", // CRC-16/XMODEM
    "16, 1021, false, ffff, 29b1", // CRC-16/IBM-3740
    "32, 04c11db7, false, ffffffff, 0376e6e7", // CRC-32/MPEG-2
    "64, 42f0e1eba9ea3693, false, 0, 6c40df5f0b497347", // CRC-64/ECMA-182
  })
  void checksumsEqualTheCatalogue(
      int width, String poly, boolean low, String initial, String register) {
    Divisor divisor = new Divisor(Gf2Modulus.of(width, hex(poly)), low);
    MemorySegment digits = MemorySegment.ofArray("123456789".getBytes(StandardCharsets.US_ASCII));
    long expected = width == 3 ? 4 ^ 7 : hex(register);
    try (Engine engine = Engine.open("cpu")) {
      for (String method : engine.checksums().methods(divisor)) {
        assertThat(engine.checksums().division(divisor, method).append(hex(initial), digits))
            .as(method)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void namesTheMethodsThereAre() {
    Divisor divisor = new Divisor(Gf2Modulus.of(16, 0x1021), false);
    try (Engine engine = Engine.open("cpu:scalar")) {
      assertThat(engine.checksums().methods(divisor)).containsExactly("bitwise");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.checksums().division(divisor, "carry-less"))
          .withMessageContaining("'carry-less'")
          .withMessageContaining("bitwise");
    }
  }

  private static long hex(String digits) {
    return Long.parseUnsignedLong(digits, 16);
  }
}
