package io.fieldstone.plane;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Compared with decimals, which are exact for doubles. */
class TriangleTest {

  private final SplittableRandom random = new SplittableRandom(2);

  @Test
  void aPythagoreanTriangleLiesOnTheCircleOverItsLongestSide() {
    Triangle triangle = new Triangle(0, 0, 3, 0, 0, 4);
    assertThat(triangle.isCircumradiusAtMost(2.5)).isTrue();
    assertThat(triangle.isCircumradiusAtMost(Math.nextDown(2.5))).isFalse();
    assertThat(triangle.isEnclosedBy(2.5)).isTrue();
    assertThat(triangle.isEnclosedBy(Math.nextDown(2.5))).isFalse();
    assertThat(triangle.isAcute()).isFalse();
    assertThat(triangle.isSpread(2.9)).isTrue();
    assertThat(triangle.isSpread(3)).isFalse();
  }

  @Test
  void pointsOnALineHaveNoCircleButAnEnclosingOne() {
    Triangle line = new Triangle(0.1, 0.1, 0.2, 0.2, 0.4, 0.4);
    assertThat(line.isCircumradiusAtMost(1e30)).isFalse();
    assertThat(line.isEnclosedBy(0.22)).isTrue();
    assertThat(line.isEnclosedBy(0.21)).isFalse();
  }

  @Test
  void isExactWherePointsAreAllButOnACircle() {
    for (int i = 0; i < 3000; i++) {
      double radius = random.nextDouble(0.1, 10);
      double x = random.nextDouble(-100, 100);
      double[] angles = random.doubles(3, 0, 2 * Math.PI).toArray();
      Triangle triangle =
          new Triangle(
              x + radius * Math.cos(angles[0]),
              radius * Math.sin(angles[0]),
              x + radius * Math.cos(angles[1]),
              radius * Math.sin(angles[1]),
              x + radius * Math.cos(angles[2]),
              radius * Math.sin(angles[2]));
      assertThat(triangle.isCircumradiusAtMost(radius))
          .as(triangle::toString)
          .isEqualTo(isCircumradiusAtMost(triangle, radius));
      double side = Math.hypot(triangle.ax() - triangle.bx(), triangle.ay() - triangle.by());
      assertThat(Distance.compare(triangle.ax(), triangle.ay(), triangle.bx(), triangle.by(), side))
          .isEqualTo(
              squared(triangle.ax(), triangle.ay(), triangle.bx(), triangle.by())
                  .compareTo(decimal(side).pow(2)));
    }
  }

  private static boolean isCircumradiusAtMost(Triangle t, double radius) {
    BigDecimal sides =
        squared(t.ax(), t.ay(), t.bx(), t.by())
            .multiply(squared(t.bx(), t.by(), t.cx(), t.cy()))
            .multiply(squared(t.cx(), t.cy(), t.ax(), t.ay()));
    BigDecimal cross =
        minus(t.bx(), t.ax())
            .multiply(minus(t.cy(), t.ay()))
            .subtract(minus(t.by(), t.ay()).multiply(minus(t.cx(), t.ax())));
    BigDecimal area = cross.multiply(decimal(radius)).multiply(decimal(2)).pow(2);
    return cross.signum() != 0 && sides.compareTo(area) <= 0;
  }

  private static BigDecimal squared(double ax, double ay, double bx, double by) {
    return minus(ax, bx).pow(2).add(minus(ay, by).pow(2));
  }

  private static BigDecimal minus(double a, double b) {
    return decimal(a).subtract(decimal(b));
  }

  private static BigDecimal decimal(double value) {
    return new BigDecimal(value);
  }
}
