package io.fieldstone.conformance;

import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.plane.Grid;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Makes fields with degenerate and borderline cases. They have duplicates, collinear and lattice
 * points, distances of exactly R and 2R, clusters, right angles and circles of radius R.
 * Coordinates are integers or fractions, near the origin or far away. Products need up to 24, 53,
 * 64 or more bits.
 */
final class RandomStarFields {

  private static final int MAX_POINTS = 48;

  /** Ranges around the limits of each arithmetic precision. */
  private static final double[] RANGES = {
    1, 2, 5, 25, 50, 100, 128, 129, 228, 724, 725, 65_000, 1 << 24
  };

  private static final double[] SCALES = {1, 1, 1, 1, 1, 0.125, 0.1, 1e-9, Math.PI, 1e12};

  private final SplittableRandom random;

  RandomStarFields(SplittableRandom random) {
    this.random = random;
  }

  StarField next() {
    double range = RANGES[random.nextInt(RANGES.length)];
    double scale = SCALES[random.nextInt(SCALES.length)];
    double left = offset(range);
    double bottom = offset(range);
    double width = range * random.nextInt(1, 8);
    int count = random.nextInt(MAX_POINTS);
    double[] xs = new double[count];
    double[] ys = new double[count];
    int kind = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      place(kind, i, xs, ys, range, width);
    }
    for (int i = 0; i < count; i++) {
      xs[i] = scale * (left + xs[i]);
      ys[i] = scale * (bottom + ys[i]);
    }
    StarRule rule = random.nextBoolean() ? StarRule.CIRCUMCIRCLE : StarRule.ENCLOSING_CIRCLE;
    return inOrder(xs, ys, scale * range, rule);
  }

  /** Makes a field with its points in the order of grid cells. */
  static StarField inOrder(double[] xs, double[] ys, double range, StarRule rule) {
    Grid grid = StarField.grid(xs, ys, range);
    int[] order =
        IntStream.range(0, xs.length)
            .boxed()
            .sorted(Comparator.comparingLong(i -> grid.key(xs[i], ys[i])))
            .mapToInt(i -> i)
            .toArray();
    double[] orderedXs = IntStream.of(order).mapToDouble(i -> xs[i]).toArray();
    double[] orderedYs = IntStream.of(order).mapToDouble(i -> ys[i]).toArray();
    return new StarField(orderedXs, orderedYs, range, rule);
  }

  /** Returns an integer offset, often 0, sometimes so large that floats lose added digits. */
  private double offset(double range) {
    return switch (random.nextInt(4)) {
      case 0 -> -Math.rint(3 * range);
      case 1 -> random.nextInt(1 << 29);
      default -> 0;
    };
  }

  private void place(int kind, int i, double[] xs, double[] ys, double range, double width) {
    switch (kind) {
      case 0 -> set(i, xs, ys, Math.rint(uniform(width)), Math.rint(uniform(width)));
      case 1 -> set(i, xs, ys, uniform(width), uniform(width));
      // Distances of exactly R, 2R and R√2; circles through lattice points.
      case 2 -> set(i, xs, ys, lattice(range, width), lattice(range, width));
      case 3 -> set(i, xs, ys, Math.rint(uniform(width)), Math.rint(range / 2));
      // Circles of radius R around lattice points, by Pythagorean triples or random angles.
      case 4 -> onCircle(i, xs, ys, range);
      default -> clustered(i, xs, ys, range, width);
    }
  }

  private void onCircle(int i, double[] xs, double[] ys, double range) {
    int[][] triples = {
      {3, 4, 5}, {4, 3, 5}, {5, 12, 13}, {7, 24, 25}, {24, 7, 25}, {1, 0, 1}, {0, 1, 1}
    };
    int[] triple = triples[random.nextInt(triples.length)];
    double x = sign() * range * triple[0] / triple[2];
    double y = sign() * range * triple[1] / triple[2];
    if (random.nextInt(4) == 0) {
      double angle = random.nextDouble(2 * Math.PI);
      x = range * Math.cos(angle);
      y = range * Math.sin(angle);
    }
    double centre = 2 * range * random.nextInt(2);
    set(i, xs, ys, centre + x, centre + y);
  }

  private void clustered(int i, double[] xs, double[] ys, double range, double width) {
    if (i > 0 && random.nextInt(4) == 0) {
      int copied = random.nextInt(i);
      set(i, xs, ys, xs[copied], ys[copied]);
      return;
    }
    int cluster = random.nextInt(3);
    double x = cluster * range * 1.2 + random.nextDouble() * range / 16;
    double y = (cluster == 1 ? range : 0) + random.nextDouble() * range / 16;
    set(i, xs, ys, Math.rint(x), width > 4 * range ? Math.rint(y) : y);
  }

  private double lattice(double range, double width) {
    return Math.rint(uniform(width) / range * 2) * range / 2;
  }

  private double uniform(double width) {
    return random.nextDouble() * width;
  }

  private int sign() {
    return random.nextBoolean() ? 1 : -1;
  }

  private static void set(int i, double[] xs, double[] ys, double x, double y) {
    xs[i] = x;
    ys[i] = y;
  }
}
