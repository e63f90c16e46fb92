package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Compares plans with bounds on the minimum number of relays of small fields.
 *
 * <p>Relays at the points of a lattice of pitch h are a node-weighted Steiner tree, which the
 * Dreyfus–Wagner recursion solves exactly for few groups. With range R it needs at least the
 * optimum. With range R + √2 h, to which the links of an optimal plan grow when its relays move to
 * the lattice, it needs at most the optimum.
 */
class RelayOptimumTest {

  private static final double RANGE = 10;
  private static final double PITCH = 1;

  /** The lattice exceeds the field on each side, because relays may lie outside. */
  private static final int SIDE = 4 * (int) (RANGE / PITCH);

  private static final int POINTS = SIDE * SIDE;
  private static final int NO_TREE = 1 << 20;

  /** No tree of these fields has more relays. */
  private static final int MAX_RELAYS = 16;

  private static final double GROWN = RANGE + Math.sqrt(2) * PITCH;

  /** The links of the lattice with range R, and with the larger one. */
  private static final int[][] SHORT = lattice(RANGE);

  private static final int[][] LONG = lattice(GROWN);

  /** The sums over the fields whose optimum is known; all fields in {@code fields}. */
  private static final class Ratios {
    int fields;
    int exact;
    int optimum;
    final int[] relays = new int[PlanMethod.values().length];
    final double[] greatest = new double[PlanMethod.values().length];
  }

  @Test
  void plansOfSmallFieldsAreWithinTheirRatios() {
    Ratios ratios = new Ratios();
    SplittableRandom random = new SplittableRandom(23);
    try (Engine engine = Engine.open("cpu")) {
      while (ratios.fields < 120) {
        SensorField field = field(random, 4 + random.nextInt(5));
        RelayPlanner planner = new RelayPlanner(engine, field, RANGE);
        if (planner.groups().count() >= 3 && planner.groups().count() <= 6) {
          compare(field, planner, ratios);
        }
      }
    }
    // These are the figures of docs/relays.md.
    assertThat(ratios.fields).isEqualTo(120);
    assertThat(ratios.exact).isEqualTo(76);
    assertThat(ratios.optimum).isEqualTo(131);
    assertThat(ratios.relays).containsExactly(189, 140, 139);
    assertThat(ratios.greatest).containsExactly(2, 1.5, 1.5);
  }

  private static void compare(SensorField field, RelayPlanner planner, Ratios ratios) {
    int least = latticeRelays(field, planner.groups(), LONG);
    int most = latticeRelays(field, planner.groups(), SHORT);
    assertThat(least).isPositive().isLessThanOrEqualTo(most);
    ratios.fields++;
    boolean isExact = least == most;
    ratios.exact += isExact ? 1 : 0;
    ratios.optimum += isExact ? least : 0;
    for (PlanMethod method : PlanMethod.values()) {
      int relays = planner.plan(method).relays().size();
      assertThat(relays)
          .as("%s, %d to %d", method, least, most)
          .isGreaterThanOrEqualTo(least)
          .isLessThanOrEqualTo((method == PlanMethod.SPANNING_TREE ? 4 : 3) * least);
      ratios.relays[method.ordinal()] += isExact ? relays : 0;
      if (isExact) {
        ratios.greatest[method.ordinal()] =
            Math.max(ratios.greatest[method.ordinal()], (double) relays / least);
      }
    }
  }

  /** Five sensors on a circle of radius R: one relay, and four along the tree. */
  @Test
  void thePentagonReachesTheRatioFour() {
    double[] xs =
        IntStream.range(0, 5).mapToDouble(i -> RANGE * Math.cos(i * Math.TAU / 5)).toArray();
    double[] ys =
        IntStream.range(0, 5).mapToDouble(i -> RANGE * Math.sin(i * Math.TAU / 5)).toArray();
    // A hair inside the circle, so that rounding does not matter.
    for (int i = 0; i < 5; i++) {
      xs[i] *= 1 - 1e-9;
      ys[i] *= 1 - 1e-9;
    }
    SensorField field = SensorField.planar(BenchmarkField.ids(5), xs, ys);
    try (Engine engine = Engine.open("cpu")) {
      RelayPlanner planner = new RelayPlanner(engine, field, RANGE);
      assertThat(planner.plan(PlanMethod.SPANNING_TREE).relays()).hasSize(4);
      assertThat(planner.plan(PlanMethod.THREE_STARS).relays()).hasSizeLessThanOrEqualTo(3);
      assertThat(planner.plan(PlanMethod.BEST_STARS).relays()).hasSize(1);
    }
  }

  private static SensorField field(SplittableRandom random, int sensors) {
    double side = 3 * RANGE;
    double[] xs = random.doubles(sensors, 0, side).toArray();
    double[] ys = random.doubles(sensors, 0, side).toArray();
    return SensorField.planar(BenchmarkField.ids(sensors), xs, ys);
  }

  /** Returns the minimum number of relays on the lattice; nodes are its points, then the groups. */
  private static int latticeRelays(SensorField field, Groups groups, int[][] lattice) {
    int[][] links = withGroups(lattice, field, groups);
    int terminals = groups.count();
    int[][] cost = new int[1 << terminals][links.length];
    for (int set = 1; set < cost.length; set++) {
      Arrays.fill(cost[set], NO_TREE);
      if (Integer.bitCount(set) == 1) {
        cost[set][POINTS + Integer.numberOfTrailingZeros(set)] = 0;
      }
      for (int part = (set - 1) & set; part > 0; part = (part - 1) & set) {
        for (int node = 0; node < links.length; node++) {
          int own = node < POINTS ? 1 : 0;
          int joined = cost[part][node] + cost[set ^ part][node] - own;
          cost[set][node] = Math.min(cost[set][node], joined);
        }
      }
      spread(cost[set], links);
    }
    return cost[cost.length - 1][POINTS];
  }

  /**
   * Extends trees by links, the smallest trees first; a node costs 1 if it is a relay. Groups come
   * after the points, which reach them at no cost.
   */
  private static void spread(int[] cost, int[][] links) {
    for (int size = 0; size <= MAX_RELAYS; size++) {
      for (int node = 0; node < links.length; node++) {
        if (cost[node] == size) {
          for (int other : links[node]) {
            cost[other] = Math.min(cost[other], size + (other < POINTS ? 1 : 0));
          }
        }
      }
    }
  }

  /** Returns the links of the lattice, and those of its points with groups. */
  private static int[][] withGroups(int[][] lattice, SensorField field, Groups groups) {
    double range = lattice == SHORT ? RANGE : GROWN;
    int[][] links = Arrays.copyOf(lattice, POINTS + groups.count());
    for (int group = 0; group < groups.count(); group++) {
      int own = group;
      int node = POINTS + group;
      links[node] =
          IntStream.range(0, POINTS)
              .filter(p ->
                  IntStream.range(0, field.size())
                      .anyMatch(sensor ->
                          groups.of(sensor) == own
                              && Math.hypot(x(p) - field.x(sensor), y(p) - field.y(sensor))
                                  <= range))
              .toArray();
      for (int p : links[node]) {
        links[p] = Arrays.copyOf(links[p], links[p].length + 1);
        links[p][links[p].length - 1] = node;
      }
    }
    return links;
  }

  private static int[][] lattice(double range) {
    return IntStream.range(0, POINTS)
        .mapToObj(p ->
            IntStream.range(0, POINTS)
                .filter(q -> p != q && Math.hypot(x(p) - x(q), y(p) - y(q)) <= range)
                .toArray())
        .toArray(int[][]::new);
  }

  private static double x(int point) {
    return point % SIDE * PITCH - RANGE / 2;
  }

  private static double y(int point) {
    return (double) (point / SIDE) * PITCH - RANGE / 2;
  }
}
