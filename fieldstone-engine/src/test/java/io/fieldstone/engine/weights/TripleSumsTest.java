package io.fieldstone.engine.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TripleSumsTest {

  @Test
  void everyTripleHasAPlaceOfItsOwn() {
    TripleSums sums = new TripleSums(5);
    int next = 0;
    for (int a = 0; a < 5; a++) {
      for (int b = a; b < 5; b++) {
        for (int c = b; c < 5; c++) {
          assertThat(sums.index(a, b, c)).isEqualTo(next++);
        }
      }
    }
    assertThat(TripleSums.count(5)).isEqualTo(next);
    assertThatThrownBy(() -> sums.index(1, 0, 0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void sumsAreExact() {
    SplittableRandom random = new SplittableRandom(3);
    TripleSums sums = new TripleSums(1);
    TripleSums multiple = new TripleSums(1);
    BigInteger expected = BigInteger.ZERO;
    for (int i = 0; i < 2000; i++) {
      long a = random.nextLong() >> random.nextInt(23, 64);
      long b = random.nextLong() >> random.nextInt(23, 64);
      long c = random.nextLong() >> random.nextInt(23, 64);
      sums.addProduct(0, a, b, c);
      expected =
          expected.add(
              BigInteger.valueOf(a)
                  .multiply(BigInteger.valueOf(b))
                  .multiply(BigInteger.valueOf(c)));
      sums.add(0, a);
      expected = expected.add(BigInteger.valueOf(a));
      assertThat(sums.get(0, 0, 0)).isEqualTo(expected);
    }
    sums.clear();
    sums.addProduct(0, -(1L << 40), 1L << 40, 12345);
    multiple.addMultiple(sums, 889);
    assertThat(multiple.get(0))
        .isEqualTo(BigInteger.ONE.shiftLeft(80).multiply(BigInteger.valueOf(-12345L * 889)));
  }
}
