package io.fieldstone.cuda.stars;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.plane.Grid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Fields of points, and their stars. */
public final class StarFields {

  private static final int RANGE = 50;
  private static final int CLUSTER_RANGE = 5;

  private StarFields() {}

  /** Returns random points of a lattice. */
  public static StarField field(
      SplittableRandom random, int count, int width, double factor, StarRule rule) {
    return field(
        count,
        _ -> new double[] {factor * random.nextInt(width), factor * random.nextInt(width)},
        factor * RANGE,
        rule);
  }

  /** Returns three clusters in one cell: any three points, one of each, are a star. */
  public static StarField clusters(int first, int others, double factor) {
    double[][] centres = {{0, 0}, {6, 0}, {3, 5}};
    return field(
        first + 2 * others,
        i -> {
          double[] centre = centres[i < first ? 0 : 1 + i % 2];
          return new double[] {factor * centre[0], factor * centre[1]};
        },
        factor * CLUSTER_RANGE,
        StarRule.CIRCUMCIRCLE);
  }

  /** Returns points in the order of a field. */
  public static StarField field(
      int count, IntFunction<double[]> place, double range, StarRule rule) {
    double[][] points = IntStream.range(0, count).mapToObj(place).toArray(double[][]::new);
    double[] xs = Arrays.stream(points).mapToDouble(point -> point[0]).toArray();
    double[] ys = Arrays.stream(points).mapToDouble(point -> point[1]).toArray();
    Grid grid = StarField.grid(xs, ys, range);
    Arrays.sort(points, Comparator.comparingLong(point -> grid.key(point[0], point[1])));
    return new StarField(
        Arrays.stream(points).mapToDouble(point -> point[0]).toArray(),
        Arrays.stream(points).mapToDouble(point -> point[1]).toArray(),
        range,
        rule);
  }

  /** Returns the stars, named by their points, in order. */
  public static List<String> stars(StarSearch search, int first, int points) {
    List<String> stars = new ArrayList<>();
    search.enumerate(
        first, points, batch -> batch.forEach((a, b, c) -> stars.add(a + " " + b + " " + c)));
    stars.sort(Comparator.naturalOrder());
    return stars;
  }

  /** Returns the stars that the oracle finds. */
  public static List<String> starsOfProcessor(StarField field, int first, int points) {
    try (Engine engine = Engine.open("cpu:scalar", new EngineOptions(1));
        StarSearch search = engine.stars().search(field)) {
      return stars(search, first, points);
    }
  }
}
