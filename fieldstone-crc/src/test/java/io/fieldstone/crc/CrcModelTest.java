package io.fieldstone.crc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CrcModelTest {

  /** The table of polynomials in Wikipedia's article on cyclic redundancy checks. */
  @ParameterizedTest
  @CsvSource({
    "4, 3, c, 9, 9",
    "5, 05, 14, 09, 12",
    "8, 07, e0, c1, 83",
    "16, 1021, 8408, 0811, 8810",
    "32, 04c11db7, edb88320, db710641, 82608edb",
    "32, 1edc6f41, 82f63b78, 05ec76f1, 8f6e37a0",
    "64, 42f0e1eba9ea3693, c96c5795d7870f42, 92d8af2baf0e1e85, a17870f5d4f51b49",
  })
  void readsAndShowsEveryNotation(
      int width, String normal, String reversed, String reciprocal, String koopman) {
    CrcValue poly = CrcValue.parse(width, normal);

    assertThat(CrcNotation.NORMAL.of(poly)).hasToString(normal);
    assertThat(CrcNotation.REVERSED.of(poly)).hasToString(reversed);
    assertThat(CrcNotation.RECIPROCAL.of(poly)).hasToString(reciprocal);
    assertThat(CrcNotation.KOOPMAN.of(poly)).hasToString(koopman);
  }

  @ParameterizedTest
  @MethodSource("io.fieldstone.crc.RandomModels#ofEveryWidth")
  void getsEveryNotationBack(CrcModel model) {
    for (CrcNotation notation : CrcNotation.values()) {
      assertThat(notation.toNormal(notation.of(model.poly()))).isEqualTo(model.poly());
    }
  }

  @ParameterizedTest
  @MethodSource("io.fieldstone.crc.RandomModels#ofEveryWidth")
  void computesItsCheckAndResidue(CrcModel model) {
    byte[] digits = "123456789".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    assertThat(model.check()).isEqualTo(RandomModels.checksum(model, digits));
    if (model.width() % 8 == 0 && model.refin() == model.refout()) {
      byte[] check = model.check().toByteArray();
      byte[] codeword = java.util.Arrays.copyOf(digits, digits.length + check.length);
      for (int i = 0; i < check.length; i++) {
        codeword[digits.length + i] = check[model.refin() ? check.length - 1 - i : i];
      }
      assertThat(RandomModels.checksum(model, codeword).xor(model.xorout()))
          .isEqualTo(model.residue());
    }
  }

  @Test
  void refusesParametersThatDoNotAgree() {
    CrcValue poly = CrcValue.of(16, 0x1021);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CrcModel.of("mine", poly).withInit(CrcValue.of(8, 1)))
        .withMessageContaining("init has 8 bits")
        .withMessageContaining("16");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CrcModel.of("mine", poly).withXorout(CrcValue.of(17, 1)))
        .withMessageContaining("xorout has 17 bits");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CrcModel.of("mine", CrcValue.of(16, 0x8408)))
        .withMessageContaining("0x8408 is even");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CrcNotation.KOOPMAN.toNormal(CrcValue.of(8, 0x07)))
        .withMessageContaining("0x07")
        .withMessageContaining("Koopman");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CrcNotation.RECIPROCAL.of(CrcValue.of(8, 0x06)))
        .withMessageContaining("even");
  }

  @Test
  void changesOneParameterAtATime() {
    Random random = new Random(7);
    CrcModel model = RandomModels.next(random, 24);

    assertThat(
            CrcModel.of("random", model.poly())
                .withInit(model.init())
                .withReflection(model.refin(), model.refout())
                .withXorout(model.xorout()))
        .isEqualTo(model);
    assertThat(CrcCatalogue.model("CRC-16/KERMIT").toString())
        .isEqualTo(
            "width=16 poly=0x1021 init=0x0000 refin=true refout=true xorout=0x0000"
                + " name=\"CRC-16/KERMIT\"");
  }
}
