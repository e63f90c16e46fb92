package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.engine.Engine;
import io.fieldstone.testing.TestLength;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EquipmentTest {

  private static final double USUAL = Double.NaN;
  private static final double[] NONE = {};

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

  private static SensorField ranged(SensorField field, double... ranges) {
    return field.equipped(Equipment.of(ranges, NONE, NONE));
  }

  private static SensorField priced(SensorField field, double... costs) {
    return field.equipped(Equipment.of(NONE, NONE, costs));
  }

  /** Two cheap sites replace an expensive one. */
  @Test
  void theSumOfCostsCounts() throws UnreachableSensorsException {
    RelayPlanner planner = new RelayPlanner(engine, field("s", 0, 0, 8, 0), 5);
    SensorField sites = field("t", 4, 0, 3, 3, 6, 3);
    assertThat(planner.plan(sites).relays())
        .extracting(Relay::site)
        .containsExactly(Optional.of("t0"));
    RelayPlan cheap = planner.plan(priced(sites, 5, 2, 2));
    assertThat(cheap.relays())
        .extracting(Relay::site)
        .containsExactly(Optional.of("t1"), Optional.of("t2"));
    assertThat(cheap.cost()).isEqualTo(4);
    assertThat(planner.plan(priced(sites, 3.5, 2, 2)).cost()).isEqualTo(3.5);
    // Beside an existing relay one cheap site is enough.
    RelayPlan beside = planner.plan(priced(sites, 5, 2, 2), field("e", 3, 2));
    assertThat(beside.cost()).isEqualTo(2);
    assertThat(beside.relays())
        .extracting(Relay::site)
        .containsExactly(Optional.of("t2"), Optional.of("e0"));
  }

  @Test
  void aLinkNeedsTheSmallerRange() throws UnreachableSensorsException {
    SensorField sensors = ranged(field("s", 0, 0, 10, 0), 4, USUAL);
    RelayPlanner planner = new RelayPlanner(engine, sensors, 6);
    SensorField sites = field("t", 5, 0, 4, 0);
    RelayPlan plan = planner.plan(sites);
    assertThat(plan.relays()).extracting(Relay::site).containsExactly(Optional.of("t1"));
    assertThat(plan.links(engine)).hasSize(2);
    assertThatExceptionOfType(UnreachableSensorsException.class)
        .isThrownBy(() -> planner.plan(ranged(sites, USUAL, 3.999)));
    // A longer range of the site alone changes nothing.
    assertThatExceptionOfType(UnreachableSensorsException.class)
        .isThrownBy(() -> planner.plan(ranged(field("t", 5, 0), 100)));
    // Near stations are not linked because a far one is: the tree follows the ranges.
    SensorField three = ranged(field("s", 0, 0, 3, 0, 10, 0), 10, 2, 10);
    RelayPlan bridged = new RelayPlanner(engine, three, 10).plan(field("t", 3, 2));
    assertThat(bridged.groups().count()).isEqualTo(2);
    assertThat(bridged.links(engine))
        .extracting(link -> link.from() + "-" + link.to())
        .containsExactly("1-3", "0-3", "2-3");
  }

  @Test
  void exactlyTheRangeIsLinkedInDecimals() throws UnreachableSensorsException {
    SensorField sensors = ranged(field("s", 0.1, 0, 0.7, 0), 0.3, 0.3);
    RelayPlan plan = new RelayPlanner(engine, sensors, 5).plan(field("t", 0.4, 0));
    assertThat(plan.groups().count()).isEqualTo(2);
    assertThat(plan.relays()).hasSize(1);
    SensorField linked = ranged(field("s", 0.1, 0, 0.4, 0), 0.3, 0.3);
    assertThat(NetworkCheck.of(engine, linked, 5).parts()).hasSize(1);
    SensorField apart = ranged(field("s", 0.1, 0, 0.4, 0), 0.3, 0.29);
    assertThat(NetworkCheck.of(engine, apart, 5).parts()).hasSize(2);
    assertThat(new ConnectionTest(apart, List.of(), 5).networks()).isEqualTo(2);
  }

  /** A place is as far as the best of its sensors. */
  @Test
  void sensorsAtOnePlaceShareTheGreatestRange() throws UnreachableSensorsException {
    SensorField sensors = ranged(field("s", 0, 0, 0, 0, 10, 0), 1, 5, 5);
    RelayPlan plan = new RelayPlanner(engine, sensors, 5).plan(field("t", 5, 0));
    assertThat(plan.relays()).hasSize(1);
    assertThat(plan.groups().count()).isEqualTo(2);
    assertThat(plan.groups().of(1)).isEqualTo(plan.groups().of(0));
  }

  /** Plans of few sites cost at most a little more than the best of all subsets. */
  @Test
  void isNearTheBestOfAllSubsets() {
    double costs = 0;
    double least = 0;
    int plans = 0;
    for (int seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SensorField sensors =
          ranged(
              field("s", random.doubles(10, 0, 100).toArray()),
              random.doubles(5, 20, 60).toArray());
      SensorField sites =
          field("t", random.doubles(20, 0, 100).toArray())
              .equipped(
                  Equipment.of(
                      random.doubles(10, 20, 60).toArray(),
                      NONE,
                      random.doubles(10, 1, 9).toArray()));
      Optional<Double> best = best(sensors, sites);
      RelayPlanner planner = new RelayPlanner(engine, sensors, 50);
      try {
        double cost = planner.plan(sites).cost();
        assertThat(best).isPresent();
        assertThat(cost).isGreaterThanOrEqualTo(best.orElseThrow() - 1e-9);
        costs += cost;
        least += best.orElseThrow();
        plans++;
      } catch (UnreachableSensorsException _) {
        assertThat(best).isEmpty();
      }
    }
    assertThat(plans).isGreaterThan(20);
    assertThat(costs).isLessThan(1.03 * least);
  }

  private static Optional<Double> best(SensorField sensors, SensorField sites) {
    double best = Double.POSITIVE_INFINITY;
    for (int subset = 0; subset < 1 << sites.size(); subset++) {
      int[] chosen = BitSet.valueOf(new long[] {subset}).stream().toArray();
      double cost = Arrays.stream(chosen).mapToDouble(sites.equipment()::cost).sum();
      if (cost < best && isConnected(sensors, sites.at(chosen))) {
        best = cost;
      }
    }
    return best < Double.POSITIVE_INFINITY ? Optional.of(best) : Optional.empty();
  }

  /** Whether all are one network, by a walk through all pairs. */
  private static boolean isConnected(SensorField sensors, SensorField relays) {
    SensorField all = sensors.with(relays);
    BitSet reached = new BitSet();
    reached.set(0);
    int before;
    do {
      before = reached.cardinality();
      for (int a = 0; a < all.size(); a++) {
        for (int b = 0; b < all.size(); b++) {
          double distance = Math.hypot(all.x(a) - all.x(b), all.y(a) - all.y(b));
          double range = Math.min(all.equipment().range(a, 50), all.equipment().range(b, 50));
          if (reached.get(a) && distance <= range) {
            reached.set(b);
          }
        }
      }
    } while (reached.cardinality() > before);
    return reached.get(0, sensors.size()).cardinality() == sensors.size();
  }

  /** A relay stands at the range of each sensor, and both are linked at their own. */
  @Test
  void plansWithoutSitesKeepTheRangesOfSensors() {
    SensorField sensors = ranged(field("s", 0, 0, 8, 0), 1, 2);
    for (PlanMethod method : PlanMethod.values()) {
      RelayPlan plan = new RelayPlanner(engine, sensors, 5).plan(method);
      assertThat(plan.relays()).extracting(Relay::x).containsExactlyInAnyOrder(1.0, 6.0);
      assertThat(plan.relays()).extracting(Relay::kind).containsOnly(Relay.Kind.LINK);
      // The relay that exists is linked with the other sensor and at its own range.
      RelayPlan more =
          new RelayPlanner(engine, sensors, 5).plan(method, ranged(field("e", 1, 0), 4));
      assertThat(more.placed()).isEqualTo(2);
      RelayPlan enough =
          new RelayPlanner(engine, sensors, 5).plan(method, ranged(field("e", 1, 0), 5));
      assertThat(enough.placed()).isOne();
      assertThat(enough.relays()).hasSize(2);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> {
          RelayPlanner planner = new RelayPlanner(engine, sensors, 5);
          planner.reinforced(planner.plan(PlanMethod.BEST_STARS));
        })
        .withMessage("sensors or relays have ranges of their own");
  }

  /** A plan has at most a relay more for each sensor of less range, and fewer than one for it. */
  @Test
  void plansWithoutSitesAreNearThoseOfOneRange() {
    int ranged = 0;
    int usual = 0;
    int least = 0;
    for (int seed = 0; seed < 30; seed += TestLength.oneIn(3)) {
      SplittableRandom random = new SplittableRandom(seed);
      SensorField sensors = field("s", random.doubles(60, 0, 100).toArray());
      double[] ranges = IntStream.range(0, 30).mapToDouble(i -> i % 3 == 0 ? 6 : USUAL).toArray();
      RelayPlanner planner = new RelayPlanner(engine, sensors, 10);
      int plain = planner.plan(PlanMethod.BEST_STARS).placed();
      int own =
          new RelayPlanner(engine, ranged(sensors, ranges), 10)
              .plan(PlanMethod.BEST_STARS)
              .placed();
      assertThat(own).isLessThanOrEqualTo(plain + 10);
      double[] same = DoubleStream.generate(() -> 10).limit(30).toArray();
      assertThat(
              new RelayPlanner(engine, ranged(sensors, same), 10)
                  .plan(PlanMethod.BEST_STARS)
                  .placed())
          .isLessThanOrEqualTo(plain);
      usual += plain;
      ranged += own;
      least += new RelayPlanner(engine, sensors, 6).plan(PlanMethod.BEST_STARS).placed();
    }
    assertThat(ranged).isBetween(usual, usual + (least - usual) / 3);
  }

  @Test
  void numbersOutsideTheirBoundsAreNamed() {
    double[] zero = {0};
    double[] endless = {1, Double.POSITIVE_INFINITY};
    double[] high = {10_001};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Equipment.of(zero, NONE, NONE))
        .withMessageStartingWith("range 0.0 of station 0 (from 0) is not between ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Equipment.of(NONE, high, NONE))
        .withMessage("height 10001.0 of station 0 (from 0) is not between 0.0 and 10000.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Equipment.of(NONE, NONE, endless))
        .withMessageStartingWith("cost Infinity of station 1 (from 0) is not between ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> priced(field("s", 0, 0), 1, 2))
        .withMessage("equipment of 2 stations for 1");
    double[] usual = DoubleStream.generate(() -> USUAL).limit(3).toArray();
    Equipment none = Equipment.of(usual, usual, usual);
    assertThat(none.hasRanges() || none.hasHeights() || none.hasCosts()).isFalse();
    assertThat(none.cost(2)).isOne();
    assertThat(Equipment.of(new double[] {3, USUAL}, NONE, NONE).range(1, 7))
        .isCloseTo(7, within(0.0));
  }
}
