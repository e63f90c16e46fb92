package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.plane.Distance;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelayPlannerTest {

  private static Engine engine;

  @BeforeAll
  static void open() {
    engine = Engine.open("cpu");
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  @Test
  void aTriangleTakesOneStarOrTwoLinks() {
    SensorField field = field(0, 0, 60, 0, 30, 52);
    RelayPlanner planner = new RelayPlanner(engine, field, 50);
    assertThat(planner.groups().count()).isEqualTo(3);
    assertThat(planner.spanningTreeRelays()).isEqualTo(2);
    RelayPlan tree = planner.plan(PlanMethod.SPANNING_TREE);
    assertThat(tree.relays()).hasSize(2);
    assertThat(tree.count(Relay.Kind.LINK)).isEqualTo(2);
    for (PlanMethod method : List.of(PlanMethod.THREE_STARS, PlanMethod.BEST_STARS)) {
      RelayPlan plan = planner.plan(method);
      assertThat(plan.relays()).hasSize(1);
      assertThat(plan.count(Relay.Kind.STAR)).isOne();
      assertThat(plan.spanningTreeRelays()).isEqualTo(2);
    }
  }

  /** In doubles, 0.4 − 0.1 and 100000.4 − 100000.1 are not at most 0.3. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 100_000, -0.5})
  void distancesAreComparedInDecimalsAsWritten(double x) {
    SensorField linked = field(sum(x, "0.1"), 0, sum(x, "0.4"), 0, sum(x, "0.4"), 0.3);
    assertThat(new RelayPlanner(engine, linked, 0.3).groups().count()).isOne();
    assertThat(new ConnectionTest(linked, List.of(), 0.3).networks()).isOne();

    SensorField apart = field(sum(x, "0.1"), 0, sum(x, "0.400001"), 0);
    RelayPlanner planner = new RelayPlanner(engine, apart, 0.3);
    assertThat(planner.groups().count()).isEqualTo(2);
    for (PlanMethod method : PlanMethod.values()) {
      assertThat(planner.plan(method).relays()).hasSize(1);
      assertThat(planner.plan(method).field()).isSameAs(apart);
      assertThat(planner.plan(method).range()).isEqualTo(0.3);
    }
    assertThat(planner.plan(PlanMethod.BEST_STARS).relays().getFirst().x())
        .isCloseTo(x + 0.2500005, within(1e-9));
  }

  private static double sum(double x, String decimal) {
    return BigDecimal.valueOf(x).add(new BigDecimal(decimal)).doubleValue();
  }

  @Test
  void sitesAreComparedInDecimalsAsWritten() throws UnreachableSensorsException {
    SensorField sensors = field(0.1, 0, 0.7, 0);
    SensorField sites = sensors.alongside(List.of("s"), new double[] {0.4}, new double[] {0});
    RelayPlan plan = new RelayPlanner(engine, sensors, 0.3).plan(sites);
    assertThat(plan.relays()).containsExactly(new Relay(0.4, 0, Relay.Kind.SITE, Optional.of("s")));
  }

  /** Each place has the sensors of one of three, of which a star joins all. */
  @ParameterizedTest
  @EnumSource(PlanMethod.class)
  @Timeout(30) // Pairs of all sensors would take minutes, and triples days.
  void sensorsAtTheSamePlaceArePlannedAsOne(PlanMethod method) {
    double[] three = {0, 0, 6, 0, 3, 5.2};
    int sensors = 60_000;
    double[] coordinates = new double[2 * sensors];
    for (int i = 0; i < sensors; i++) {
      System.arraycopy(three, 2 * (i % 3), coordinates, 2 * i, 2);
    }
    SensorField field = field(coordinates);
    RelayPlan plan = new RelayPlanner(engine, field, 5).plan(method);
    RelayPlan planOfThree = new RelayPlanner(engine, field(three), 5).plan(method);

    assertThat(plan.relays()).isEqualTo(planOfThree.relays());
    assertThat(plan.field()).isSameAs(field);
    assertThat(plan.groups().count()).isEqualTo(3);
    assertThat(plan.groups().of(59_999)).isEqualTo(2);
    assertThat(plan.links(engine)).hasSize(sensors + plan.relays().size() - 1);
  }

  @Test
  void starsBeyondTheMaximumOfARoundArePlacedInLaterRounds() {
    SensorField field =
        field(0, 0, 60, 0, 30, 52, 900, 0, 960, 0, 930, 52, 1800, 0, 1860, 0, 1830, 52);
    Groups groups = Groups.of(engine, field, 50);
    for (int maxStars : new int[] {1, 2, 3}) {
      List<SpanningTree.Edge> tree =
          SpanningTree.join(
              engine, field.xs(), field.ys(), new Placement(field, 50, groups).networksOfPoints());
      List<Relay> relays = new BestStars(engine, field, 50, groups, tree, maxStars).relays();
      assertThat(relays).filteredOn(relay -> relay.kind() == Relay.Kind.STAR).hasSize(3);
    }
  }

  /** Four sensors on a circle of radius R: one relay in the middle, which 3-stars do not see. */
  @Test
  void aSquareTakesOneRelay() {
    SensorField field = field(-30, -40, 40, -30, 30, 40, -40, 30);
    RelayPlanner planner = new RelayPlanner(engine, field, 50);
    assertThat(planner.spanningTreeRelays()).isEqualTo(3);
    assertThat(planner.plan(PlanMethod.THREE_STARS).relays()).hasSizeLessThanOrEqualTo(2);
    assertThat(planner.plan(PlanMethod.BEST_STARS).relays()).hasSize(1);
  }

  /**
   * ⌈length / R⌉ − 1 also where the length is a multiple of R, and where it is a hair more than R.
   */
  @Test
  void linksTakeAsFewAsCanBe() {
    assertThat(relaysFor(field(0, 0, 30, 40), 50)).isZero();
    assertThat(relaysFor(field(0, 0, 60, 80), 50)).isOne();
    assertThat(relaysFor(field(0, 0, 150, 200), 50)).isEqualTo(4);
    assertThat(relaysFor(field(0, 0, 0, Math.nextUp(50.0)), 50)).isOne();
    assertThat(relaysFor(field(0.1, 0, 0.4, 0), 0.1)).isEqualTo(2);
  }

  @Test
  void noRelaysForNoSensorOrOneOrAConnectedField() {
    for (SensorField field : List.of(field(), field(1, 2), field(0, 0, 0, 0, 10, 0))) {
      RelayPlanner planner = new RelayPlanner(engine, field, 50);
      for (PlanMethod method : PlanMethod.values()) {
        assertThat(planner.plan(method).relays()).isEmpty();
      }
      assertThat(planner.groups().count()).isEqualTo(Math.min(1, field.size()));
    }
  }

  @Test
  void refusesARangeThatTakesMillions() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RelayPlanner(engine, field(0, 0, 1e9, 0, 2e9, 0), 1))
        .withMessage(
            "at range 1.0 a spanning tree needs 1,999,999,998 relays, more than 1,000,000; the gap"
                + " between '2' and '1' takes 999,999,999");
  }

  @Test
  void namesTheLongestGap() {
    RelayPlanner planner = new RelayPlanner(engine, field(9000, 0, 0, 0, 40, 0, 200, 0), 50);
    assertThat(planner.longestGap()).contains(new RelayPlanner.Gap(3, 0, 8800, 175, 1));
    assertThat(new RelayPlanner(engine, field(0, 0, 1, 1), 50).longestGap()).isEmpty();
    SensorField decimals = field(0, 0, 0, 0, 1.5, 0);
    assertThat(new RelayPlanner(engine, decimals, 0.5).longestGap())
        .contains(new RelayPlanner.Gap(0, 2, 1.5, 2, 1));
  }

  @Test
  void groupsWithinADistance() {
    Groups groups = Groups.within(engine, field(0.1, 0, 0.4, 0, 0.8, 0), 0.3);
    assertThat(groups.count()).isEqualTo(2);
    assertThat(groups.of(1)).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Groups.within(engine, field(0, 0), -1))
        .withMessageContaining("-1.0");
  }

  /** The links join all nodes, and groups are joined only through relays. */
  @Test
  void linksHoldTheNetworkTogether() {
    SensorField field = field(0, 0, 10, 0, 10, 0, 90, 0);
    RelayPlan plan = new RelayPlanner(engine, field, 50).plan(PlanMethod.BEST_STARS);

    assertThat(plan.relays()).hasSize(1);
    assertThat(plan.links(engine))
        .containsExactlyInAnyOrder(
            new RelayPlan.Link(1, 2, 0),
            new RelayPlan.Link(0, 1, 10),
            new RelayPlan.Link(1, 4, 40),
            new RelayPlan.Link(3, 4, 40));
    assertThat(plan.groups().of(0)).isZero();
    assertThat(plan.groups().of(2)).isZero();
    assertThat(plan.groups().of(3)).isOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void allThreadsPlanAsOne(int kind) {
    SensorField field = random(new SplittableRandom(kind), 12_000, kind, 50);
    double range = kind == 2 ? 0.7 : kind == 3 ? 10 : 3;
    try (Engine one = Engine.open("cpu", new EngineOptions(1));
        Engine several = Engine.open("cpu", new EngineOptions(8))) {
      for (PlanMethod method : PlanMethod.values()) {
        RelayPlan plan = new RelayPlanner(one, field, range).plan(method);
        RelayPlan same = new RelayPlanner(several, field, range).plan(method);
        assertThat(same.relays()).isEqualTo(plan.relays());
        assertThat(same.links(several)).isEqualTo(plan.links(one));
      }
    }
  }

  /** Too few relays leave several networks. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void theTestCountsNetworks(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SensorField field = random(random, 20 + random.nextInt(150), seed % 4, 50);
    List<Relay> all = new RelayPlanner(engine, field, 50).plan(PlanMethod.BEST_STARS).relays();
    for (int count = 0; count <= all.size(); count += 1 + all.size() / 5) {
      List<Relay> some = all.subList(0, count);
      ConnectionTest test = new ConnectionTest(field, some, 50);
      assertThat(test.networks()).isEqualTo(networks(field, some, 50)).isEqualTo(test.networks());
    }
  }

  /** Uniform, clustered, on lattices and lines; each plan by a test of all pairs. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void plansConnectAndTakeNoMoreThanTheTree(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double range = seed % 3 == 0 ? 0.7 : 50;
    SensorField field = random(random, 20 + random.nextInt(150), seed % 4, range);
    RelayPlanner planner = new RelayPlanner(engine, field, range);
    int[] counts = new int[3];
    for (PlanMethod method : PlanMethod.values()) {
      RelayPlan plan = planner.plan(method);
      assertThat(networks(field, plan.relays(), range)).isOne();
      assertThat(plan.relays()).hasSizeLessThanOrEqualTo(planner.spanningTreeRelays());
      assertThat(plan.groups().count()).isEqualTo(networks(field, List.of(), range));
      counts[method.ordinal()] = plan.relays().size();
    }
    assertThat(counts[0])
        .isEqualTo(planner.spanningTreeRelays())
        .isEqualTo(primRelays(field, range));
    assertThat(counts[2]).isLessThanOrEqualTo(counts[1]);
  }

  /** By the benchmark's fields a relay of a star saves one of the tree's at least. */
  @Test
  void starsSave() {
    RelayPlanner planner = new RelayPlanner(engine, BenchmarkField.of(1600, 1), 50);
    int tree = planner.spanningTreeRelays();
    RelayPlan stars = planner.plan(PlanMethod.THREE_STARS);
    assertThat(stars.relays().size())
        .isLessThanOrEqualTo(tree - (int) stars.count(Relay.Kind.STAR))
        .isLessThan(tree);
    assertThat(planner.plan(PlanMethod.BEST_STARS).relays().size())
        .isLessThan(stars.relays().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void sitesConnectReachableSensors(int seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    SensorField field = random(random, 60, 0, 50);
    int size = 500;
    double[] xs = random.doubles(size, 0, 500).toArray();
    double[] ys = random.doubles(size, 0, 500).toArray();
    SensorField sites = field.alongside(BenchmarkField.ids(size), xs, ys);
    RelayPlan plan = new RelayPlanner(engine, field, 50).plan(sites);
    assertThat(networks(field, plan.relays(), 50)).isOne();
    assertThat(plan.relays().stream().map(relay -> relay.site().orElseThrow()).distinct())
        .hasSize(plan.relays().size());
    for (Relay relay : plan.relays()) {
      int site = Integer.parseInt(relay.site().orElseThrow());
      assertThat(relay.x()).isEqualTo(xs[site]);
      assertThat(relay.y()).isEqualTo(ys[site]);
      assertThat(relay.kind()).isEqualTo(Relay.Kind.SITE);
      List<Relay> without = new ArrayList<>(plan.relays());
      without.remove(relay);
      assertThat(networks(field, without, 50)).as("without " + relay).isGreaterThan(1);
    }
  }

  @Test
  void namesSensorsThatSitesCannotConnect() {
    SensorField field = field(0, 0, 90, 0, 1000, 0);
    SensorField sites =
        field.alongside(List.of("mast", "lamp"), new double[] {45, 500}, new double[2]);
    assertThatThrownBy(() -> new RelayPlanner(engine, field, 50).plan(sites))
        .isInstanceOf(UnreachableSensorsException.class)
        .hasMessageContaining("2 networks")
        .hasMessageContaining("'0'")
        .hasMessageContaining("'2'");
  }

  @Test
  void refusesARangeThatIsNone() {
    for (double range : new double[] {0, -5, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new RelayPlanner(engine, field(0, 0), range))
          .withMessageContaining("range " + range);
    }
  }

  private static int relaysFor(SensorField field, double range) {
    RelayPlanner planner = new RelayPlanner(engine, field, range);
    RelayPlan plan = planner.plan(PlanMethod.SPANNING_TREE);
    assertThat(plan.relays()).hasSize(planner.spanningTreeRelays());
    return plan.relays().size();
  }

  private static SensorField field(double... coordinates) {
    int size = coordinates.length / 2;
    double[] xs = new double[size];
    double[] ys = new double[size];
    for (int i = 0; i < size; i++) {
      xs[i] = coordinates[2 * i];
      ys[i] = coordinates[2 * i + 1];
    }
    return SensorField.planar(BenchmarkField.ids(size), xs, ys);
  }

  private static SensorField random(SplittableRandom random, int size, int kind, double range) {
    double[] coordinates = new double[2 * size];
    for (int i = 0; i < 2 * size; i++) {
      double place = random.nextDouble() * range * 10;
      coordinates[i] =
          switch (kind) {
            case 0 -> place;
            case 1 -> Math.rint(place / range * 2) * range / 2;
            case 2 -> i % 2 == 0 ? place * 20 : 0;
            default -> Math.rint(place / range / 3) * range * 3 + random.nextDouble() * range / 4;
          };
    }
    return field(coordinates);
  }

  /** By all pairs, and recursion's opposite: labels that spread until none changes. */
  private static int networks(SensorField field, List<Relay> relays, double range) {
    int nodes = field.size() + relays.size();
    int[] labels = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      labels[i] = i;
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int a = 0; a < nodes; a++) {
        for (int b = 0; b < a; b++) {
          if (labels[a] != labels[b] && linked(field, relays, a, b, range)) {
            labels[a] = Math.min(labels[a], labels[b]);
            labels[b] = labels[a];
            changed = true;
          }
        }
      }
    }
    return (int) Arrays.stream(labels).distinct().count();
  }

  /** Sensors exactly; relays, which are at doubles next to where they should be, nearly. */
  private static boolean linked(SensorField field, List<Relay> relays, int a, int b, double range) {
    return Math.max(a, b) < field.size()
        ? Distance.compare(field.x(a), field.y(a), field.x(b), field.y(b), range) <= 0
        : distance(field, relays, a, b) <= range * (1 + ConnectionTest.TOLERANCE);
  }

  private static double distance(SensorField field, List<Relay> relays, int a, int b) {
    return Math.hypot(
        x(field, relays, a) - x(field, relays, b), y(field, relays, a) - y(field, relays, b));
  }

  private static double x(SensorField field, List<Relay> relays, int node) {
    return node < field.size() ? field.x(node) : relays.get(node - field.size()).x();
  }

  private static double y(SensorField field, List<Relay> relays, int node) {
    return node < field.size() ? field.y(node) : relays.get(node - field.size()).y();
  }

  /** Relays of a minimum spanning tree, by Prim's method over all pairs, counted in relays. */
  private static int primRelays(SensorField field, double range) {
    int size = field.size();
    int[] least = new int[size];
    boolean[] inTree = new boolean[size];
    Arrays.fill(least, Integer.MAX_VALUE);
    least[0] = 0;
    int relays = 0;
    for (int step = 0; step < size; step++) {
      int next = -1;
      for (int i = 0; i < size; i++) {
        if (!inTree[i] && (next < 0 || least[i] < least[next])) {
          next = i;
        }
      }
      inTree[next] = true;
      relays += least[next];
      for (int i = 0; i < size; i++) {
        least[i] = Math.min(least[i], relaysBetween(field, next, i, range));
      }
    }
    return relays;
  }

  private static int relaysBetween(SensorField field, int a, int b, double range) {
    if (Distance.compare(field.x(a), field.y(a), field.x(b), field.y(b), range) <= 0) {
      return 0;
    }
    return (int) Math.max(1, Math.ceil(distance(field, List.of(), a, b) / range - 1e-10) - 1);
  }
}
