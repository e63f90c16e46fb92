package io.fieldstone.papers.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.field.Gf256;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LoopKernelsTest {

  static Stream<Gf256> fields() {
    return Stream.of(Gf256.DEFAULT, Gf256.RIJNDAEL);
  }

  /** Every factor with every data byte in every place, among random neighbours. */
  @ParameterizedTest
  @MethodSource("fields")
  void wordLoopsMultiplyEachByte(Gf256 field) {
    Random random = new Random(field.polynomial());
    for (int factor = 0; factor < 256; factor++) {
      for (int data = 0; data < 256; data++) {
        int place = Byte.SIZE * random.nextInt(Integer.BYTES);
        check(field, factor, random.nextInt() & ~(0xFF << place) | data << place);
      }
      for (int word : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x80808080}) {
        check(field, factor, word);
      }
    }
  }

  private static void check(Gf256 field, int factor, int word) {
    int products = 0;
    for (int place = 0; place < Integer.SIZE; place += Byte.SIZE) {
      products |= field.multiply(factor, word >>> place & 0xFF) << place;
    }
    if (LoopKernels.multiplyWord(field, factor, word) != products) {
      assertThat(LoopKernels.multiplyWord(field, factor, word))
          .as("%d times %08x", factor, word)
          .isEqualTo(products);
    }
  }

  @Test
  void rejectsAFactorThatIsNoElement() {
    for (int stranger : new int[] {-1, 256, Integer.MIN_VALUE}) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> LoopKernels.multiplyWord(Gf256.DEFAULT, stranger, 1));
    }
  }
}
