package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gaps longer than 2R are joined by trees that branch between the sensors. */
class SteinerTreeTest {

  private static Engine engine;

  @BeforeAll
  static void open() {
    engine = Engine.open("cpu", new EngineOptions(2));
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  @ParameterizedTest
  @CsvSource({"58, 2, 1", "30, 6, 4", "10, 18, 16", "1, 198, 172"})
  void anEquilateralTriangleBranchesInItsMiddle(double range, int tree, int best) {
    double[] xs = {0, 100, 50};
    double[] ys = {0, 0, Math.sqrt(7500)};
    RelayPlanner planner = new RelayPlanner(engine, field(xs, ys), range);
    RelayPlan plan = planner.plan(PlanMethod.BEST_STARS);

    assertThat(planner.spanningTreeRelays()).isEqualTo(tree);
    assertThat(plan.relays()).hasSize(best);
    assertThat(plan.count(Relay.Kind.STAR)).isOne();
    assertThat(plan.relays().getFirst().kind()).isEqualTo(Relay.Kind.STAR);
    assertThat(plan.relays().getFirst().x()).isCloseTo(50, within(range));
  }

  /** The same on the earth, where the sides are a hundred kilometres. */
  @Test
  void aTriangleOnTheEarthBranchesToo() {
    double degrees = Math.toDegrees(100_000 / Projection.EARTH_RADIUS);
    SensorField field =
        SensorField.geographic(
            List.of("a", "b", "c"),
            new double[] {0, 0, degrees * Math.sqrt(0.75)},
            new double[] {0, degrees, degrees / 2});
    RelayPlanner planner = new RelayPlanner(engine, field, 30_000);
    assertThat(planner.plan(PlanMethod.BEST_STARS).relays()).hasSize(4);
    assertThat(planner.plan(PlanMethod.THREE_STARS).relays()).hasSize(6);
  }

  /** Groups of several sensors have no edges inside. */
  @Test
  void groupsAreJoinedAtTheirNearestSensors() {
    double[] xs = {-40, -20, 0, 100, 120, 140, 50, 50, 50};
    double[] ys = {0, 0, 0, 0, 0, 0, 86.6, 106.6, 126.6};
    RelayPlan plan = new RelayPlanner(engine, field(xs, ys), 30).plan(PlanMethod.BEST_STARS);
    assertThat(plan.groups().count()).isEqualTo(3);
    assertThat(plan.relays()).hasSize(4);
  }

  /** Random fields against every topology. */
  @ParameterizedTest
  @CsvSource({"3, 20", "4, 20", "5, 12", "6, 8", "7, 5", "8, 3"})
  void plansAreNearlyAsShortAsCanBe(int sensors, int fields) {
    SplittableRandom random = new SplittableRandom(sensors);
    for (int i = 0; i < fields; i++) {
      double[] xs = random.doubles(sensors, 0, 1000).toArray();
      double[] ys = random.doubles(sensors, 0, 1000).toArray();
      double length = length(xs, ys, 1);
      double optimum = SteinerOptimum.length(xs, ys, length);
      assertThat(length).isBetween(optimum * (1 - 1e-6), optimum * 1.01);
    }
  }

  /**
   * 2 × n points at distance 1, n even: F. R. K. Chung and R. L. Graham, "Steiner trees for
   * ladders", Annals of Discrete Mathematics 2 (1978), pp. 173–200. A spanning tree has 2n − 1.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6, 10, 20, 50})
  void laddersAreNearlyAsShortAsCanBe(int rungs) {
    double[] xs = IntStream.range(0, 2 * rungs).mapToDouble(i -> 1000 * (i / 2)).toArray();
    double[] ys = IntStream.range(0, 2 * rungs).mapToDouble(i -> 1000 * (i % 2)).toArray();
    double optimum = 1000 * (rungs * (1 + Math.sqrt(0.75)) - 1);
    assertThat(length(xs, ys, 1)).isBetween(optimum * (1 - 1e-6), optimum * 1.01);
  }

  /**
   * Of six points and more on a circle, the polygon less a side is the shortest tree: D. Z. Du, F.
   * K. Hwang and J. F. Weng, Discrete and Computational Geometry 2 (1987), pp. 65–84.
   */
  @ParameterizedTest
  @ValueSource(ints = {6, 7, 12, 40, 100})
  void polygonsNeedNoBranches(int corners) {
    double[] xs =
        IntStream.range(0, corners).mapToDouble(i -> Math.cos(i * Math.TAU / corners)).toArray();
    double[] ys =
        IntStream.range(0, corners).mapToDouble(i -> Math.sin(i * Math.TAU / corners)).toArray();
    double optimum = (corners - 1) * 2 * Math.sin(Math.PI / corners);
    assertThat(length(xs, ys, 0.001)).isCloseTo(optimum, within(1e-6));
  }

  /** In large fields a tree with branches is about 3.2 % shorter, of which we find the most. */
  @ParameterizedTest
  @ValueSource(ints = {30, 100, 1000})
  void randomFieldsAreShorterThanTheSpanningTree(int sensors) {
    SplittableRandom random = new SplittableRandom(sensors);
    double[] xs = random.doubles(sensors, 0, 1000).toArray();
    double[] ys = random.doubles(sensors, 0, 1000).toArray();
    double range = 1;
    RelayPlanner planner = new RelayPlanner(engine, field(xs, ys), range);
    RelayPlan best = planner.plan(PlanMethod.BEST_STARS);
    assertThat(best.relays().size()).isLessThan(planner.spanningTreeRelays());
    assertThat(length(best)).isLessThan(0.98 * length(planner.plan(PlanMethod.SPANNING_TREE)));
  }

  private static double length(double[] xs, double[] ys, double range) {
    return length(new RelayPlanner(engine, field(xs, ys), range).plan(PlanMethod.BEST_STARS));
  }

  private static double length(RelayPlan plan) {
    return plan.links(engine).stream().mapToDouble(RelayPlan.Link::length).sum();
  }

  private static SensorField field(double[] xs, double[] ys) {
    assertThat(xs).hasSameSizeAs(ys);
    return SensorField.planar(
        BenchmarkField.ids(xs.length), Arrays.copyOf(xs, xs.length), Arrays.copyOf(ys, ys.length));
  }
}
