package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.plane.Distance;
import io.fieldstone.relays.graph.DisjointSets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sites in clusters, compared with all pairs of sites. */
class SitePlacementTest {

  private static final double RANGE = 100;
  private static final int UNREACHED = -1;

  private static Engine engine;

  @BeforeAll
  static void open() {
    engine = Engine.open("cpu");
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  /** Between two sensors, the plan is a shortest path. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 20, 70})
  void twoSensorsAreJoinedByAShortestPath(double size) {
    int joined = 0;
    for (int seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SensorField sites = clusters(random, 30, 5, size, 4 * RANGE);
      SensorField sensors =
          SensorField.planar(
              BenchmarkField.ids(2), new double[] {0, 4 * RANGE}, new double[] {0, 4 * RANGE});
      Graph graph = new Graph(sensors, sites);
      int[] distances = graph.distances(0);
      Optional<RelayPlan> plan = plan(sensors, sites);
      assertThat(plan.isPresent()).isEqualTo(distances[1] != UNREACHED);
      if (plan.isPresent()) {
        assertThat(plan.get().relays()).hasSize(distances[1] - 1);
        joined++;
      }
    }
    assertThat(joined).isPositive();
  }

  /** All pairs of sensors on shortest paths are the bound of Kruskal's algorithm. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 20, 70})
  void sensorsAreJoinedByNoMoreThanAllShortestPaths(double size) {
    int joined = 0;
    for (int seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SensorField sites = clusters(random, 40, 5, size, 5 * RANGE);
      double[] xs = random.doubles(8, 0, 5 * RANGE).toArray();
      double[] ys = random.doubles(8, 0, 5 * RANGE).toArray();
      SensorField sensors = SensorField.planar(BenchmarkField.ids(8), xs, ys);
      Graph graph = new Graph(sensors, sites);
      int bound = graph.relaysOfShortestPaths();
      Optional<RelayPlan> plan = plan(sensors, sites);
      assertThat(plan.isPresent()).isEqualTo(bound != UNREACHED);
      if (plan.isPresent()) {
        assertThat(plan.get().relays()).hasSizeLessThanOrEqualTo(bound);
        joined++;
      }
    }
    assertThat(joined).isPositive();
  }

  /** Sites exactly R apart are linked, and others at the same place are not needed. */
  @Test
  void linksSitesAtExactlyTheRange() {
    double[] xs = new double[9 * 50];
    for (int i = 0; i < xs.length; i++) {
      xs[i] = i % 9 * RANGE + RANGE;
    }
    SensorField sites =
        SensorField.planar(BenchmarkField.ids(xs.length), xs, new double[xs.length]);
    SensorField sensors =
        SensorField.planar(BenchmarkField.ids(2), new double[] {0, 10 * RANGE}, new double[2]);
    assertThat(plan(sensors, sites).orElseThrow().relays()).hasSize(9);
  }

  @Test
  void marksAreFoundNearAPlace() {
    SplittableRandom random = new SplittableRandom(1);
    SensorField points = clusters(random, 12, 20, 40, 3 * RANGE);
    BoxTree tree = BoxTree.ofSinglePoints(1, points.xs(), points.ys());
    MarkedPoints marked = new MarkedPoints(tree, RANGE);
    List<Integer> left = new ArrayList<>();
    for (int point = 0; point < points.size(); point += 3) {
      marked.mark(point);
      left.add(point);
    }
    while (!left.isEmpty()) {
      double x = random.nextDouble() * 3 * RANGE;
      double y = random.nextDouble() * 3 * RANGE;
      List<Integer> found = new ArrayList<>();
      marked.forEachNear(x, y, found::add);
      assertThat(found)
          .containsExactlyInAnyOrderElementsOf(
              left.stream()
                  .filter(p -> Distance.compare(x, y, points.x(p), points.y(p), RANGE) <= 0)
                  .toList());
      found.forEach(marked::unmark);
      left.removeAll(found);
    }
  }

  /** All pairs of sites would be 1.8·10^9. */
  @ParameterizedTest
  @ValueSource(doubles = {0.01, 30})
  void searchesFewBoxesOfManySites(double size) {
    SensorField sites = clusters(new SplittableRandom(2), 3, 20_000, size, 200);
    BoxTree tree = BoxTree.ofSinglePoints(1, sites.xs(), sites.ys());
    MarkedPoints unreached = new MarkedPoints(tree, RANGE);
    IntStream.range(0, sites.size()).forEach(unreached::mark);
    DisjointSets networks = new DisjointSets(sites.size());
    int[] owners = IntStream.range(0, sites.size()).map(i -> i % 100).toArray();
    NetworkSearch search = new NetworkSearch(tree, RANGE, owners, networks);
    for (int site = 0; site < sites.size(); site++) {
      unreached.forEachNear(sites.x(site), sites.y(site), unreached::unmark);
      int other = search.find(sites.x(site), sites.y(site), owners[site]);
      while (other != NetworkSearch.NONE) {
        networks.join(owners[site], owners[other]);
        other = search.find(sites.x(site), sites.y(site), owners[site]);
      }
    }
    assertThat(unreached.compared()).isLessThan(20L * sites.size());
    assertThat(search.compared()).isLessThan(20L * sites.size());
  }

  private static Optional<RelayPlan> plan(SensorField sensors, SensorField sites) {
    try {
      return Optional.of(new RelayPlanner(engine, sensors, RANGE).plan(sites));
    } catch (UnreachableSensorsException e) {
      return Optional.empty();
    }
  }

  private static SensorField clusters(
      SplittableRandom random, int clusters, int each, double size, double side) {
    double[] centreXs = random.doubles(clusters, 0, side).toArray();
    double[] centreYs = random.doubles(clusters, 0, side).toArray();
    double[] xs = new double[clusters * each];
    double[] ys = new double[xs.length];
    for (int i = 0; i < xs.length; i++) {
      xs[i] = centreXs[i / each] + random.nextDouble() * size;
      ys[i] = centreYs[i / each] + random.nextDouble() * size;
    }
    return SensorField.planar(BenchmarkField.ids(xs.length), xs, ys);
  }

  /** The links of all pairs of sensors and sites; sensors come first. */
  private static final class Graph {
    private final int sensors;
    private final boolean[][] linked;

    Graph(SensorField field, SensorField sites) {
      sensors = field.size();
      int nodes = sensors + sites.size();
      double[] xs = Arrays.copyOf(field.xs(), nodes);
      double[] ys = Arrays.copyOf(field.ys(), nodes);
      System.arraycopy(sites.xs(), 0, xs, sensors, sites.size());
      System.arraycopy(sites.ys(), 0, ys, sensors, sites.size());
      linked = new boolean[nodes][nodes];
      for (int a = 0; a < nodes; a++) {
        for (int b = 0; b < nodes; b++) {
          linked[a][b] = Distance.compare(xs[a], ys[a], xs[b], ys[b], RANGE) <= 0;
        }
      }
    }

    /** Returns the least number of links from a node to each. */
    int[] distances(int from) {
      int[] distances = new int[linked.length];
      Arrays.fill(distances, UNREACHED);
      distances[from] = 0;
      List<Integer> queue = new ArrayList<>(List.of(from));
      for (int at = 0; at < queue.size(); at++) {
        int node = queue.get(at);
        for (int other = 0; other < linked.length; other++) {
          if (linked[node][other] && distances[other] == UNREACHED) {
            distances[other] = distances[node] + 1;
            queue.add(other);
          }
        }
      }
      return distances;
    }

    /** Returns the sites of a minimum spanning tree of the shortest paths between all sensors. */
    int relaysOfShortestPaths() {
      record Way(int from, int to, int links) {}
      List<Way> ways = new ArrayList<>();
      for (int from = 0; from < sensors; from++) {
        int[] distances = distances(from);
        for (int to = 0; to < from; to++) {
          if (distances[to] != UNREACHED) {
            ways.add(new Way(from, to, distances[to]));
          }
        }
      }
      ways.sort(Comparator.comparingInt(Way::links));
      DisjointSets joined = new DisjointSets(sensors);
      int relays = 0;
      for (Way way : ways) {
        if (joined.join(way.from(), way.to())) {
          relays += way.links() - 1;
        }
      }
      return joined.count() == 1 ? relays : UNREACHED;
    }
  }
}
