package io.fieldstone.cpu.stars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.engine.stars.StarSearch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuStarsTest {

  /** An equilateral triangle, small enough for one relay, is one star by either rule. */
  @Test
  void findsOneStar() {
    double[] xs = {0, 60, 30};
    double[] ys = {0, 0, 52};
    try (Engine engine = Engine.open("cpu")) {
      for (StarRule rule : StarRule.values()) {
        StarField field = new StarField(xs, ys, 50, rule);
        for (String method : engine.stars().methods(field)) {
          List<int[]> found = new ArrayList<>();
          try (StarSearch search = engine.stars().search(field, method)) {
            assertThat(search.count()).as(method).isOne();
            assertThat(search.method()).isEqualTo(method);
            search.enumerate(batch -> batch.forEach((a, b, c) -> found.add(new int[] {a, b, c})));
          }
          assertThat(found).as(method).hasSize(1);
          assertThat(found.getFirst()).containsExactly(0, 1, 2);
        }
      }
    }
  }

  /**
   * Lattices through whose points pass many circles of exactly the range, up to the widest that
   * floats take and just beyond.
   */
  @ParameterizedTest
  @ValueSource(ints = {25, 50, 65, 85, 119, 120, 121, 125, 724, 725})
  void countsTheSameByFloatsAndDoublesAndLongs(int range) {
    SplittableRandom random = new SplittableRandom(range);
    for (StarRule rule : StarRule.values()) {
      List<double[]> points = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        double y = random.nextInt(2 * range);
        points.add(new double[] {random.nextInt(2 * range), y});
        // Mirror images on circles of radius R around the lattice's centre lie on the boundary.
        double x = Math.rint(Math.sqrt((double) range * range - (y - range) * (y - range)));
        points.add(new double[] {range + x, y});
        points.add(new double[] {range - x, y});
      }
      points.sort(
          Comparator.comparingLong(p ->
              StarField.grid(new double[] {p[0]}, new double[] {p[1]}, range).key(p[0], p[1])));
      StarField field =
          new StarField(
              points.stream().mapToDouble(p -> p[0]).toArray(),
              points.stream().mapToDouble(p -> p[1]).toArray(),
              range,
              rule);
      try (Engine engine = Engine.open("cpu");
          StarSearch plain = engine.stars().search(field, "sequential");
          StarSearch lanes = engine.stars().search(field, "lanes")) {
        assertThat(lanes.count()).isEqualTo(plain.count()).isPositive();
        long doubles = 0;
        StarPairs pairs = new DoubleStarPairs(field);
        for (int lowest = 0; lowest < field.points(); lowest++) {
          pairs.moveTo(lowest);
          doubles += pairs.count();
        }
        assertThat(doubles).isEqualTo(plain.count());
      }
    }
  }

  /** The scalar kernel, used until vector code is compiled, finds the same stars. */
  @Test
  void countsTheSameFromTheFirstMoment() {
    SplittableRandom random = new SplittableRandom(1);
    for (double scale : new double[] {1, 0.5}) {
      double[] x = random.ints(300, 0, 100).mapToDouble(v -> scale * v).toArray();
      double[] y = random.ints(300, 0, 100).mapToDouble(v -> scale * v).toArray();
      StarField field = new StarField(x, y, 50 * scale, StarRule.CIRCUMCIRCLE);
      try (Engine engine = Engine.open("cpu");
          StarSearch plain = engine.stars().search(field, "sequential");
          StarSearch fastest = engine.stars().search(field)) {
        assertThat(fastest.count()).isEqualTo(plain.count()).isPositive();
      }
    }
  }

  /** Twenty points in a row of ten cells: the sequential method examines whole cells. */
  @Test
  void saysHowManyPointsAPartExamines() {
    double[] x = IntStream.range(0, 20).mapToDouble(i -> 5 * i).toArray();
    StarField field = new StarField(x, new double[20], 5, StarRule.CIRCUMCIRCLE);
    try (Engine engine = Engine.open("cpu");
        StarSearch sequential = engine.stars().search(field, "sequential");
        StarSearch annulus = engine.stars().search(field, "annulus")) {
      assertThat(sequential.examinedPoints(0, 20)).isEqualTo(20);
      // Point 8 is in cell 4; cells 3 to 5 can contain its stars.
      assertThat(sequential.examinedPoints(8, 1)).isEqualTo(6);
      assertThat(sequential.examinedPoints(8, 0)).isZero();
      assertThat(annulus.examinedPoints(8, 1)).isOne();
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> annulus.examinedPoints(8, 13));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> sequential.examinedPoints(8, 13));
    }
  }

  @Test
  void namesTheMethodsThereAre() {
    StarField empty = new StarField(new double[0], new double[0], 1, StarRule.CIRCUMCIRCLE);
    try (Engine engine = Engine.open("cpu:scalar")) {
      assertThat(engine.stars().methods(empty)).containsExactly("sequential");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.stars().search(empty, "quick"))
          .withMessageContaining("'quick'")
          .withMessageContaining("sequential");
    }
  }

  @Test
  void rejectsInvalidFields() {
    double[] one = {1};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StarField(one, one, 0, StarRule.CIRCUMCIRCLE))
        .withMessageContaining("range 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StarField(one, new double[] {Double.NaN}, 1, StarRule.CIRCUMCIRCLE))
        .withMessageContaining("NaN of point 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StarField(one, new double[2], 1, StarRule.CIRCUMCIRCLE))
        .withMessageContaining("1 coordinates x and 2");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new StarField(new double[] {0, 0}, new double[] {5, 0}, 1, StarRule.CIRCUMCIRCLE))
        .withMessageContaining("point 1 is in a cell before that of point 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StarField(one, new double[] {1e20}, 1, StarRule.CIRCUMCIRCLE))
        .withMessageContaining("1.0E20");
  }
}
