package io.fieldstone.plane;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Compared with decimals, which are exact for doubles. */
class ExpansionTest {

  private final SplittableRandom random = new SplittableRandom(1);

  @Test
  void hasTheSignOfPolynomials() {
    for (int i = 0; i < 2000; i++) {
      double[] n =
          random.doubles(8).map(x -> (x - 0.5) * Math.scalb(1, random.nextInt(40))).toArray();
      Expansion left = Expansion.difference(n[0], n[1]).times(Expansion.difference(n[2], n[3]));
      Expansion right = Expansion.difference(n[4], n[5]).times(Expansion.difference(n[6], n[7]));
      BigDecimal expected =
          decimal(n[0]).subtract(decimal(n[1])).multiply(decimal(n[2]).subtract(decimal(n[3])));
      BigDecimal subtracted =
          decimal(n[4]).subtract(decimal(n[5])).multiply(decimal(n[6]).subtract(decimal(n[7])));
      assertThat(left.signum()).isEqualTo(expected.signum());
      assertThat(left.minus(right).signum()).isEqualTo(expected.subtract(subtracted).signum());
      assertThat(left.plus(right).signum()).isEqualTo(expected.add(subtracted).signum());
    }
  }

  /** (a + b)² − a² − 2ab − b² is 0, and one bit more is not. */
  @Test
  void seesTheLastBit() {
    for (int i = 0; i < 500; i++) {
      double a = random.nextDouble();
      double b = random.nextDouble() * 0x1p-60;
      Expansion sum = Expansion.of(a).plus(Expansion.of(b));
      Expansion rest =
          sum.squared()
              .minus(Expansion.of(a).squared())
              .minus(Expansion.of(a).times(2 * b))
              .minus(Expansion.of(b).squared());
      assertThat(rest.signum()).isZero();
      assertThat(rest.plus(Expansion.of(0x1p-300)).signum()).isOne();
      assertThat(rest.minus(Expansion.of(0x1p-300)).signum()).isEqualTo(-1);
    }
  }

  @Test
  void worksAtTheEndsOfItsRange() {
    for (double end : new double[] {Expansion.MIN_MAGNITUDE, Expansion.MAX_MAGNITUDE}) {
      double next = Math.nextDown(end);
      Expansion cube =
          Expansion.difference(end, next).squared().times(Expansion.difference(end, next));
      assertThat(cube.squared().signum()).isOne();
      assertThat(cube.squared().minus(cube.squared()).signum()).isZero();
      Expansion large =
          Expansion.difference(end, -next).squared().times(Expansion.difference(end, -next));
      assertThat(large.squared().minus(cube).signum()).isEqualTo(decimalSixth(end, next));
    }
  }

  private static int decimalSixth(double end, double next) {
    BigDecimal sum = decimal(end).add(decimal(next));
    BigDecimal difference = decimal(end).subtract(decimal(next));
    return sum.pow(6).subtract(difference.pow(3)).signum();
  }

  private static BigDecimal decimal(double value) {
    return new BigDecimal(value);
  }
}
