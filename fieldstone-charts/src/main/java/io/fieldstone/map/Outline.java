package io.fieldstone.map;

import java.util.Arrays;

/** A path of straight lines in one or more parts. Not thread-safe. */
final class Outline {

  private static final int INITIAL_CAPACITY = 16;

  /** The corners of the polygon that approximates a circle. */
  private static final int CIRCLE_CORNERS = 120;

  /** Receives the commands of an outline. */
  interface Pen {
    void move(double x, double y);

    void line(double x, double y);

    void close();
  }

  private static final char MOVE = 'M';
  private static final char LINE = 'L';
  private static final char CLOSE = 'Z';

  private char[] verbs = new char[INITIAL_CAPACITY];
  private double[] points = new double[2 * INITIAL_CAPACITY];
  private int count;

  /** Begins a part. */
  Outline move(double x, double y) {
    return add(MOVE, x, y);
  }

  /** Continues with a straight line. */
  Outline line(double x, double y) {
    return add(LINE, x, y);
  }

  /** Closes a part with a line to its first point. */
  Outline close() {
    return add(CLOSE, 0, 0);
  }

  /** Adds a point, which a round pen draws as a dot. */
  Outline dot(double x, double y) {
    return move(x, y).line(x, y);
  }

  /** Adds a rectangle. */
  Outline box(double x, double y, double width, double height) {
    return move(x, y).line(x + width, y).line(x + width, y + height).line(x, y + height).close();
  }

  /** Adds a circle. */
  Outline circle(double x, double y, double radius) {
    return star(x, y, radius, radius, CIRCLE_CORNERS / 2);
  }

  /**
   * Adds a star with its first corner at the top; with equal radii, a regular polygon.
   *
   * @param outer the radius of the outer corners
   * @param inner the radius of the inner corners
   */
  Outline star(double x, double y, double outer, double inner, int corners) {
    for (int i = 0; i < 2 * corners; i++) {
      double angle = Math.PI * i / corners;
      double radius = i % 2 == 0 ? outer : inner;
      add(i == 0 ? MOVE : LINE, x + radius * Math.sin(angle), y - radius * Math.cos(angle));
    }
    return close();
  }

  private Outline add(char verb, double x, double y) {
    if (count == verbs.length) {
      verbs = Arrays.copyOf(verbs, 2 * count);
      points = Arrays.copyOf(points, 4 * count);
    }
    verbs[count] = verb;
    points[2 * count] = x;
    points[2 * count + 1] = y;
    count++;
    return this;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Draws the outline with a pen. */
  void draw(Pen pen) {
    for (int i = 0; i < count; i++) {
      double x = points[2 * i];
      double y = points[2 * i + 1];
      switch (verbs[i]) {
        case MOVE -> pen.move(x, y);
        case LINE -> pen.line(x, y);
        default -> pen.close();
      }
    }
  }
}
