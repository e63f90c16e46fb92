package io.fieldstone.crc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrcValueTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8, 12, 31, 32, 63, 64, 65, 82, 127, 128})
  void isANumberOfTheGivenWidth(int width) {
    Random random = new Random(width);
    for (int i = 0; i < 50; i++) {
      BigInteger number = new BigInteger(width, random);
      CrcValue value = CrcValue.parse(width, "0x" + number.toString(16));

      assertThat(value.toString()).hasSize((width + 3) / 4);
      assertThat(new BigInteger(value.toString(), 16)).isEqualTo(number);
      assertThat(new BigInteger(1, value.toByteArray())).isEqualTo(number);
      assertThat(CrcValue.parse(width, value.toString().toUpperCase(java.util.Locale.ROOT)))
          .isEqualTo(value);
      BigInteger reflected = BigInteger.ZERO;
      for (int bit = 0; bit < width; bit++) {
        assertThat(value.bit(bit)).isEqualTo(number.testBit(bit));
        reflected = number.testBit(bit) ? reflected.setBit(width - 1 - bit) : reflected;
      }
      assertThat(RandomModels.number(value.reflected())).isEqualTo(reflected);
      assertThat(value.xor(value).isZero()).isTrue();
      assertThat(RandomModels.number(value.xor(CrcValue.ones(width))))
          .isEqualTo(BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE).subtract(number));
    }
  }

  @Test
  void rejectsArgumentsThatDoNotFit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CrcValue.of(0, 0))
        .withMessageContaining("width 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CrcValue.parse(129, "1"))
        .withMessageContaining("width 129");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CrcValue.parse(16, "0x11021"))
        .withMessageContaining("0x11021")
        .withMessageContaining("16 bits");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CrcValue.parse(65, "20000000000000000"))
        .withMessageContaining("65 bits");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CrcValue.parse(128, "1" + "0".repeat(32)))
        .withMessageContaining("128 bits");
    for (String text : new String[] {"", "0x", "xyz", "-1", "1 2", "0x0x1"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CrcValue.parse(16, text))
          .withMessageContaining("'" + text + "'");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> CrcValue.of(8, 1).xor(CrcValue.of(9, 1)));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> CrcValue.of(65, 1).toLong());
    assertThat(CrcValue.parse(8, "0000000000000000000000000000000000000000ff").toLong())
        .isEqualTo(0xFF);
  }
}
