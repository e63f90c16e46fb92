package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.relays.graph.DisjointSets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SpanningTreeTest {

  private static Engine one;
  private static Engine several;

  @BeforeAll
  static void open() {
    one = Engine.open("cpu", new EngineOptions(1));
    several = Engine.open("cpu", new EngineOptions(8));
  }

  @AfterAll
  static void close() {
    one.close();
    several.close();
  }

  /** The places of points. */
  enum Kind {
    UNIFORM,
    LATTICE,
    CLUSTERS,
    LINE,
    ONE_PLACE
  }

  /** With new points the lengths are those of all points, where groups grow as well. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void extensionsAreSpanningTreesOfAllPoints(Kind kind) {
    SplittableRandom random = new SplittableRandom(7);
    for (int size : new int[] {1, 2, 9, 60, 200, 3000}) {
      for (int firstNew : new int[] {1, size / 2 + 1, size - size / 10, size}) {
        double[] xs = places(random, kind, size);
        double[] ys = kind == Kind.LINE ? new double[size] : places(random, kind, size);
        double[] firstXs = Arrays.copyOf(xs, firstNew);
        double[] firstYs = Arrays.copyOf(ys, firstNew);
        List<SpanningTree.Edge> before = SpanningTree.join(one, firstXs, firstYs, pairs(firstNew));
        // Boxes of all points, or of some of them, of which some may be new.
        int boxed = random.nextInt(firstNew, size + 1);
        BoxTree boxes = SpanningTree.boxes(1, Arrays.copyOf(xs, boxed), Arrays.copyOf(ys, boxed));
        DisjointSets groups = groups(size, firstNew);
        List<SpanningTree.Edge> edges =
            SpanningTreeExtension.of(several, boxes, xs, ys, groups, before, firstNew);
        List<SpanningTree.Edge> all = SpanningTree.join(several, xs, ys, groups(size, firstNew));
        assertThat(edges)
            .extracting(SpanningTree.Edge::length)
            .isEqualTo(all.stream().map(SpanningTree.Edge::length).toList());
        assertThat(groups.count()).isOne();
        if (kind == Kind.UNIFORM || kind == Kind.CLUSTERS) {
          assertThat(edges).isEqualTo(all);
        }
      }
    }
  }

  /** Pairs of the first points, some of which are joined, and a new point with an old one. */
  private static DisjointSets groups(int size, int firstNew) {
    DisjointSets groups = new DisjointSets(size);
    for (int point = 1; point < firstNew; point += 2) {
      groups.join(point - 1, point);
      groups.join(point, point % 5 == 0 ? 0 : point);
    }
    if (size > firstNew) {
      groups.join(0, size - 1);
    }
    return groups;
  }

  /** Minimum spanning trees differ where lengths are equal, but not in their lengths. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void theLengthsAreThoseOfKruskal(Kind kind) {
    SplittableRandom random = new SplittableRandom(5);
    for (int size : new int[] {0, 1, 2, 9, 60, 200}) {
      double[] xs = places(random, kind, size);
      double[] ys = kind == Kind.LINE ? new double[size] : places(random, kind, size);
      List<SpanningTree.Edge> edges = SpanningTree.join(one, xs, ys, pairs(size));
      assertThat(edges)
          .isSortedAccordingTo(
              Comparator.comparingDouble(SpanningTree.Edge::length)
                  .thenComparingInt(SpanningTree.Edge::a)
                  .thenComparingInt(SpanningTree.Edge::b));
      assertThat(edges.stream().map(SpanningTree.Edge::length).toList())
          .isEqualTo(kruskal(xs, ys, pairs(size)));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void allThreadsFindTheEdgesOfOne(Kind kind) {
    SplittableRandom random = new SplittableRandom(6);
    int size = 20_000;
    double[] xs = places(random, kind, size);
    double[] ys = kind == Kind.LINE ? new double[size] : places(random, kind, size);
    assertThat(SpanningTree.join(several, xs, ys, pairs(size)))
        .isEqualTo(SpanningTree.join(one, xs, ys, pairs(size)))
        .hasSize(size - 1 - size / 4);
  }

  private static double[] places(SplittableRandom random, Kind kind, int size) {
    double side = 10 * Math.sqrt(size + 1);
    return random
        .doubles(size, 0, side)
        .map(place ->
            switch (kind) {
              case UNIFORM, LINE -> place;
              case LATTICE -> Math.rint(place / 7);
              case CLUSTERS -> Math.rint(place / side * 5) * 1000 + place / side;
              case ONE_PLACE -> 3;
            })
        .toArray();
  }

  /** Joins a quarter of the points to the points before them. */
  private static DisjointSets pairs(int size) {
    DisjointSets sets = new DisjointSets(size);
    for (int i = 3; i < size; i += 4) {
      sets.join(i - 1, i);
    }
    return sets;
  }

  private static List<Double> kruskal(double[] xs, double[] ys, DisjointSets groups) {
    List<SpanningTree.Edge> all = new ArrayList<>();
    for (int a = 0; a < xs.length; a++) {
      for (int b = 0; b < a; b++) {
        double dx = xs[a] - xs[b];
        double dy = ys[a] - ys[b];
        all.add(new SpanningTree.Edge(a, b, Math.sqrt(dx * dx + dy * dy)));
      }
    }
    all.sort(Comparator.comparingDouble(SpanningTree.Edge::length));
    List<Double> lengths = new ArrayList<>();
    for (SpanningTree.Edge edge : all) {
      if (groups.join(edge.a(), edge.b())) {
        lengths.add(edge.length());
      }
    }
    return lengths;
  }
}
