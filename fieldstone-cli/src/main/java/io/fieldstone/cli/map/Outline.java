package io.fieldstone.cli.map;

import java.util.Arrays;

/** Lines from point to point, in any number of pieces. For one thread. */
final class Outline {

  private static final int FIRST_ROOM = 16;

  /** A circle's corners, so many that nobody sees them. */
  private static final int CIRCLE_CORNERS = 120;

  /** What an outline is drawn with. */
  interface Pen {
    void move(double x, double y);

    void line(double x, double y);

    void close();
  }

  private static final char MOVE = 'M';
  private static final char LINE = 'L';
  private static final char CLOSE = 'Z';

  private char[] verbs = new char[FIRST_ROOM];
  private double[] points = new double[2 * FIRST_ROOM];
  private int count;

  /** Begins a piece. */
  Outline move(double x, double y) {
    return add(MOVE, x, y);
  }

  /** Goes on in a straight line. */
  Outline line(double x, double y) {
    return add(LINE, x, y);
  }

  /** Ends a piece where it began. */
  Outline close() {
    return add(CLOSE, 0, 0);
  }

  /** A point, which a round pen makes a dot of. */
  Outline dot(double x, double y) {
    return move(x, y).line(x, y);
  }

  /** A rectangle. */
  Outline box(double x, double y, double width, double height) {
    return move(x, y).line(x + width, y).line(x + width, y + height).line(x, y + height).close();
  }

  /** A circle. */
  Outline circle(double x, double y, double radius) {
    return star(x, y, radius, radius, CIRCLE_CORNERS / 2);
  }

  /**
   * A star; a polygon if both radii are equal or there is only every other corner to see.
   *
   * @param outer radius of the corners at the top and so on
   * @param inner radius of those between them
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

  /** Draws it. */
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
