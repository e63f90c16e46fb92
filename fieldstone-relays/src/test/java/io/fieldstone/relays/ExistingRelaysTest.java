package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.engine.Engine;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExistingRelaysTest {

  private static final double RANGE = 50;

  private static Engine engine;

  @BeforeAll
  static void open() {
    engine = Engine.open("cpu");
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  private static SensorField field(String prefix, double... coordinates) {
    int count = coordinates.length / 2;
    return SensorField.planar(
        IntStream.range(0, count).mapToObj(i -> prefix + i).toList(),
        IntStream.range(0, count).mapToDouble(i -> coordinates[2 * i]).toArray(),
        IntStream.range(0, count).mapToDouble(i -> coordinates[2 * i + 1]).toArray());
  }

  @ParameterizedTest
  @EnumSource(PlanMethod.class)
  void existingRelaysBridgeAGap(PlanMethod method) {
    SensorField sensors = field("s", 0, 0, 300, 0);
    SensorField existing = field("e", 50, 0, 150, 0, 200, 0, 250, 0, 150, 5000);
    RelayPlan plan = new RelayPlanner(engine, sensors, RANGE).plan(method, existing);
    assertThat(plan.placed()).isOne();
    assertThat(plan.spanningTreeRelays()).isEqualTo(5);
    assertThat(plan.groups().count()).isEqualTo(2);
    assertThat(plan.relays().getFirst())
        .isEqualTo(new Relay(100, 0, Relay.Kind.LINK, Optional.empty()));
    assertThat(plan.relays().subList(1, 5))
        .extracting(relay -> relay.site().orElseThrow())
        .containsExactly("e0", "e1", "e2", "e3");
  }

  /** A part that no plan needs takes no relay. */
  @ParameterizedTest
  @EnumSource(PlanMethod.class)
  void whatIsBesideIsNotJoined(PlanMethod method) {
    RelayPlanner planner = new RelayPlanner(engine, field("s", 0, 0, 400, 0), RANGE);
    RelayPlan plan = planner.plan(method, field("e", 200, 300, 200, 340));
    assertThat(plan.placed()).isEqualTo(planner.plan(method).placed());
    assertThat(plan.count(Relay.Kind.EXISTING)).isZero();
    assertThat(planner.plan(method, field("e")).relays()).isEqualTo(planner.plan(method).relays());
  }

  /** The relays of a plan, as existing ones, are the whole plan, though links are rounded. */
  @Test
  void aPlanIsItsOwnExtension() {
    SensorField sensors = random("s", new SplittableRandom(5), 40, 1000);
    RelayPlanner planner = new RelayPlanner(engine, sensors, RANGE / 3);
    List<Relay> relays = planner.plan(PlanMethod.BEST_STARS).relays();
    SensorField existing =
        sensors.alongside(
            IntStream.range(0, relays.size()).mapToObj(Integer::toString).toList(),
            relays.stream().mapToDouble(Relay::x).toArray(),
            relays.stream().mapToDouble(Relay::y).toArray());
    RelayPlan again = planner.plan(PlanMethod.BEST_STARS, existing);
    assertThat(again.placed()).isZero();
    assertThat(again.relays()).hasSameSizeAs(relays);
  }

  private static SensorField random(
      String prefix, SplittableRandom random, int count, double side) {
    return field(prefix, random.doubles(2L * count, 0, side).toArray());
  }

  /** Plans with each subset of the parts as sensors: the fewest relays of all. */
  @Test
  void isAsGoodAsTheBestSubset() {
    int placed = 0;
    int least = 0;
    int without = 0;
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SensorField sensors = random("s", random, 5, 500);
      SensorField existing = random("e", random, 5, 500);
      RelayPlanner planner = new RelayPlanner(engine, sensors, RANGE);
      RelayPlan plan = planner.plan(PlanMethod.BEST_STARS, existing);
      int best = planner.plan(PlanMethod.BEST_STARS).placed();
      assertThat(plan.placed()).isLessThanOrEqualTo(best);
      without += best;
      for (int subset = 1; subset < 1 << existing.size(); subset++) {
        int chosen = subset;
        int[] members =
            IntStream.range(0, existing.size()).filter(i -> (chosen >> i & 1) > 0).toArray();
        best =
            Math.min(
                best, planner.joined(existing.at(members)).relays(PlanMethod.BEST_STARS).size());
      }
      assertThat(plan.placed()).as("field %d", seed).isBetween(0, best + 1);
      placed += plan.placed();
      least += best;
    }
    assertThat(placed).isLessThanOrEqualTo(least * 102 / 100).isLessThan(without);
  }

  @Test
  void anExistingRelayMayFail() {
    SensorField sensors = field("s", 0, 0, 150, 0);
    RelayPlanner planner = new RelayPlanner(engine, sensors, RANGE);
    RelayPlan safe = planner.reinforced(planner.plan(PlanMethod.BEST_STARS, field("e", 50, 0)));
    assertThat(safe.placed()).isEqualTo(3);
    assertThat(safe.relays().getLast().kind()).isEqualTo(Relay.Kind.EXISTING);
    List<Double> xs = safe.relays().stream().map(Relay::x).sorted().toList();
    assertThat(xs).containsExactly(50.0, 50.0, 100.0, 100.0);
  }

  /** Beside existing relays, the fewest sites of all subsets. */
  @Test
  void takesFewSitesBesideExistingRelays() throws UnreachableSensorsException {
    int placed = 0;
    int least = 0;
    int joined = 0;
    for (int seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SensorField sensors = random("s", random, 4, 200);
      SensorField existing = random("e", random, 5, 200);
      SensorField sites = random("p", random, 10, 200);
      int best = fewest(sensors, existing, sites);
      RelayPlanner planner = new RelayPlanner(engine, sensors, RANGE);
      if (best == Integer.MAX_VALUE) {
        assertThatExceptionOfType(UnreachableSensorsException.class)
            .isThrownBy(() -> planner.plan(sites, existing));
      } else {
        RelayPlan plan = planner.plan(sites, existing);
        assertThat(plan.placed()).isEqualTo((int) plan.count(Relay.Kind.SITE));
        assertThat(plan.placed()).isGreaterThanOrEqualTo(best);
        placed += plan.placed();
        least += best;
        joined++;
      }
    }
    assertThat(joined).isGreaterThan(20);
    assertThat(placed).isLessThanOrEqualTo(least * 105 / 100);
  }

  private static int fewest(SensorField sensors, SensorField existing, SensorField sites) {
    int best = Integer.MAX_VALUE;
    for (int subset = 0; subset < 1 << sites.size(); subset++) {
      int chosen = subset;
      int[] members = IntStream.range(0, sites.size()).filter(i -> (chosen >> i & 1) > 0).toArray();
      if (members.length < best) {
        Groups groups =
            Groups.within(engine, sensors.with(existing).with(sites.at(members)), RANGE);
        boolean isOne =
            IntStream.range(0, sensors.size()).allMatch(sensor -> groups.of(sensor) == 0);
        best = isOne ? members.length : best;
      }
    }
    return best;
  }
}
