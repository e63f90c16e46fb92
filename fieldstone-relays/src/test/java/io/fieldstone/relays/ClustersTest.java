package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.plane.Distance;
import io.fieldstone.relays.graph.DisjointSets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields whose sensors are in clusters far smaller than the range. */
class ClustersTest {

  private static final double RANGE = 100;

  private static Engine engine;

  @BeforeAll
  static void open() {
    engine = Engine.open("cpu");
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  /** The places of the sensors of a cluster. */
  enum Cluster {
    SQUARE,
    LINE,
    LATTICE,
    ONE_PLACE
  }

  /** Clusters at any places, some of whose triples have the bounds of the rule among them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void countsTheStarsOfAllTriples(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Cluster kind = Cluster.values()[seed % 4];
    double size = seed % 3 == 0 ? 0.01 : seed % 3 == 1 ? 3 : 60;
    SensorField sensors = clusters(random, kind, 3 + random.nextInt(5), 12, size);
    for (StarRule rule : StarRule.values()) {
      StarField field = stars(sensors, rule);
      for (int threads : new int[] {1, 3}) {
        BoxStars boxes = new BoxStars(threads, field);
        assertThat(boxes.count(threads, _ -> {})).isEqualTo(starsOfAllTriples(field));
      }
    }
  }

  /** Where large boxes are not divided, the bound is near below the number. */
  @ParameterizedTest
  @ValueSource(doubles = {0.01, 3, 30})
  void boxesBoundTheStarsFromBelow(double size) {
    SensorField sensors = triangle(new SplittableRandom(10), Cluster.SQUARE, 60, size);
    for (StarRule rule : StarRule.values()) {
      StarField field = stars(sensors, rule);
      long all = starsOfAllTriples(field);
      BoxStars boxes = new BoxStars(1, field);
      long last = 0;
      for (double side = RANGE / 2; side > 0.1; side /= 4) {
        StarEstimate estimate = boxes.estimate(2, side);
        assertThat(estimate.stars()).isBetween(last, all);
        if (estimate.kind() == StarEstimate.Kind.EXACT) {
          assertThat(estimate.stars()).isEqualTo(all);
        }
        last = estimate.stars();
      }
      assertThat(boxes.estimate(1, 0)).isEqualTo(new StarEstimate(all, StarEstimate.Kind.EXACT));
      assertThat(last).isGreaterThan(all * 9 / 10);
    }
  }

  /** 8·10^12 stars take a terabyte, which is known before they are searched. */
  @Test
  void aFileOfClustersIsRefusedAtOnce(@TempDir Path directory) {
    int each = 100_000;
    SensorField sensors = triangle(new SplittableRandom(11), Cluster.SQUARE, each, 0.01);
    Path file = directory.resolve("stars");
    try (ThreeStarSearch search =
        ThreeStarSearch.in(engine, sensors, RANGE, StarRule.CIRCUMCIRCLE)) {
      assertThat(search.estimate())
          .contains(new StarEstimate((long) each * each * each, StarEstimate.Kind.EXACT));
      assertThatThrownBy(() -> search.measure(file, _ -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(
              "not enough space for 1,000,000,000,000,000 3-stars: at least 125,000,000,000,000"
                  + " bytes are needed")
          .hasMessageEndingWith(": " + file);
    }
  }

  @Test
  void denseFieldsAreEstimatedFromSomeSensors() {
    SplittableRandom random = new SplittableRandom(12);
    double[] xs = random.doubles(24_000, 0, 4 * RANGE).toArray();
    double[] ys = random.doubles(24_000, 0, 4 * RANGE).toArray();
    SensorField few = SensorField.planar(BenchmarkField.ids(3000), first(xs), first(ys));
    SensorField all = SensorField.planar(BenchmarkField.ids(24_000), xs, ys);
    try (ThreeStarSearch ofFew = ThreeStarSearch.in(engine, few, RANGE, StarRule.CIRCUMCIRCLE);
        ThreeStarSearch ofAll = ThreeStarSearch.in(engine, all, RANGE, StarRule.CIRCUMCIRCLE)) {
      assertThat(ofFew.estimate()).isEmpty();
      StarEstimate estimate = ofAll.estimate().orElseThrow();
      assertThat(estimate.kind()).isEqualTo(StarEstimate.Kind.ABOUT);
      assertThat(estimate.stars() / 512.0 / ofFew.count()).isBetween(0.8, 1.25);
    }
  }

  private static double[] first(double[] values) {
    return Arrays.copyOf(values, 3000);
  }

  /** Sensors exactly R and 2R apart, and triples on a circle of radius R. */
  @Test
  void countsTheStarsAtTheBounds() {
    double[] xs = new double[7 * 7 * 3];
    double[] ys = new double[xs.length];
    for (int i = 0; i < xs.length; i++) {
      xs[i] = i % 7 * RANGE / 2;
      ys[i] = i / 7 % 7 * RANGE / 2;
    }
    for (StarRule rule : StarRule.values()) {
      StarField field = stars(SensorField.planar(BenchmarkField.ids(xs.length), xs, ys), rule);
      assertThat(new BoxStars(1, field).count(1, _ -> {}))
          .isEqualTo(starsOfAllTriples(field))
          .isPositive();
    }
  }

  /** All triples would be 8·10^12. */
  @ParameterizedTest
  @EnumSource(Cluster.class)
  void testsFewBoxesOfManySensors(Cluster kind) {
    int each = 20_000;
    SensorField sensors = triangle(new SplittableRandom(1), kind, each, 0.01);
    for (StarRule rule : StarRule.values()) {
      BoxStars boxes = new BoxStars(1, stars(sensors, rule));
      assertThat(boxes.count(1, _ -> {})).isEqualTo((long) each * each * each);
      assertThat(boxes.tests()).isLessThan(2 * 3 * each);
    }
  }

  @Test
  void reportsTheSensorsThatAreCounted() {
    int each = 5000;
    SensorField sensors = triangle(new SplittableRandom(2), Cluster.SQUARE, each, 0.01);
    int[] last = {0};
    IntConsumer progress =
        done -> {
          assertThat(done).isGreaterThan(last[0]);
          last[0] = done;
        };
    try (ThreeStarSearch search =
        ThreeStarSearch.in(engine, sensors, RANGE, StarRule.CIRCUMCIRCLE)) {
      assertThat(search.count(progress))
          .isEqualTo(search.count())
          .isEqualTo((long) each * each * each);
    }
    assertThat(last[0]).isEqualTo(3 * each);
  }

  /** A search tests pairs fast, so boxes must be far fewer. */
  @Test
  void boxesAreForClustersOnly() {
    SplittableRandom random = new SplittableRandom(3);
    assertThat(Clusters.areIn(stars(triangle(random, Cluster.SQUARE, 20, 0.01)))).isFalse();
    assertThat(Clusters.areIn(stars(triangle(random, Cluster.SQUARE, 2000, 0.01)))).isTrue();
    assertThat(Clusters.areIn(stars(BenchmarkField.of(102_400, 1)))).isFalse();
    double[] xs = random.doubles(60_000, 0, 4 * RANGE).toArray();
    double[] ys = random.doubles(60_000, 0, 4 * RANGE).toArray();
    assertThat(Clusters.areIn(stars(SensorField.planar(BenchmarkField.ids(60_000), xs, ys))))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void boxesLinkTheSensorsOfAllPairs(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Cluster kind = Cluster.values()[seed % 4];
    double size = seed % 3 == 0 ? 0.01 : seed % 3 == 1 ? 30 : 150;
    SensorField field = clusters(random, kind, 12, 20, size);
    DisjointSets all = new DisjointSets(field.size());
    for (int a = 0; a < field.size(); a++) {
      for (int b = 0; b < a; b++) {
        if (Distance.compare(field.x(a), field.y(a), field.x(b), field.y(b), RANGE) <= 0) {
          all.join(a, b);
        }
      }
    }
    DisjointSets sets = new DisjointSets(field.size());
    BoxLinks.join(BoxTree.ofSinglePoints(1, field.xs(), field.ys()), RANGE, sets);
    for (int sensor = 0; sensor < field.size(); sensor++) {
      assertThat(sets.find(sensor)).isEqualTo(all.find(sensor));
    }
  }

  /** All pairs would be 1.8·10^9. */
  @ParameterizedTest
  @EnumSource(Cluster.class)
  void linksManySensorsByFewPairs(Cluster kind) {
    SensorField field = triangle(new SplittableRandom(4), kind, 20_000, 0.01);
    DisjointSets sets = new DisjointSets(field.size());
    assertThat(BoxLinks.join(BoxTree.ofSinglePoints(1, field.xs(), field.ys()), RANGE, sets))
        .isLessThan(20_000);
    assertThat(sets.count()).isEqualTo(3);
    double[] xs = new SplittableRandom(5).doubles(60_000, 0, 2 * RANGE).toArray();
    DisjointSets dense = new DisjointSets(xs.length);
    assertThat(BoxLinks.join(BoxTree.ofSinglePoints(1, xs, xs), RANGE, dense))
        .isLessThan(1_000_000);
    assertThat(dense.count()).isOne();
  }

  /** Wherever a relay reaches a sensor of a group, it reaches a selected one. */
  @ParameterizedTest
  @EnumSource(Cluster.class)
  void theOutlineReachesWhatAllSensorsReach(Cluster kind) {
    SplittableRandom random = new SplittableRandom(6);
    for (double size : new double[] {0.01, 40, 90}) {
      SensorField field = clusters(random, kind, 3, 400, size);
      Groups groups = Groups.of(engine, field, RANGE);
      int[] outline = Outline.of(engine, field, RANGE, groups);
      assertThat(outline).isSorted().hasSizeLessThanOrEqualTo(12 * 4 * Outline.MAX_SENSORS);
      boolean isCut = kind == Cluster.LINE || kind == Cluster.LATTICE;
      double slack = isCut && size > 1 ? 0.01 : ConnectionTest.TOLERANCE;
      for (int i = 0; i < 2000; i++) {
        int sensor = random.nextInt(field.size());
        double angle = random.nextDouble() * Math.TAU;
        double x = field.x(sensor) + RANGE * Math.cos(angle);
        double y = field.y(sensor) + RANGE * Math.sin(angle);
        assertThat(Arrays.stream(outline).boxed())
            .anyMatch(selected ->
                groups.of(selected) == groups.of(sensor)
                    && Math.hypot(field.x(selected) - x, field.y(selected) - y)
                        <= RANGE * (1 + slack));
      }
    }
  }

  @Test
  void sparseFieldsKeepAllSensors() {
    SensorField field = BenchmarkField.of(1600, 1);
    assertThat(Outline.of(engine, field, 50, Groups.of(engine, field, 50)))
        .isEqualTo(IntStream.range(0, 1600).toArray());
  }

  /** A plan for clusters is that for one sensor of each, unless a bound is within a cluster. */
  @ParameterizedTest
  @EnumSource(PlanMethod.class)
  void clustersArePlannedLikeTheirSensors(PlanMethod method) {
    for (int seed = 1; seed <= 5; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] xs = random.doubles(25, 0, 9 * RANGE).toArray();
      double[] ys = random.doubles(25, 0, 9 * RANGE).toArray();
      SensorField single = SensorField.planar(BenchmarkField.ids(25), xs, ys);
      SensorField field = around(random, Cluster.values()[seed % 4], xs, ys, 200, 0.001);
      RelayPlan plan = new RelayPlanner(engine, field, RANGE).plan(method);
      RelayPlan planOfSingle = new RelayPlanner(engine, single, RANGE).plan(method);
      assertThat(plan.groups().count()).isEqualTo(planOfSingle.groups().count());
      assertThat(plan.relays()).hasSameSizeAs(planOfSingle.relays());
      assertThat(new ConnectionTest(field, plan.relays(), RANGE).networks()).isOne();
    }
  }

  @ParameterizedTest
  @EnumSource(Cluster.class)
  void aPlaceReachesTheGroupsOfAllSensors(Cluster kind) {
    SplittableRandom random = new SplittableRandom(8);
    SensorField field = clusters(random, kind, 12, 40, 30);
    Groups groups = Groups.of(engine, field, RANGE);
    GroupSearch search = new GroupSearch(1, field, RANGE, groups);
    for (int i = 0; i < 200; i++) {
      double x = random.nextDouble() * 4 * RANGE;
      double y = i == 0 ? field.y(0) : random.nextDouble() * 4 * RANGE;
      assertThat(search.at(x, y))
          .isEqualTo(
              IntStream.range(0, field.size())
                  .filter(s -> Distance.compare(x, y, field.x(s), field.y(s), RANGE) <= 0)
                  .map(groups::of)
                  .distinct()
                  .sorted()
                  .toArray());
    }
  }

  /** 60,000 sensors beside 90 sites; their pairs would be 1.8·10^9. */
  @Test
  void sitesJoinLargeClusters() throws UnreachableSensorsException {
    SplittableRandom random = new SplittableRandom(9);
    SensorField field = triangle(random, Cluster.SQUARE, 20_000, 0.01);
    double[] xs = random.doubles(90, -20, 170).toArray();
    double[] ys = random.doubles(90, -20, 150).toArray();
    SensorField sites = field.alongside(BenchmarkField.ids(90), xs, ys);
    RelayPlanner planner = new RelayPlanner(engine, field, RANGE);
    assertThat(planner.plan(sites).relays()).hasSize(1);
    GroupSearch search = new GroupSearch(1, field, RANGE, planner.groups());
    for (int site = 0; site < 90; site++) {
      search.at(xs[site], ys[site]);
    }
    assertThat(search.compared()).isLessThan(field.size());
  }

  /** 60,000 sensors, of which one relay joins three groups. */
  @ParameterizedTest
  @EnumSource(Cluster.class)
  void aStarJoinsThreeLargeClusters(Cluster kind) {
    SensorField field = triangle(new SplittableRandom(7), kind, 20_000, 0.01);
    RelayPlan plan = new RelayPlanner(engine, field, RANGE).plan(PlanMethod.BEST_STARS);
    assertThat(plan.groups().count()).isEqualTo(3);
    assertThat(plan.relays()).hasSize(1);
  }

  private static StarField stars(SensorField sensors) {
    return stars(sensors, StarRule.CIRCUMCIRCLE);
  }

  private static StarField stars(SensorField field, StarRule rule) {
    Binning binning =
        Binning.of(engine, field.xs(), field.ys(), StarField.grid(field.xs(), field.ys(), RANGE));
    return new StarField(binning.xs(), binning.ys(), RANGE, rule);
  }

  private static long starsOfAllTriples(StarField field) {
    long stars = 0;
    for (int a = 0; a < field.points(); a++) {
      for (int b = 0; b < a; b++) {
        for (int c = 0; c < b; c++) {
          stars += field.isStar(a, b, c) ? 1 : 0;
        }
      }
    }
    return stars;
  }

  /** Three clusters, of which all triples are stars. */
  private static SensorField triangle(
      SplittableRandom random, Cluster kind, int each, double size) {
    return around(random, kind, new double[] {0, 150, 75}, new double[] {0, 0, 130}, each, size);
  }

  private static SensorField clusters(
      SplittableRandom random, Cluster kind, int clusters, int each, double size) {
    double[] xs = random.doubles(clusters, 0, 4 * RANGE).toArray();
    double[] ys = random.doubles(clusters, 0, 4 * RANGE).toArray();
    return around(random, kind, xs, ys, each, size);
  }

  private static SensorField around(
      SplittableRandom random,
      Cluster kind,
      double[] centreXs,
      double[] centreYs,
      int each,
      double size) {
    List<double[]> places =
        IntStream.range(0, centreXs.length * each)
            .mapToObj(i -> {
              double dx = random.nextDouble() * size;
              double dy = random.nextDouble() * size;
              double[] offset =
                  switch (kind) {
                    case SQUARE -> new double[] {dx, dy};
                    case LINE -> new double[] {dx, 0};
                    case LATTICE ->
                        new double[] {
                          Math.rint(dx / size * 30) * size / 30,
                          Math.rint(dy / size * 30) * size / 30
                        };
                    case ONE_PLACE -> new double[] {0, 0};
                  };
              return new double[] {centreXs[i / each] + offset[0], centreYs[i / each] + offset[1]};
            })
            .toList();
    double[] xs = places.stream().mapToDouble(place -> place[0]).toArray();
    double[] ys = places.stream().mapToDouble(place -> place[1]).toArray();
    return SensorField.planar(BenchmarkField.ids(xs.length), xs, ys);
  }
}
