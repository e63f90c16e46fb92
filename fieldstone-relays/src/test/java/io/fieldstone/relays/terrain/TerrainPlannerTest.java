package io.fieldstone.relays.terrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.terrain.HeightGrid;
import io.fieldstone.engine.terrain.SightPaths;
import io.fieldstone.relays.Equipment;
import io.fieldstone.relays.PlanMethod;
import io.fieldstone.relays.Position;
import io.fieldstone.relays.Projection;
import io.fieldstone.relays.Relay;
import io.fieldstone.relays.RelayPlan;
import io.fieldstone.relays.RelayPlanner;
import io.fieldstone.relays.SensorField;
import io.fieldstone.relays.UnreachableSensorsException;
import io.fieldstone.relays.graph.StationGraph;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TerrainPlannerTest {

  private static final Engine ENGINE = Engine.open("cpu");
  private static final int SIDE = 401;
  private static final double STEP = 1.0 / 1200;
  private static final RadioLink RADIO =
      new RadioLink(9000, 2, 2, 868e6, RadioLink.USUAL_CLEARANCE);

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  /** A third of a degree from 50° N, 7° E, with heights by distance in km from the corner. */
  private static Elevation elevation(DoubleBinaryOperator height) {
    float[] heights = new float[SIDE * SIDE];
    for (int i = 0; i < heights.length; i++) {
      heights[i] =
          (float)
              height.applyAsDouble(
                  (i % SIDE) * STEP * 111.2 * Math.cos(Math.toRadians(50)),
                  (SIDE - 1 - i / SIDE) * STEP * 111.2);
    }
    return new Elevation(
        new HeightGrid(SIDE, SIDE, heights), 50 + (SIDE - 1) * STEP, 7, STEP, STEP);
  }

  private static SensorField field(double... places) {
    int count = places.length / 2;
    return SensorField.geographic(
        IntStream.range(0, count).mapToObj(i -> "s" + i).toList(),
        IntStream.range(0, count).mapToDouble(i -> places[2 * i]).toArray(),
        IntStream.range(0, count).mapToDouble(i -> places[2 * i + 1]).toArray());
  }

  private static TerrainPlan plan(SensorField field, Elevation elevation, RadioLink radio)
      throws UnreachableSensorsException {
    return new TerrainPlanner(ENGINE, field, elevation, radio).plan();
  }

  @Test
  void aRidgeTakesOneRelayOnItsTop() throws Exception {
    Elevation ridge = elevation((x, y) -> 100 + Math.max(0, 80 - 100 * Math.abs(x - 10)));
    SensorField field = field(50.15, 7.1, 50.15, 7.18);
    TerrainPlan plan = plan(field, ridge, RADIO);
    assertThat(plan.plan().groups().count()).isEqualTo(2);
    assertThat(plan.plan().relays()).hasSize(1);
    Position relay = plan.plan().positions().getFirst();
    assertThat(ridge.height(relay.latitude(), relay.longitude())).isGreaterThan(170);
    assertThat(plan.links()).extracting(RelayPlan.Link::from).containsExactly(0, 1);
    assertThat(plan.profiles()).allMatch(profile -> profile.margin() >= 0);
    // Without the ridge the sensors are one network; with masts as well.
    RadioLink poles = new RadioLink(9000, 20, 2, 868e6, 0.6);
    assertThat(plan(field, elevation((_, _) -> 100), poles).plan().groups().count()).isEqualTo(1);
    RadioLink masts = new RadioLink(9000, 120, 2, 868e6, 0.6);
    assertThat(plan(field, ridge, masts).plan().relays()).isEmpty();
  }

  @Test
  void aPlainTakesAboutAsManyRelaysAsAPlaneField() throws Exception {
    Elevation plain = elevation((_, _) -> 100);
    RadioLink tall = new RadioLink(3000, 30, 30, 868e6, 0.6);
    SensorField field = field(50.03, 7.03, 50.28, 7.05, 50.15, 7.29, 50.1, 7.1);
    TerrainPlan plan = plan(field, plain, tall);
    int flat = new RelayPlanner(ENGINE, field, 3000).plan(PlanMethod.BEST_STARS).relays().size();
    assertThat(plan.flatRelays()).isEqualTo(flat);
    assertThat(plan.plan().relays()).hasSizeBetween(flat, flat + 1);
  }

  @Test
  void relaysAreOnSitesIfTheyAreGiven() throws Exception {
    Elevation ridge = elevation((x, _) -> 100 + Math.max(0, 80 - 100 * Math.abs(x - 10)));
    SensorField field = field(50.15, 7.1, 50.15, 7.18);
    double top = 7 + 10 / (111.2 * Math.cos(Math.toRadians(50)));
    SensorField sites =
        field.alongside(
            List.of("foot", "top"), new double[] {50.151, 50.152}, new double[] {7.11, top});
    TerrainPlan plan = new TerrainPlanner(ENGINE, field, ridge, RADIO).plan(sites);
    assertThat(plan.plan().relays()).extracting(Relay::site).containsExactly(Optional.of("top"));
    SensorField foot = field.alongside(List.of("foot"), new double[] {50.151}, new double[] {7.11});
    assertThatThrownBy(() -> new TerrainPlanner(ENGINE, field, ridge, RADIO).plan(foot))
        .isInstanceOf(UnreachableSensorsException.class)
        .hasMessage(
            "relays on all sites leave 2 networks: sensors 's0' and 's1' are not connected");
  }

  @Test
  void existingRelaysOnARidgeCostNothing() throws Exception {
    Elevation ridge = elevation((x, _) -> 100 + Math.max(0, 80 - 100 * Math.abs(x - 10)));
    SensorField field = field(50.15, 7.1, 50.15, 7.18);
    double top = 7 + 10 / (111.2 * Math.cos(Math.toRadians(50)));
    SensorField existing =
        field.alongside(
            List.of("far", "top", "foot"),
            new double[] {48, 50.152, 50.151},
            new double[] {7.1, top, 7.11});
    TerrainPlanner planner = new TerrainPlanner(ENGINE, field, ridge, RADIO);
    assertThat(planner.plan().plan().placed()).isOne();
    planner.useExisting(existing);
    RelayPlan plan = planner.plan().plan();
    assertThat(plan.placed()).isZero();
    assertThat(plan.relays())
        .extracting(Relay::site)
        .containsExactlyInAnyOrder(Optional.of("top"), Optional.of("foot"));
    Elevation hole = elevation((x, _) -> x < 1 ? HeightGrid.VOID : 100);
    SensorField inHole = field.alongside(List.of("h"), new double[] {50.1}, new double[] {7.005});
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TerrainPlanner(ENGINE, field, hole, RADIO).useExisting(inHole))
        .withMessage("relay 'h' is at a point without a height");
  }

  /** Heights, ranges and costs of their own decide; without them the top is the only site. */
  @Test
  void stationsHaveEquipmentOfTheirOwn() throws Exception {
    Elevation ridge = elevation((x, _) -> 100 + Math.max(0, 80 - 100 * Math.abs(x - 10)));
    SensorField field = field(50.15, 7.1, 50.15, 7.18);
    double top = 7 + 10 / (111.2 * Math.cos(Math.toRadians(50)));
    SensorField sites =
        field.alongside(
            List.of("foot", "top"), new double[] {50.151, 50.152}, new double[] {7.11, top});
    double[] none = {};
    double[] usual = {Double.NaN, Double.NaN};
    double[] mast = {300, Double.NaN};
    double[] cheap = {1, 2};
    double[] dear = {3, 2};
    double[] low = {150, Double.NaN};
    TerrainPlanner planner = new TerrainPlanner(ENGINE, field, ridge, RADIO);
    assertThat(planner.plan(sites.equipped(Equipment.of(none, usual, cheap))).plan().relays())
        .extracting(Relay::site)
        .containsExactly(Optional.of("top"));
    RelayPlan onMast = planner.plan(sites.equipped(Equipment.of(none, mast, cheap))).plan();
    assertThat(onMast.relays()).extracting(Relay::site).containsExactly(Optional.of("foot"));
    assertThat(onMast.cost()).isOne();
    assertThat(planner.plan(sites.equipped(Equipment.of(none, mast, dear))).plan().cost())
        .isEqualTo(2);
    // The mast is in sight, and its range is too short.
    assertThat(planner.plan(sites.equipped(Equipment.of(low, mast, cheap))).plan().relays())
        .extracting(Relay::site)
        .containsExactly(Optional.of("top"));
    // Sensors on masts of their own need no relay.
    double[] masts = {120, 120};
    SensorField tall = field.equipped(Equipment.of(none, masts, none));
    assertThat(plan(tall, ridge, RADIO).plan().relays()).isEmpty();
    // With short ranges of their own they need relays beside them.
    double[] shortRanges = {1000, Double.NaN};
    SensorField limited = field.equipped(Equipment.of(shortRanges, none, none));
    TerrainPlan beside = plan(limited, ridge, RADIO);
    assertThat(beside.links())
        .filteredOn(link -> link.from() == 0)
        .allMatch(link -> link.length() <= 1000);
    assertThat(beside.plan().relays()).hasSize(2);
    double[] far = {30_000, Double.NaN};
    assertThat(TerrainPlanner.area(field.equipped(Equipment.of(far, none, none)), 9).north())
        .isGreaterThan(50.4);
  }

  /** Here the search without existing relays finds the cheaper plan, which is linked with both. */
  @Test
  void aPlanThatWinsWithoutExistingRelaysListsThem() throws Exception {
    SplittableRandom random = new SplittableRandom(222);
    SensorField field = field(places(random, 8));
    SensorField sites = alongside(field, "t", places(random, 24));
    SensorField existing = alongside(field, "e", places(random, 2));
    RadioLink masts = new RadioLink(9000, 60, 60, 868e6, 0.6);
    TerrainPlanner planner = new TerrainPlanner(ENGINE, field, elevation((_, _) -> 100), masts);
    TerrainPlan without = planner.plan(sites);
    planner.useExisting(existing);
    TerrainPlan plan = planner.plan(sites);
    assertThat(plan.plan().cost()).isEqualTo(2).isEqualTo(without.plan().cost());
    assertThat(plan.plan().relays().subList(0, 2)).isEqualTo(without.plan().relays());
    assertThat(plan.plan().relays())
        .extracting(Relay::site)
        .endsWith(Optional.of("e0"), Optional.of("e1"));
    assertThat(plan.links()).hasSize(8 + 2 + 2 - 1);
    assertThat(plan.profiles()).hasSameSizeAs(plan.links());
  }

  /** Latitudes, then longitudes, of places on the hills, by turns. */
  private static double[] places(SplittableRandom random, int count) {
    double[] latitudes = random.doubles(count, 50.02, 50.28).toArray();
    double[] longitudes = random.doubles(count, 7.02, 7.28).toArray();
    return IntStream.range(0, 2 * count)
        .mapToDouble(i -> i % 2 == 0 ? latitudes[i / 2] : longitudes[i / 2])
        .toArray();
  }

  private static SensorField alongside(SensorField field, String prefix, double[] places) {
    int count = places.length / 2;
    return field.alongside(
        IntStream.range(0, count).mapToObj(i -> prefix + i).toList(),
        IntStream.range(0, count).mapToDouble(i -> places[2 * i]).toArray(),
        IntStream.range(0, count).mapToDouble(i -> places[2 * i + 1]).toArray());
  }

  @Test
  void aWallWithoutATopSeparates() {
    Elevation wall = elevation((x, _) -> Math.abs(x - 10) < 0.2 ? HeightGrid.VOID : 100);
    assertThatThrownBy(() -> plan(field(50.15, 7.1, 50.15, 7.18), wall, RADIO))
        .hasMessageStartingWith("relays on all high places leave 2 networks");
  }

  @Test
  void sensorsWithoutHeightsAreNamed() {
    Elevation hole = elevation((x, y) -> Math.hypot(x - 10, y - 10) < 1 ? HeightGrid.VOID : 9);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(field(50.05, 7.05, 49.9, 7.1), hole, RADIO))
        .withMessage("sensor 's1' is outside the heights");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(field(50.05, 7.05, 50.09, 7.14), hole, RADIO))
        .withMessage("sensor 's1' is at a point without a height");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RadioLink(10, -1, 2, 868e6, 0.6))
        .withMessage("height -1.0 is not between 0.0 and 10000.0");
  }

  /** Every pair agrees with a walk along the great circle in doubles, at a quarter of the steps. */
  @Test
  void sightIsThatOfAProfileWalk() {
    SplittableRandom random = new SplittableRandom(3);
    Elevation hills =
        elevation(
            (x, y) -> 300 + 90 * Math.sin(x) * Math.cos(y / 1.3) + 25 * Math.sin(3 * x + 2 * y));
    double[] places = random.doubles(120).map(share -> share * (SIDE - 1) * STEP).toArray();
    for (int i = 0; i < places.length; i += 2) {
      places[i] += 50;
      places[i + 1] += 7;
    }
    SensorField field = field(places);
    Stations stations = new Stations(hills, field.projection().orElseThrow());
    for (int i = 0; i < field.size(); i++) {
      stations.add(field.x(i), field.y(i), 10, 30_000, 0);
    }
    StationGraph.Pairs pairs = stations.pairs(ENGINE, RADIO, _ -> {});
    boolean[][] seen = new boolean[field.size()][field.size()];
    for (int pair = 0; pair < pairs.count(); pair++) {
      seen[pairs.from(pair)][pairs.to(pair)] = true;
    }
    SightPaths paths = Stations.paths(RADIO);
    int clear = 0;
    for (int a = 0; a < field.size(); a++) {
      for (int b = a + 1; b < field.size(); b++) {
        double length = stations.distance(a, b);
        if (length <= 30_000) {
          paths.clear();
          stations.addPath(paths, a, b, length);
          stations.addPath(paths, b, a, length);
          float margin = paths.margin(hills.grid(), 0);
          assertThat(paths.margin(hills.grid(), 1)).isEqualTo(margin);
          assertThat(margin >= 0).isEqualTo(seen[a][b]);
          double walked = walk(hills, places, a, b, length);
          // Steps of a quarter find obstacles between the samples.
          assertThat(walked).isBetween(margin - 6.0, margin + 0.5);
          clear += margin >= 0 ? 1 : 0;
        }
      }
    }
    assertThat(clear).isBetween(20, 800);
  }

  private static double walk(Elevation hills, double[] places, int a, int b, double length) {
    double[] from = direction(places[2 * a], places[2 * a + 1]);
    double[] to = direction(places[2 * b], places[2 * b + 1]);
    double angle = length / Projection.EARTH_RADIUS;
    double start = hills.height(places[2 * a], places[2 * a + 1]) + 10;
    double end = hills.height(places[2 * b], places[2 * b + 1]) + 10;
    double least = Double.POSITIVE_INFINITY;
    int steps = (int) (length / 15);
    for (int i = 4; i <= steps - 4; i++) {
      double t = (double) i / steps;
      double p = Math.sin((1 - t) * angle) / Math.sin(angle);
      double q = Math.sin(t * angle) / Math.sin(angle);
      double x = p * from[0] + q * to[0];
      double y = p * from[1] + q * to[1];
      double z = p * from[2] + q * to[2];
      double ground =
          hills.height(
              Math.toDegrees(Math.atan2(z, Math.hypot(x, y))), Math.toDegrees(Math.atan2(y, x)));
      double d1 = t * length;
      double d2 = length - d1;
      double bulge = d1 * d2 / (2 * 4 / 3.0 * Projection.EARTH_RADIUS);
      double zone = 0.6 * Math.sqrt(RADIO.wavelength() * d1 * d2 / length);
      least = Math.min(least, start + t * (end - start) - ground - bulge - zone);
    }
    return least;
  }

  private static double[] direction(double latitude, double longitude) {
    double phi = Math.toRadians(latitude);
    double lambda = Math.toRadians(longitude);
    return new double[] {
      Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)
    };
  }
}
