package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.engine.Engine;
import io.fieldstone.plane.Distance;
import io.fieldstone.plane.Triangle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The checks of docs/errata.md on the 3-star paper, III-C and IV-C, with its R and its plane. */
class ThreeStarErrataTest {

  private static final int RANGE = 50;
  private static final int CELL = 2 * RANGE;
  private static final int ROWS = 2000 / CELL;

  /** (r, c), (r+1, c), (r−1, c+1), (r, c+1), (r, c−1): row and column offsets as printed. */
  private static final List<Offset> PRINTED =
      List.of(
          new Offset(0, 0),
          new Offset(1, 0),
          new Offset(-1, 1),
          new Offset(0, 1),
          new Offset(0, -1));

  /** Those of the paper's example for (2, 2): (1, 3), (2, 2), (2, 3), (3, 2), (3, 3). */
  private static final List<Offset> OF_THE_EXAMPLE =
      List.of(
          new Offset(0, 0),
          new Offset(1, 0),
          new Offset(-1, 1),
          new Offset(0, 1),
          new Offset(1, 1));

  private record Offset(int row, int column) {
    boolean isNextTo(Offset other) {
      return Math.abs(row - other.row) < 2 && Math.abs(column - other.column) < 2;
    }
  }

  private record Star(int low, int middle, int high) {
    static Star of(int a, int b, int c) {
      int[] sorted = IntStream.of(a, b, c).sorted().toArray();
      return new Star(sorted[0], sorted[1], sorted[2]);
    }
  }

  /** Only the list of the example leaves the 13 combinations of two cells that the paper counts. */
  @Test
  void thePrintedListDoesNotHaveThirteenCombinations() {
    assertThat(combinations(PRINTED)).isEqualTo(12);
    assertThat(combinations(OF_THE_EXAMPLE)).isEqualTo(13);
  }

  private static int combinations(List<Offset> cells) {
    int near = 0;
    for (int i = 0; i < cells.size(); i++) {
      for (int j = i; j < cells.size(); j++) {
        near += cells.get(i).isNextTo(cells.get(j)) ? 1 : 0;
      }
    }
    return near;
  }

  @Test
  void thePrintedListMissesStarsAndFindsOthersTwice() {
    SensorField field = BenchmarkField.of(1600, 1);
    Set<Star> stars = allStars(field);
    assertThat(stars).hasSize(4546);

    Map<Star, Integer> printed = findByCells(field, PRINTED);
    Map<Star, Integer> right = findByCells(field, OF_THE_EXAMPLE);

    assertThat(stars).containsAll(printed.keySet());
    long missed = stars.size() - printed.size();
    long twice = printed.values().stream().filter(times -> times == 2).count();
    assertThat((double) missed / stars.size()).isCloseTo(0.13, within(0.005));
    assertThat((double) twice / stars.size()).isCloseTo(0.22, within(0.005));
    assertThat(right.keySet()).isEqualTo(stars);
    assertThat(right.values()).containsOnly(1);
  }

  /** The sides 3, 4 and 5 have a circle of radius 5/2, the half of the hypotenuse. */
  @Test
  void formulaOneGivesTwiceTheRadius() {
    assertThat(circumradius(3, 4, 5, 2)).isEqualTo(5);
    assertThat(circumradius(3, 4, 5, 4)).isEqualTo(2.5);
    Triangle triangle = new Triangle(0, 0, 3, 0, 0, 4);
    assertThat(triangle.isCircumradiusAtMost(2.5)).isTrue();
    assertThat(triangle.isCircumradiusAtMost(Math.nextDown(2.5))).isFalse();
  }

  /** A side is at most 2r, so sides above R leave no triangle of which twice the radius is R. */
  @Test
  void formulaOneAsPrintedFindsNoStar() {
    SensorField field = BenchmarkField.of(1600, 1);
    Set<Star> stars = allStars(field);
    assertThat(stars).hasSize(4546);
    assertThat(stars).noneMatch(star -> circumradius(field, star, 2) <= RANGE);
    assertThat(stars).allMatch(star -> circumradius(field, star, 4) <= RANGE * (1 + 1e-12));
  }

  /**
   * A circle of radius 50 exactly: "less than R" in I and II-C, "smaller than or equals" in III-C.
   */
  @Test
  void theTwoDefinitionsOfAStarDiffer() {
    Triangle triangle = new Triangle(50, 0, -30, 40, -30, -40);
    assertThat(triangle.isSpread(RANGE)).isTrue();
    assertThat(triangle.isCircumradiusAtMost(RANGE)).isTrue();
    assertThat(triangle.isCircumradiusAtMost(Math.nextDown((double) RANGE))).isFalse();
  }

  /** Tables by integer lengths lose 4.2% of the stars and add 0.6%. */
  @Test
  void roundedLengthsChangeTheResult() {
    SensorField field = BenchmarkField.of(3200, 2);
    Set<Star> stars = findByCells(field, OF_THE_EXAMPLE).keySet();
    Set<Star> rounded = new HashSet<>();
    forEachTriple(
        field,
        OF_THE_EXAMPLE,
        star -> {
          if (isStarByRoundedLengths(field, star)) {
            rounded.add(star);
          }
        });
    long both = rounded.stream().filter(stars::contains).count();
    assertThat((double) (stars.size() - both) / stars.size()).isCloseTo(0.042, within(0.001));
    assertThat((double) (rounded.size() - both) / stars.size()).isCloseTo(0.006, within(0.001));
  }

  private static boolean isStarByRoundedLengths(SensorField field, Star star) {
    double a = Math.rint(length(field, star.low(), star.middle()));
    double b = Math.rint(length(field, star.middle(), star.high()));
    double c = Math.rint(length(field, star.high(), star.low()));
    double heron = (a + b + c) * (-a + b + c) * (a - b + c) * (a + b - c);
    return Math.min(a, Math.min(b, c)) > RANGE
        && heron > 0
        && a * a * b * b * c * c <= RANGE * RANGE * heron;
  }

  /** From 12,800 sensors on, and in 17 of 20 fields of 6,400, all sensors are one network. */
  @Test
  void theLargerFieldsNeedNoRelay() {
    try (Engine engine = Engine.open("cpu")) {
      assertThat(relays(engine, 1600, 1)).isPositive();
      assertThat(relays(engine, 3200, 1)).isPositive();
      int connected = 0;
      for (int seed = 1; seed <= 20; seed++) {
        connected += relays(engine, 6400, seed) == 0 ? 1 : 0;
        assertThat(relays(engine, 12_800, seed)).isZero();
      }
      assertThat(connected).isEqualTo(17);
      assertThat(relays(engine, 102_400, 1)).isZero();
    }
  }

  private static int relays(Engine engine, int sensors, int seed) {
    return new RelayPlanner(engine, BenchmarkField.of(sensors, seed), RANGE).spanningTreeRelays();
  }

  private static double circumradius(SensorField field, Star star, int divisor) {
    return circumradius(
        length(field, star.low(), star.middle()),
        length(field, star.middle(), star.high()),
        length(field, star.high(), star.low()),
        divisor);
  }

  /** Formula (1), which the paper prints with the divisor 2. */
  private static double circumradius(double a, double b, double c, int divisor) {
    double s = (a + b + c) / 2;
    return a * b * c / (divisor * Math.sqrt(s * (s - a) * (s - b) * (s - c)));
  }

  private static double length(SensorField field, int p, int q) {
    return Math.hypot(field.x(p) - field.x(q), field.y(p) - field.y(q));
  }

  /** Finds the stars by the definition, without cells. */
  private static Set<Star> allStars(SensorField field) {
    Set<Star> stars = new HashSet<>();
    for (int p = 0; p < field.size(); p++) {
      int first = p;
      int[] near =
          IntStream.range(p + 1, field.size()).filter(q -> mayBeSide(field, first, q)).toArray();
      for (int i = 0; i < near.length; i++) {
        for (int j = i + 1; j < near.length; j++) {
          Star star = new Star(p, near[i], near[j]);
          if (isStar(field, star)) {
            stars.add(star);
          }
        }
      }
    }
    return stars;
  }

  private static boolean mayBeSide(SensorField field, int p, int q) {
    return Distance.compare(field.x(p), field.y(p), field.x(q), field.y(q), RANGE) > 0
        && Distance.compare(field.x(p), field.y(p), field.x(q), field.y(q), CELL) <= 0;
  }

  private static boolean isStar(SensorField field, Star star) {
    int p = star.low();
    int q = star.middle();
    int r = star.high();
    Triangle triangle =
        new Triangle(field.x(p), field.y(p), field.x(q), field.y(q), field.x(r), field.y(r));
    return triangle.isSpread(RANGE) && triangle.isCircumradiusAtMost(RANGE);
  }

  /** Returns how often a search by cells finds each star. */
  private static Map<Star, Integer> findByCells(SensorField field, List<Offset> cells) {
    Map<Star, Integer> found = new HashMap<>();
    forEachTriple(
        field,
        cells,
        star -> {
          if (isStar(field, star)) {
            found.merge(star, 1, Integer::sum);
          }
        });
    return found;
  }

  /** Visits triples with a sensor in a cell and two in that cell or its neighbours of the list. */
  private static void forEachTriple(SensorField field, List<Offset> cells, Consumer<Star> visitor) {
    Map<Offset, List<Integer>> grid = new HashMap<>();
    for (int i = 0; i < field.size(); i++) {
      Offset cell = new Offset((int) field.y(i) / CELL, (int) field.x(i) / CELL);
      grid.computeIfAbsent(cell, _ -> new ArrayList<>()).add(i);
    }
    for (int cell = 0; cell < ROWS * ROWS; cell++) {
      int row = cell / ROWS;
      int column = cell % ROWS;
      List<Integer> sensors = new ArrayList<>();
      for (Offset offset : cells) {
        Offset neighbour = new Offset(row + offset.row(), column + offset.column());
        sensors.addAll(grid.getOrDefault(neighbour, List.of()));
      }
      int own = grid.getOrDefault(new Offset(row, column), List.of()).size();
      for (int i = 0; i < own; i++) {
        visitFrom(field, sensors, i, visitor);
      }
    }
  }

  private static void visitFrom(
      SensorField field, List<Integer> sensors, int first, Consumer<Star> visitor) {
    for (int j = first + 1; j < sensors.size(); j++) {
      double side = length(field, sensors.get(first), sensors.get(j));
      if (side > RANGE - 1 && side <= CELL + 1) {
        for (int k = j + 1; k < sensors.size(); k++) {
          visitor.accept(Star.of(sensors.get(first), sensors.get(j), sensors.get(k)));
        }
      }
    }
  }
}
