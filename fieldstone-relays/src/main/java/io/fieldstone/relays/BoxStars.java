package io.fieldstone.relays;

import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.plane.Triangle;
import io.fieldstone.stream.Tasks;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;

/**
 * Counts stars by triples of boxes of a {@link BoxTree} of single points. Where all triples of
 * points in three boxes are stars, or none is, they are counted at once; otherwise the largest box
 * is divided. Points are tested one by one only where a bound of the rule passes through their
 * boxes. Source: A. Moore et al., "Fast algorithms and efficient statistics: N-point correlation
 * functions", 2000.
 *
 * <p>Thread-safe.
 */
final class BoxStars {

  /** The relative distance from a bound at which rounding errors cannot matter. */
  private static final double MARGIN = 1e-9;

  /** Exceeds the rounding error of a cross or dot product, relative to the sum of its products. */
  private static final double ROUNDING = 1e-12;

  /** The maximum number of parts of a search, which threads share. */
  private static final int MAX_PARTS = 256;

  private final BoxTree tree;
  private final StarRule rule;
  private final double range;

  /** The squared bounds of sides, R and 2R. */
  private final double min;

  private final double max;

  private final LongAdder tests = new LongAdder();

  BoxStars(int threads, StarField field) {
    this.tree = BoxTree.ofSinglePoints(threads, field.xs(), field.ys());
    this.rule = field.rule();
    this.range = field.range();
    this.min = range * range;
    this.max = 4 * min;
  }

  /** Returns the number of triples of boxes that were tested so far. */
  long tests() {
    return tests.sum();
  }

  /**
   * Counts the stars.
   *
   * @param progress receives the number of points processed, from time to time
   * @throws ArithmeticException if there are more than 2^63 − 1
   */
  long count(int threads, IntConsumer progress) {
    return count(threads, 0, progress).stars;
  }

  /**
   * Returns the number of stars, or a lower bound of it. Boxes up to a side are not divided; their
   * triples count only if all of them are stars for certain.
   *
   * @param side the side, at most R / 2
   * @throws ArithmeticException if it is more than 2^63 − 1
   */
  StarEstimate estimate(int threads, double side) {
    Sum sum = count(threads, side, _ -> {});
    return new StarEstimate(
        sum.stars, sum.isExact ? StarEstimate.Kind.EXACT : StarEstimate.Kind.AT_LEAST);
  }

  private Sum count(int threads, double minSide, IntConsumer progress) {
    int parts = Math.min(tree.leaves(), MAX_PARTS);
    Sum sum = new Sum(progress);
    Tasks.forEach(
        threads,
        parts,
        i -> {
          Part part = new Part(minSide);
          long stars = part.count(parts + i);
          tests.add(part.tested);
          sum.add(stars, tree.size(parts + i), part.isExact);
        });
    return sum;
  }

  /** Adds up the parts. Thread-safe. */
  private static final class Sum {
    private final IntConsumer progress;
    private long stars;
    private int points;
    private boolean isExact = true;

    Sum(IntConsumer progress) {
      this.progress = progress;
    }

    synchronized void add(long more, int morePoints, boolean isPartExact) {
      isExact &= isPartExact;
      stars = Math.addExact(stars, more);
      points += morePoints;
      progress.accept(points);
    }
  }

  /** Counts the stars of some nodes. For one thread. */
  private final class Part {
    private final double minSide;
    private long tested;
    private boolean isExact = true;

    /**
     * Creates a part.
     *
     * @param minSide boxes that are not larger are not divided; 0 divides all
     */
    Part(double minSide) {
      this.minSide = minSide;
    }

    /** Counts the stars whose first point in the order of the tree is in a node. */
    long count(int node) {
      int[] after = new int[Integer.SIZE];
      int nodes = 0;
      for (int at = node; at > BoxTree.ROOT; at /= 2) {
        if (at % 2 == 0) {
          after[nodes] = at + 1;
          nodes++;
        }
      }
      long stars = count(node, node, node);
      for (int i = 0; i < nodes; i++) {
        stars = Math.addExact(stars, count(node, node, after[i]));
        for (int j = i; j < nodes; j++) {
          stars = Math.addExact(stars, count(node, after[i], after[j]));
        }
      }
      return stars;
    }

    /** Counts the stars with a point in each of three nodes; equal nodes are adjacent. */
    private long count(int a, int b, int c) {
      tested++;
      if (tree.size(a) == 0
          || tree.size(b) == 0
          || tree.size(c) == 0
          || tree.minSquared(a, b) > max * (1 + MARGIN)
          || tree.minSquared(b, c) > max * (1 + MARGIN)
          || tree.minSquared(c, a) > max * (1 + MARGIN)
          || tree.maxSquared(a, b) <= min * (1 - MARGIN)
          || tree.maxSquared(b, c) <= min * (1 - MARGIN)
          || tree.maxSquared(c, a) <= min * (1 - MARGIN)) {
        return 0;
      }
      if (a != b && b != c) {
        switch (new Boxes(a, b, c).verdict()) {
          case NONE -> {
            return 0;
          }
          case ALL -> {
            return triples(a, b, c);
          }
          case SOME -> {
            double side = Math.max(tree.side(a), Math.max(tree.side(b), tree.side(c)));
            if (side <= minSide) {
              isExact &= side == 0;
              return side == 0 && isStar(a, b, c) ? triples(a, b, c) : 0;
            }
          }
        }
      }
      return divide(a, b, c);
    }

    private long triples(int a, int b, int c) {
      return Math.multiplyExact((long) tree.size(a) * tree.size(b), tree.size(c));
    }

    /** Divides the largest of three nodes, which are not all leaves. */
    private long divide(int a, int b, int c) {
      double sideA = tree.side(a);
      double sideB = tree.side(b);
      double sideC = tree.side(c);
      double side = Math.max(sideA, Math.max(sideB, sideC));
      if (a == b && b == c) {
        return Math.addExact(
            Math.addExact(count(2 * a, 2 * a, 2 * a), count(2 * a, 2 * a, 2 * a + 1)),
            Math.addExact(
                count(2 * a, 2 * a + 1, 2 * a + 1), count(2 * a + 1, 2 * a + 1, 2 * a + 1)));
      }
      if (a == b) {
        return side == sideC ? divideOne(c, a, a) : divideTwo(a, c);
      }
      if (b == c) {
        return side == sideA ? divideOne(a, b, b) : divideTwo(b, a);
      }
      if (side == sideA) {
        return divideOne(a, b, c);
      }
      return side == sideB ? divideOne(b, a, c) : divideOne(c, a, b);
    }

    private long divideOne(int node, int other, int third) {
      return Math.addExact(count(2 * node, other, third), count(2 * node + 1, other, third));
    }

    /** Divides a node that two points belong to. */
    private long divideTwo(int node, int other) {
      int left = 2 * node;
      int right = left + 1;
      return Math.addExact(
          Math.addExact(count(left, left, other), count(right, right, other)),
          count(left, right, other));
    }

    /** Tests the points of three nodes, all of whose points coincide. */
    private boolean isStar(int a, int b, int c) {
      Triangle triangle =
          new Triangle(
              tree.left(a), tree.top(a), tree.left(b), tree.top(b), tree.left(c), tree.top(c));
      return rule.holds(triangle, range);
    }
  }

  /** How many of the triples of points in three boxes are stars. */
  private enum Verdict {
    NONE,
    SOME,
    ALL
  }

  /** Bounds of the triangles with a corner in each of three boxes. */
  private final class Boxes {
    private final int a;
    private final int b;
    private final int c;
    private final double minAb;
    private final double minBc;
    private final double minCa;
    private final double maxAb;
    private final double maxBc;
    private final double maxCa;

    Boxes(int a, int b, int c) {
      this.a = a;
      this.b = b;
      this.c = c;
      minAb = tree.minSquared(a, b);
      minBc = tree.minSquared(b, c);
      minCa = tree.minSquared(c, a);
      maxAb = tree.maxSquared(a, b);
      maxBc = tree.maxSquared(b, c);
      maxCa = tree.maxSquared(c, a);
    }

    Verdict verdict() {
      Interval cross = product(a, b, c, true);
      double sidesMin = minAb * minBc * minCa * (1 - MARGIN);
      double sidesMax = maxAb * maxBc * maxCa * (1 + MARGIN);
      double least = cross.leastMagnitude();
      double greatest = cross.greatestMagnitude();
      boolean isSpread = Math.min(minAb, Math.min(minBc, minCa)) > min * (1 + MARGIN);
      boolean isCircleSmall = sidesMax < max * least * least;
      boolean isCircleLarge = sidesMin > max * greatest * greatest;
      boolean isAll = isSpread && isCircleSmall;
      boolean isNone = isCircleLarge;
      if (rule == StarRule.ENCLOSING_CIRCLE) {
        double longest = Math.max(maxAb, Math.max(maxBc, maxCa));
        boolean isShort = longest <= max * (1 - MARGIN);
        Interval atA = product(a, b, c, false);
        Interval atB = product(b, c, a, false);
        Interval atC = product(c, a, b, false);
        boolean isObtuse = atA.max() < 0 || atB.max() < 0 || atC.max() < 0;
        boolean isAcute = atA.min() > 0 && atB.min() > 0 && atC.min() > 0;
        isAll = isSpread && isShort && (isObtuse || isCircleSmall);
        isNone = isAcute && isCircleLarge;
      }
      return isAll ? Verdict.ALL : isNone ? Verdict.NONE : Verdict.SOME;
    }

    /** Returns bounds of the cross or dot product of the sides from p to q and from p to r. */
    private Interval product(int p, int q, int r, boolean isCross) {
      Interval qx = new Interval(tree.left(q) - tree.right(p), tree.right(q) - tree.left(p));
      Interval qy = new Interval(tree.bottom(q) - tree.top(p), tree.top(q) - tree.bottom(p));
      Interval rx = new Interval(tree.left(r) - tree.right(p), tree.right(r) - tree.left(p));
      Interval ry = new Interval(tree.bottom(r) - tree.top(p), tree.top(r) - tree.bottom(p));
      Interval first = isCross ? qx.times(ry) : qx.times(rx);
      Interval second = isCross ? qy.times(rx).negated() : qy.times(ry);
      double error = ROUNDING * (first.greatestMagnitude() + second.greatestMagnitude());
      return new Interval(first.min() + second.min() - error, first.max() + second.max() + error);
    }
  }

  /** Numbers from a least to a greatest. */
  private record Interval(double min, double max) {

    Interval times(Interval other) {
      double a = min * other.min;
      double b = min * other.max;
      double c = max * other.min;
      double d = max * other.max;
      return new Interval(
          Math.min(Math.min(a, b), Math.min(c, d)), Math.max(Math.max(a, b), Math.max(c, d)));
    }

    Interval negated() {
      return new Interval(-max, -min);
    }

    double leastMagnitude() {
      return Math.max(0, Math.max(min, -max));
    }

    double greatestMagnitude() {
      return Math.max(max, -min);
    }
  }
}
